"""Operands of attention that PyTorch has no kernels for are laid out as it
has."""

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

import grout.torch
from grout.torch.rewrites import attention_operands

aten = torch.ops.aten


def attend(q, mask):
    return scaled_dot_product_attention(q, q, q, mask)


def by_name(q, mask):
    return scaled_dot_product_attention(q, q, q, attn_mask=mask, scale=0.5)


def compiled(function, *args, on_gpu=False):
    """The result, and how many copies, and axes, the graph has got."""
    copies, axes = [], []

    def backend(module, inputs):
        attention_operands.lay_out(module, on_gpu)
        module.graph.lint()
        for found, target in (
            (copies, aten.contiguous.default),
            (axes, aten.unsqueeze.default),
        ):
            found.append(
                sum(node.target == target for node in module.graph.nodes)
            )
        return module

    torch._dynamo.reset()
    result = torch.compile(function, backend=backend)(*args)
    return result, copies[0], axes[0]


@pytest.mark.parametrize("function", [attend, by_name])
@pytest.mark.parametrize(
    "mask, copies, axes",
    [
        (torch.arange(8)[:, None].ge(0).expand(2, 1, 8, 8), 1, 0),
        (torch.randn(8, 8, 4).permute(2, 0, 1)[None], 1, 0),
        (torch.randn(8, 8, 4).permute(2, 0, 1), 1, 1),
        (torch.randn(8).expand(2, 1, 8, 8), 0, 0),
        (torch.randn(4, 8, 8), 0, 1),
        (torch.randn(1, 8, 8) > 0, 0, 1),
        (torch.randn(8, 8), 0, 0),
        (torch.randn(2, 1, 8, 8), 0, 0),
        (None, 0, 0),
    ],
)
def test_masks(function, mask, copies, axes):
    q = torch.randn(2, 4, 8, 16)
    result, *found = compiled(function, q, mask)
    assert found == [copies, axes]
    torch.testing.assert_close(result, function(q, mask), equal_nan=True)


@pytest.mark.parametrize("on_gpu", [False, True])
def test_queries_keys_and_values(on_gpu):
    def attend(q, k, v):
        return scaled_dot_product_attention(q.mT, k, v.mT)

    q, v = torch.randn(2, 4, 16, 8), torch.randn(2, 4, 16, 9)
    k = torch.randn(2, 4, 9, 16)
    result, copies, _ = compiled(attend, q, k, v, on_gpu=on_gpu)
    assert copies == 2 * on_gpu
    torch.testing.assert_close(result, attend(q, k, v))


class Attention(nn.Module):
    def forward(self, q, k, v, mask):
        return scaled_dot_product_attention(q.mT, k, v, attn_mask=mask)


@pytest.mark.parametrize(
    "mask", [torch.randn(8, 1, 64).half(), torch.randn(8, 13, 64) > -1]
)
def test_a_gpu_gets_all_of_it(mask):
    q = torch.randn(2, 8, 64, 13).half()
    k, v = (torch.randn(2, 8, 64, 64).half() for _ in range(2))
    report = grout.torch.report(Attention(), (q, k, v, mask), target="h100")
    assert report.share_of_flops == 1
