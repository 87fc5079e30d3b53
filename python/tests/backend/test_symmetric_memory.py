"""Memory that several ranks share, and what ranks tell each other before they
use it. No artifact runs here."""

import collections
import ctypes
import pathlib
import types

import pytest
import ranks
import torch
from torch import distributed

from grout.errors import Error
from grout.torch.graph.collectives import Collectives
from grout.torch.runtime import exchange, places, symmetric, teams

pytestmark = ranks.needs_gloo

CPU = torch.device("cpu")


def write(memory, rank, value):
    ctypes.memset(memory.addresses[rank], value, 1)


def read(memory, rank, size):
    return ctypes.string_at(memory.addresses[rank], size)


def share(rank):
    group = distributed.group.WORLD
    for size in (1, 10_000):
        memory = symmetric.allocate(group, CPU, size)
        assert memory.rank == rank
        assert [read(memory, i, size) for i in range(3)] == [bytes(size)] * 3
        assert all(address % 256 == 0 for address in memory.addresses)
        distributed.barrier()
        write(memory, (rank + 1) % 3, rank + 1)
        distributed.barrier()
        assert [read(memory, i, 1) for i in range(3)] == [b"\3", b"\1", b"\2"]


def share_in_parts(rank):
    """Ranks 1 and 2 are ranks 0 and 1 of a group of their own."""
    group = distributed.new_group([1, 2])
    if rank == 0:
        return
    memory = symmetric.allocate(group, CPU, 100)
    assert memory.rank == rank - 1
    write(memory, 2 - rank, rank)
    distributed.barrier(group)
    assert read(memory, memory.rank, 1) == bytes([3 - rank])


def open_files():
    return [
        str(link.readlink())
        for link in pathlib.Path("/proc/self/fd").iterdir()
        if link.is_symlink()
    ]


def leave_nothing(rank):
    before = open_files()
    memory = symmetric.allocate(distributed.group.WORLD, CPU, 100)
    files = collections.Counter(open_files())
    files.subtract(before)
    assert not [
        name for name, count in files.items() if count > 0 and "grout" in name
    ]
    assert memory.addresses


def lack_memory(rank):
    new_file = symmetric._new_file

    def fail(size):
        return new_file(size)[0], "no space is left"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symmetric, "_new_file", fail)
        with pytest.raises(
            Error, match="rank 0 has no symmetric memory: no space is left"
        ):
            symmetric.allocate(distributed.group.WORLD, CPU, 100)


def team(*calls):
    name = distributed.group.WORLD.group_name
    return teams.find(Collectives(name, calls), CPU)


def module(count=2):
    return types.SimpleNamespace(
        name="partition", ranks=count, symmetric_bytes=64
    )


def compare(rank):
    assert team("float32[4]") == team("float32[4]")
    assert team("float32[4]").allocate(module()).rank == rank
    with pytest.raises(Error, match="compiled for 4 ranks, and .* has 2"):
        team("float32[4]").allocate(module(count=4))
    with pytest.raises(
        Error,
        match=r"rank 0 runs float32\[4\] in 64 bytes, and rank 1 runs "
        r"float32\[5\] in 64 bytes",
    ):
        team(f"float32[{4 + rank}]").allocate(module())


def miss(rank):
    if rank == 0:
        with pytest.raises(Error, match="rank 1 has not told its collectives"):
            exchange.among(distributed.group.WORLD, "collectives", "mine")


def meet(rank):
    assert places.find_problem(distributed.group.WORLD, CPU) is None


@pytest.mark.parametrize(
    "function, count",
    [
        (share, 3),
        (share_in_parts, 3),
        (leave_nothing, 2),
        (lack_memory, 2),
        (compare, 2),
        (meet, 2),
    ],
)
def test_ranks(function, count):
    ranks.run(function, count)


def test_a_rank_that_is_missing_is_named():
    ranks.run(miss, 2, timeout=2)


@pytest.mark.parametrize(
    "found, problem",
    [
        ([("a", "g0", ["g0", "g1"]), ("a", "g1", ["g0", "g1"])], None),
        ([("a", None, []), ("a", None, [])], None),
        (
            [("a", None, []), ("a", None, []), ("b", None, [])],
            "ranks 0 and 2 of its group are on different hosts, or in "
            "containers that do not see each other",
        ),
        (
            [("a", "g0", ["g0"]), ("a", "g0", ["g0"])],
            "ranks 0 and 1 of its group are on the same GPU",
        ),
        (
            [("a", "g0", ["g0", "g1"]), ("a", "g1", ["g1"])],
            "rank 1 of its group cannot access the memory of rank 0's GPU, or "
            "does not see that GPU",
        ),
    ],
)
def test_places(found, problem):
    described = [places.Place(*place) for place in found]
    assert places.find_problem_of(described) == problem
