"""Whole models, tiny; scripts/check-models has real sizes."""

import pytest
import torch
from checking import check_forward, share
from models import TINY


@pytest.mark.parametrize("name", TINY)
def test_model(name):
    model, args = TINY[name].make()
    assert share(check_forward(model, args)) >= TINY[name].least


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16], ids=["f16", "bf16"]
)
@pytest.mark.parametrize("name", ["gpt2", "bert", "llama"])
def test_half_precision(name, dtype):
    model, args = TINY[name].make()
    assert share(check_forward(model.to(dtype), args)) >= TINY[name].least
