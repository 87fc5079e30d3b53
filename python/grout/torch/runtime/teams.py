"""The ranks that compute sums together."""

import dataclasses
import json
import weakref
from typing import Any

import torch

from ..._runtime import SymmetricMemory
from ...errors import Error
from ...module import Module
from ..graph.collectives import Sums
from . import exchange, places, symmetric


@dataclasses.dataclass(frozen=True)
class Team:
    """A process group, the device of this rank, and the sums that the ranks
    compute. Equal teams have the same group, not only a group of the same
    name."""

    _group: "weakref.ref[Any]"
    _device: torch.device
    _sums: Sums

    def allocate(self, module: Module) -> SymmetricMemory:
        """Returns symmetric memory for a session of a module, which computes
        the sums. Raises Error if the module is for another number of ranks, or
        if other ranks compute other sums now."""
        group: Any = self._group()
        if group.size() != module.ranks:
            raise Error(
                f"{module.name} was compiled for {module.ranks} ranks, and the "
                f"process group {group.group_name} has {group.size()}"
            )
        # The rest of the modules may differ: for example, each rank of an
        # embedding has words of its own.
        own = json.dumps([self._sums.tensors, module.symmetric_bytes])
        found = exchange.among(group, "sums", own)
        for rank, other in enumerate(found):
            if other != found[0]:
                raise Error(
                    "all ranks must sum tensors of the same shapes and types: "
                    f"rank 0 sums {_show(found[0])}, and rank {rank} sums "
                    f"{_show(other)}"
                )
        return symmetric.allocate(group, self._device, module.symmetric_bytes)


def find(sums: Sums, device: torch.device) -> Team:
    """Returns the team of the process group that has the name now that `sums`
    have."""
    return Team(weakref.ref(places.resolve(sums.group_name)), device, sums)


def _show(found: str) -> str:
    tensors, size = json.loads(found)
    return f"{', '.join(tensors)} in {size} bytes"
