"""LSTM and GRU, whose steps reach a backend only if Dynamo is told to follow
them."""

import pytest
import torch
from checking import check_forward, share
from torch import nn


@pytest.mark.parametrize(
    "model, dtype", [(nn.LSTM, torch.float16), (nn.GRU, torch.float32)]
)
def test_steps_are_compiled(model, dtype):
    with torch._dynamo.config.patch(allow_rnn=True):
        operators = check_forward(
            model(8, 16, batch_first=True).to(dtype),
            [torch.randn(3, 3, 8).to(dtype)],
            fallback="error",
        )
    assert share(operators) == 1


def test_they_are_left():
    model = nn.LSTM(8, 16)
    assert check_forward(model, [torch.randn(3, 3, 8)]) == []
