"""Masks that PyTorch has no kernels for are laid out as it has."""

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from grout.torch import masks


def attend(q, mask):
    return scaled_dot_product_attention(q, q, q, mask)


def by_name(q, mask):
    return scaled_dot_product_attention(q, q, q, attn_mask=mask, scale=0.5)


def compiled(function, *args):
    """The result, and how many copies of masks the graph has got."""
    copies = []

    def backend(module, inputs):
        masks.make_contiguous(module)
        module.graph.lint()
        copies.append(sum(node.target == "contiguous"
                          for node in module.graph.nodes))
        return module

    torch._dynamo.reset()
    result = torch.compile(function, backend=backend)(*args)
    return result, copies[0]


@pytest.mark.parametrize("function", [attend, by_name])
@pytest.mark.parametrize("mask, copies", [
    (torch.arange(8)[:, None].ge(0).expand(2, 1, 8, 8), 1),
    (torch.randn(8, 8, 4).permute(2, 0, 1)[None], 1),
    (torch.randn(8).expand(2, 1, 8, 8), 0),
    (torch.randn(2, 1, 8, 8), 0),
    (None, 0)])
def test_the_last_stride_becomes_one(function, mask, copies):
    q = torch.randn(2, 4, 8, 16)
    result, found = compiled(function, q, mask)
    assert found == copies
    torch.testing.assert_close(result, function(q, mask))


SHOWN = torch.ones(4, 6, dtype=torch.bool).tril()
ONLY_FIRST = torch.arange(6) == 0


@pytest.mark.parametrize("shown, queries, kind", [
    (SHOWN, 4, masks.Kind.CAUSAL),
    (SHOWN.expand(2, 3, 4, 6), 4, masks.Kind.CAUSAL),
    (ONLY_FIRST, 1, masks.Kind.CAUSAL),
    # One row for all queries.
    (ONLY_FIRST, 4, masks.Kind.OTHER),
    (ONLY_FIRST[None, None, None], 4, masks.Kind.OTHER),
    (ONLY_FIRST < 2, 4, masks.Kind.NEUTRAL),
    # One column for all keys.
    (torch.ones(4, 1, dtype=torch.bool), 4, masks.Kind.NEUTRAL),
    (torch.arange(4)[:, None] > 0, 4, masks.Kind.OTHER)])
def test_what_masks_do(shown, queries, kind):
    assert masks.kind_of(shown, queries, 6) is kind
    added = torch.where(shown, 0.0, -torch.inf)
    assert masks.kind_of(added, queries, 6) is kind
