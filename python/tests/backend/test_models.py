"""Whole models, tiny; scripts/check-models has real sizes."""

import pytest
import torch

import models
from checking import check_forward, share


@pytest.mark.parametrize("make", models.TRANSFORMERS,
                         ids=lambda make: make.__name__)
def test_transformers(make):
    model, args = make(tiny=True)
    operators = check_forward(model, args)
    # Of few operators, embeddings are many.
    assert share(operators) >= (0.9 if len(operators) < 40 else 0.95)


@pytest.mark.parametrize("make", models.CONVOLUTIONAL[:3],
                         ids=lambda make: make.__name__)
def test_convolutional(make):
    model, args = make(tiny=True)
    assert share(check_forward(model, args)) >= 0.80


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16],
                         ids=["f16", "bf16"])
@pytest.mark.parametrize("make", [models.gpt2, models.bert, models.llama],
                         ids=lambda make: make.__name__)
def test_half_precision(make, dtype):
    model, args = make(tiny=True)
    assert share(check_forward(model.to(dtype), args)) >= 0.95
