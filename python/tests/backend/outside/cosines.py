"""Cosines as shifted sines; tan is left to PyTorch."""

import math

import torch

from grout.torch.rewrites.rewrite import Rewrite

aten = torch.ops.aten


def apply(module, context):
    for node in module.graph.find_nodes(
        op="call_function", target=aten.cos.default
    ):
        with module.graph.inserting_before(node):
            shifted = module.graph.call_function(
                aten.add.Tensor, (node.args[0], math.pi / 2)
            )
        shifted.meta["val"] = node.meta["val"]
        node.target, node.args = aten.sin.default, (shifted,)
    module.recompile()


def refusal(node, context):
    return "tan is ours" if node.target is aten.tan.default else None


REWRITE = Rewrite(apply, refusal, after=("views",))
