"""Refuses operators that Grout does not have, or not for their operands."""

from typing import Optional

from torch import fx

from ..graph import support
from .rewrite import Context, Rewrite


def _refusal(node: fx.Node, context: Context) -> Optional[str]:
    assert context.device is not None
    return support.refusal(node, context.device, context.excluded)


REWRITE = Rewrite(refusal=_refusal, after=("collectives", "attention"))
