"""Memory for intermediates, which partitions share."""

import threading

import pytest
import torch

import grout.torch
from grout.torch.runtime import workspaces

CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def _nothing_is_kept():
    workspaces._free.clear()


def kept():
    """The bytes that stay."""
    return [len(memory) for memory in workspaces._free]


def test_calls_in_turn_have_the_same_memory():
    with workspaces.borrow(1000, CPU) as first:
        assert first % 256 == 0
    with workspaces.borrow(400, CPU) as second:
        assert second == first
    with workspaces.borrow(1000, CPU) as third:
        assert third == first


def test_calls_at_the_same_time_have_their_own():
    with workspaces.borrow(1000, CPU) as first:
        with workspaces.borrow(500, CPU) as second:
            assert abs(first - second) >= 500
    # The larger one is kept.
    with workspaces.borrow(1000, CPU) as third:
        assert third == first


def test_what_is_too_small_is_replaced():
    with workspaces.borrow(100, CPU):
        pass
    with workspaces.borrow(10000, CPU):
        pass
    assert len(kept()) == 1 and kept()[0] >= 10000


def test_it_is_given_back_if_a_run_fails():
    with pytest.raises(ValueError):
        with workspaces.borrow(100, CPU):
            raise ValueError
    assert len(kept()) == 1


def test_threads_do_not_disturb_each_other():
    layers = torch.nn.Sequential(
        torch.nn.Linear(64, 512),
        torch.nn.GELU(),
        torch.nn.Linear(512, 64),
        torch.nn.LayerNorm(64),
    ).eval()
    compiled = torch.compile(
        layers,
        backend="grout",
        options={"fallback": "error", "cache_dir": ""},
        dynamic=False,
    )
    inputs = [torch.randn(40, 64) for _ in range(4)]
    with torch.no_grad():
        wanted = [compiled(x) for x in inputs]
    wrong = []

    def call(number):
        with torch.no_grad():
            for _ in range(30):
                if not torch.equal(compiled(inputs[number]), wanted[number]):
                    wrong.append(number)

    threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_partitions_of_a_model_share_it():
    """And none keeps another."""
    layers = torch.nn.Sequential(
        *(
            torch.nn.Sequential(
                torch.nn.Linear(64, 64 * n),
                torch.nn.ReLU(),
                torch.nn.Linear(64 * n, 64),
            )
            for n in (2, 8, 4)
        )
    )
    compiled = torch.compile(
        layers.eval(),
        backend="grout",
        options={"fallback": "error", "cache_dir": "", "min_block_size": 1},
    )
    report = grout.torch.report(layers, (torch.randn(32, 64),))
    with torch.no_grad():
        compiled(torch.randn(32, 64))
    assert kept() == [report.workspace_bytes + 256]
