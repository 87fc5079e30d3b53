"""How graphs are timed, and the statistics of it. Knows no PyTorch.

A graph is something with `replay()`, which enqueues `iterations` calls. A
device has synchronize(), idle(seconds), hold() (keeps the device busy for a
moment, so that what follows is enqueued when its turn comes), event() (enqueues
one and returns it) and elapsed_us(event, event). torch_device.py has the real
ones, tests/support.py those of the tests.
"""

import math
import statistics

# A burst is meant to last so long: long beside the gap between two launches,
# short enough for clocks to stay up.
BURST_US = 2500.0


def iterations(flops, bytes_):
    """Calls in a graph, from what an H200 needs at least: about a burst. That
    it is no measurement keeps it equal from run to run."""
    floor_us = max(flops / 700e6, bytes_ / 4e6) + 4.0
    return min(max(math.ceil(BURST_US / floor_us), 4), 400)


def _burst(device, graph, iterations_):
    device.hold()
    start = device.event()
    graph.replay()
    end = device.event()
    device.synchronize()
    return device.elapsed_us(start, end) / iterations_


def estimate(device, graphs, iterations_):
    """Microseconds a call of each graph, from one burst."""
    return {
        name: _burst(device, graph, iterations_)
        for name, graph in graphs.items()
    }


def cool(device, graphs, iterations_, bursts, idle_seconds, rng):
    """Microseconds a call of each graph, in each of `bursts` rounds. In a round
    all have their turn, in random order, and rest before it."""
    samples = {name: [] for name in graphs}
    for _ in range(bursts):
        for name in rng.sample(list(graphs), len(graphs)):
            device.synchronize()
            device.idle(idle_seconds)
            samples[name].append(_burst(device, graphs[name], iterations_))
    return samples


def sustained(device, graphs, iterations_, estimates_us, seconds, rounds):
    """Microseconds a call of each graph, in each round, without any rest: one
    runs for `seconds`, then the next. A round goes backwards after one that
    went forwards. The first third of each turn, in which clocks settle, does
    not count."""
    marks = []
    for number in range(rounds):
        names = list(graphs)[:: -1 if number % 2 else 1]
        for name in names:
            burst_us = iterations_ * estimates_us[name]
            replays = max(math.ceil(seconds * 1e6 / burst_us), 3)
            lead = math.ceil(replays / 3)
            for _ in range(lead):
                graphs[name].replay()
            start = device.event()
            for _ in range(replays - lead):
                graphs[name].replay()
            marks.append(
                (name, start, device.event(), (replays - lead) * iterations_)
            )
    device.synchronize()
    samples = {name: [] for name in graphs}
    for name, start, end, calls in marks:
        samples[name].append(device.elapsed_us(start, end) / calls)
    return samples


def summary(samples):
    """As results.json keeps it."""
    return {
        "median": statistics.median(samples),
        "low": min(samples),
        "high": max(samples),
        "samples": samples,
    }
