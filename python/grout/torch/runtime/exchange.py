"""Exchanges facts between the ranks of a process group.

    digests = exchange.among(group, "program", digest)

The facts go through the group's store, which the process group itself uses to
find its ranks. So nothing runs on a GPU, and this works while a CUDA graph is
captured. All ranks must exchange the same facts in the same order.
"""

import collections
import threading
import weakref
from typing import Any

from torch import distributed

from ...errors import Error

# How often each group has exchanged facts of each kind.
_counts: weakref.WeakKeyDictionary[Any, collections.Counter[str]] = (
    weakref.WeakKeyDictionary()
)
_lock = threading.Lock()


def timeout_of(group: Any) -> float:
    """Returns the seconds that a rank waits for another one: the `timeout` of
    init_process_group."""
    store = distributed.distributed_c10d._get_process_group_store(group)
    seconds: float = store.timeout.total_seconds()
    return seconds


def among(group: Any, what: str, fact: str) -> list[str]:
    """Gives `fact` to all ranks of a process group, and returns the facts of
    all ranks, in the order of ranks. `what` is the kind of the facts. Raises
    Error if a rank gives no such fact within the time that the group's store
    waits, which is the `timeout` of init_process_group."""
    with _lock:
        counts = _counts.setdefault(group, collections.Counter())
        number = counts[what]
        counts[what] += 1
    # Groups of other ranks may have the same name, and then the same store.
    ranks = "_".join(map(str, distributed.get_process_group_ranks(group)))
    prefix = f"grout/{ranks}/{what}/{number}"
    store = distributed.distributed_c10d._get_process_group_store(group)
    store.set(f"{prefix}/{group.rank()}", fact)
    return [
        _wait(store, f"{prefix}/{rank}", rank, what)
        for rank in range(group.size())
    ]


def require_none(group: Any, what: str, problem: str) -> None:
    """Waits for all ranks of a process group. Raises Error on all of them if
    the `problem` of any rank is not ""."""
    problems = among(group, what, problem)
    for rank, found in enumerate(problems):
        if found:
            raise Error(f"rank {rank} has no {what}: {found}")


def _wait(store: Any, key: str, rank: int, what: str) -> str:
    try:
        value: bytes = store.get(key)
    except RuntimeError as error:
        raise Error(
            f"rank {rank} has not told its {what}: it has ended, or does "
            f"something else than this rank ({error})"
        ) from error
    return value.decode()
