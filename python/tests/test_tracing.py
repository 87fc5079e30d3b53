"""Traces of modules."""

import json
import threading

import numpy
import pytest
from programs import branches, elementwise

import grout


def halves(*shape):
    return numpy.random.default_rng(1).standard_normal(shape).astype("float16")


@pytest.fixture(scope="module")
def chain():
    return grout.compile(branches())


INPUTS = halves(256, 512), halves(512, 512), halves(512, 512)


def test_records(chain):
    with grout.trace() as trace:
        traced = chain(*INPUTS)
    for one, other in zip(traced, chain(*INPUTS)):
        numpy.testing.assert_array_equal(one, other)
    assert trace.records and trace.lost == 0
    assert repr(trace) == f"<grout.Trace of {len(trace.records)} records>"
    assert {one.function for one in trace.records} == {"f"}
    assert {one.role for one in trace.records} <= {"tile", "wait"}
    tiles = [one for one in trace.records if one.role == "tile"]
    # Each tile of each kernel once.
    assert len({(one.name, one.tile) for one in tiles}) == len(tiles)
    assert len({one.name for one in tiles}) > 1
    for one in trace.records:
        assert one.start <= one.end and one.device == 0
    starts = [one.start for one in trace.records]
    assert starts == sorted(starts)


def test_runs_outside_are_not_recorded(chain):
    chain(*INPUTS)
    with grout.trace() as trace:
        pass
    assert trace.records == ()
    with grout.trace() as once:
        chain(*INPUTS)
    chain(*INPUTS)
    with grout.trace() as twice:
        chain(*INPUTS)
        chain(*INPUTS)

    def count(trace):
        return sum(one.role == "tile" for one in trace.records)

    assert count(twice) == 2 * count(once)


def test_several_modules_and_threads(chain):
    text = elementwise((64, 64), "f16").replace("@f(", "@add(")
    add = grout.compile(text)
    x = halves(64, 64)
    with grout.trace() as trace:
        thread = threading.Thread(target=lambda: add(x, x))
        thread.start()
        thread.join()
        chain(*INPUTS)
    assert {one.function for one in trace.records} == {"add", "f"}


def test_one_trace_at_a_time(chain):
    with grout.trace() as trace:
        with pytest.raises(RuntimeError, match="another trace records"):
            with grout.trace():
                pass
        chain(*INPUTS)
    assert trace.records
    with pytest.raises(ZeroDivisionError):
        with grout.trace():
            raise ZeroDivisionError
    with grout.trace() as trace:
        chain(*INPUTS)
    assert trace.records


def test_file(chain, tmp_path):
    with grout.trace() as trace:
        chain(*INPUTS)
    trace.save(tmp_path / "run.json")
    events = json.loads((tmp_path / "run.json").read_text())["traceEvents"]
    names = {
        one["args"]["name"] for one in events if one["name"] == "thread_name"
    }
    assert names and all(name.startswith("worker ") for name in names)
    complete = [one for one in events if one["ph"] == "X"]
    assert len(complete) == len(trace.records)
    assert min(one["ts"] for one in complete) == 0
    # Tiles in one thread follow each other.
    ends = {}
    for one in complete:
        if one["cat"] == "tile":
            key = one["pid"], one["tid"]
            assert one["ts"] >= ends.get(key, 0)
            ends[key] = one["ts"] + one["dur"]
