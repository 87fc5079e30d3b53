"""Operators of mixtures of experts, for all of PyTorch.

    import grout.ops

    y = grout.ops.grouped_mm(x, matrices, ends)
    y = grout.ops.moe(x, (indices, weights), w_gate_up, w_down)

Grout's kernels run these operators in eager mode, and where another backend of
torch.compile, or torch.export, calls them. With torch.compile(backend="grout"),
they are decomposed, and compiled together with the operators around them.

In graphs, they are torch.ops.grout.grouped_mm and torch.ops.grout.moe.
"""

from .experts import ACTIVATIONS, moe
from .grouped import grouped_mm

__all__ = ["ACTIVATIONS", "grouped_mm", "moe"]
