"""The layer of nn.TransformerEncoder that is one operator where no gradient is
wanted."""

import itertools

import pytest
import torch
from checking import check_forward, share
from torch import nn

LENGTH, SIZE = 5, 16
PADDED = torch.tensor([[False] * LENGTH, [False] * 3 + [True] * 2])
CAUSAL = torch.ones(LENGTH, LENGTH).triu(1).bool()


class Masked(nn.Module):
    def __init__(self, causal=False, padded=False, heads=4, **options):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(
            SIZE, heads, 32, batch_first=True, **options
        )
        self.masks = {
            "src_mask": CAUSAL if causal else None,
            "src_key_padding_mask": PADDED if padded else None,
        }

    def forward(self, x):
        return self.layer(x, **self.masks)


def tokens(dtype=torch.float32):
    return torch.randn(2, LENGTH, SIZE).to(dtype)


@pytest.mark.parametrize(
    "norm_first, activation", itertools.product((False, True), ("relu", "gelu"))
)
def test_layer(norm_first, activation):
    model = Masked(norm_first=norm_first, activation=activation)
    assert share(check_forward(model, [tokens()], fallback="error")) == 1


@pytest.mark.parametrize(
    "causal, padded", [(True, False), (False, True), (True, True)]
)
def test_masks(causal, padded):
    model = Masked(causal, padded)
    assert share(check_forward(model, [tokens()], fallback="error")) == 1


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision(dtype):
    model = Masked(padded=True).to(dtype)
    assert share(check_forward(model, [tokens(dtype)], fallback="error")) == 1


def test_layers():
    model = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(SIZE, 4, 32, batch_first=True), 2
    )
    operators = check_forward(model, [tokens()], fallback="error")
    assert share(operators) == 1
    assert "aten.mm.default" in {one.operator for one in operators}


def test_compiled_for_a_gpu():
    from grout.torch import report

    # Heads of GPUs have multiples of 8 elements.
    found = report(
        Masked(padded=True, heads=2).eval().half(),
        [tokens(torch.float16)],
        target="h200",
        options={"min_block_size": 1},
    )
    assert found.share_of_flops == 1
