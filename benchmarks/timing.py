"""Times graphs, and computes statistics. This module knows no PyTorch.

A graph has `replay()`, which enqueues `iterations` calls. A device has
synchronize(), idle(seconds), hold() (keeps the device busy for a moment, so
that the next work is enqueued before its turn comes), event() (enqueues an
event and returns it) and elapsed_us(event, event). The real ones are in
torch_device.py, those of the tests in tests/support.py.
"""

import math
import statistics

# How long a burst should last: long, compared with the gap between two
# launches, and short enough that clocks stay up.
BURST_US = 2500.0


def iterations(flops, bytes_):
    """Returns the number of calls in a graph, so that it lasts about one burst.
    It follows from the least time that an H200 needs, not from a measurement,
    so that it is equal from run to run."""
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
    """Returns microseconds per call of each graph, from one burst."""
    return {
        name: _burst(device, graph, iterations_)
        for name, graph in graphs.items()
    }


def cool(device, graphs, iterations_, bursts, idle_seconds, rng):
    """Returns microseconds per call of each graph, in each of `bursts` rounds.
    In a round, each graph has a turn, in random order, and the device rests
    before each turn."""
    samples = {name: [] for name in graphs}
    for _ in range(bursts):
        for name in rng.sample(list(graphs), len(graphs)):
            device.synchronize()
            device.idle(idle_seconds)
            samples[name].append(_burst(device, graphs[name], iterations_))
    return samples


def sustained(device, graphs, iterations_, estimates_us, seconds, rounds):
    """Returns microseconds per call of each graph, in each round, without any
    rest. In a round, each graph runs for `seconds`. Every second round goes
    backwards. The first third of each turn, in which clocks settle, does not
    count."""
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
    """Returns statistics of samples, as results.json keeps them."""
    return {
        "median": statistics.median(samples),
        "low": min(samples),
        "high": max(samples),
        "samples": samples,
    }
