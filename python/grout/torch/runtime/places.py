"""Where the ranks of a process group run: whether they can address each other's
memory."""

import dataclasses
import functools
import itertools
import json
import os
import pathlib
import platform
import weakref
from typing import Any, Optional, Sequence

import torch
from torch import distributed

from . import exchange


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a rank runs."""

    host: str
    """The same for processes of a host that see each other."""
    gpu: Optional[str] = None
    """The GPU of the rank; None for ranks on the CPU."""
    reached: Sequence[str] = ()
    """The GPUs whose memory the rank's GPU can access."""


def resolve(group_name: str) -> Any:
    """Returns the process group that has a name."""
    return distributed.distributed_c10d._resolve_process_group(group_name)


def backend_of(group: Any, device: torch.device) -> str:
    """Returns the backend that a process group uses for a device, such as
    "nccl"."""
    backends = distributed.get_backend_config(group)
    for pair in backends.split(","):
        kind, _, backend = pair.partition(":")
        if kind == device.type:
            return backend
    return "no backend"


_problems: weakref.WeakKeyDictionary[Any, dict[torch.device, Optional[str]]] = (
    weakref.WeakKeyDictionary()
)


def find_problem(group: Any, device: torch.device) -> Optional[str]:
    """Returns why the ranks of a process group cannot address each other's
    memory, as a sentence without its full stop; None if they can. `device` is
    that of this rank. The answer is the same on all ranks, which ask each other
    at the first call."""
    known = _problems.setdefault(group, {})
    if device not in known:
        mine = json.dumps(dataclasses.asdict(_describe(device)))
        found = exchange.among(group, "place", mine)
        known[device] = find_problem_of(
            [Place(**json.loads(place)) for place in found]
        )
    return known[device]


def find_problem_of(places: Sequence[Place]) -> Optional[str]:
    """Does the same for the places of the ranks 0, 1, ... of a group."""
    for (i, one), (j, other) in itertools.permutations(enumerate(places), 2):
        if one.host != other.host:
            return (
                f"ranks {i} and {j} of its group are on different hosts, or in "
                "containers that do not see each other"
            )
        if one.gpu is None or other.gpu is None:
            continue
        if one.gpu == other.gpu:
            return f"ranks {i} and {j} of its group are on the same GPU"
        if other.gpu not in one.reached:
            return (
                f"rank {i} of its group cannot access the memory of rank {j}'s "
                "GPU, or does not see that GPU"
            )
    return None


def _describe(device: torch.device) -> Place:
    if device.type != "cuda":
        return Place(_host())
    gpus = [
        _name(number)
        for number in range(torch.cuda.device_count())
        if number == device.index
        or torch.cuda.can_device_access_peer(device, number)
    ]
    return Place(_host(), _name(device), gpus)


def _name(device: Any) -> str:
    return str(torch.cuda.get_device_properties(device).uuid)


@functools.cache
def _host() -> str:
    """Identifies a host, and the processes there that see each other."""
    try:
        boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text()
        processes = os.readlink("/proc/self/ns/pid")
    except OSError:
        return platform.node()
    return f"{boot.strip()} {processes}"
