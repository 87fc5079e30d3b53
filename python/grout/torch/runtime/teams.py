"""The ranks that run collectives together."""

import dataclasses
import json
import weakref
from typing import Any

import torch

from ..._runtime import SymmetricMemory
from ...errors import Error
from ...module import Module
from ..graph.collectives import Collectives
from . import exchange, places, symmetric


@dataclasses.dataclass(frozen=True)
class Team:
    """A process group, the device of this rank, and the collectives that the
    ranks run. Equal teams have the same group, not only a group of the same
    name."""

    _group: "weakref.ref[Any]"
    _device: torch.device
    _collectives: Collectives

    def allocate(self, module: Module) -> SymmetricMemory:
        """Returns symmetric memory for a session of a module, which runs the
        collectives. Raises Error if the module is for another number of ranks,
        or if other ranks run other collectives now."""
        group: Any = self._group()
        if group.size() != module.ranks:
            raise Error(
                f"{module.name} was compiled for {module.ranks} ranks, and the "
                f"process group {group.group_name} has {group.size()}"
            )
        # The rest of the modules may differ: for example, each rank of an
        # embedding has words of its own.
        own = json.dumps([self._collectives.calls, module.symmetric_bytes])
        found = exchange.among(group, "collectives", own)
        for rank, other in enumerate(found):
            if other != found[0]:
                raise Error(
                    "all ranks must run the same collectives, on tensors of "
                    f"the same shapes and types: rank 0 runs {_show(found[0])}"
                    f", and rank {rank} runs {_show(other)}"
                )
        return symmetric.allocate(group, self._device, module.symmetric_bytes)


def find(exchanges: Collectives, device: torch.device) -> Team:
    """Returns the team of the process group that now has the name of the group
    of `exchanges`."""
    group = places.resolve(exchanges.group_name)
    return Team(weakref.ref(group), device, exchanges)


def _show(found: str) -> str:
    calls, size = json.loads(found)
    return f"{', '.join(calls)} in {size} bytes"
