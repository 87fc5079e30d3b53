"""Processes with limits, in which scripts/check-models tries models."""

import operator
import os
import time

import pytest
from supervising import call

_GIB = 2**30


def _take_memory(size):
    filled = b"x" * size
    time.sleep(60)
    return len(filled)


def test_value_and_peak():
    result = call(operator.add, 2, 3, seconds=60, memory=_GIB)
    assert (result.value, result.problem) == (5, "")
    assert 2**20 < result.peak < _GIB


@pytest.mark.parametrize(
    "function, args, problem",
    [
        (operator.truediv, (1, 0), "ZeroDivisionError: division by zero"),
        (os._exit, (3,), "the process crashes (3)"),
        (time.sleep, (60,), "it takes longer than 2 s"),
        (_take_memory, (_GIB // 2,), "it takes more than 0.25 GiB"),
    ],
    ids=["raises", "crashes", "hangs", "takes memory"],
)
def test_problem(function, args, problem):
    result = call(
        function,
        *args,
        seconds=2 if function is time.sleep else 60,
        memory=_GIB // 4,
    )
    assert (result.value, result.problem) == (None, problem)
