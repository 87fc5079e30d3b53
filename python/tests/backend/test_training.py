"""Forward and backward, gradients compared with eager's."""

import copy

import pytest
import torch
from checking import error

from grout.torch import records


class _Block(torch.nn.Module):
    """One layer of GPT-2 (causal, norms first) or of BERT (norms last)."""

    def __init__(self, is_causal, width=32, heads=4):
        super().__init__()
        self.is_causal, self.heads = is_causal, heads
        self.norm1 = torch.nn.LayerNorm(width)
        self.norm2 = torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def attend(self, x):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.qkv(x).chunk(3, -1)
        )
        y = torch.nn.functional.scaled_dot_product_attention(
            q, k, v, is_causal=self.is_causal
        )
        return self.out(y.transpose(1, 2).reshape(batch, length, width))

    def mlp(self, x):
        return self.down(
            torch.nn.functional.gelu(
                self.up(x), approximate="tanh" if self.is_causal else "none"
            )
        )

    def forward(self, x):
        if self.is_causal:
            x = x + self.attend(self.norm1(x))
            return x + self.mlp(self.norm2(x))
        x = self.norm1(x + self.attend(x))
        return self.norm2(x + self.mlp(x))


def _mlp():
    return torch.nn.Sequential(
        torch.nn.Linear(24, 40),
        torch.nn.GELU(),
        torch.nn.LayerNorm(40),
        torch.nn.Linear(40, 16),
        torch.nn.SiLU(),
        torch.nn.Linear(16, 8),
    )


MODELS = {
    "mlp": (_mlp, (6, 24)),
    "gpt2": (lambda: _Block(is_causal=True), (2, 11, 32)),
    "bert": (lambda: _Block(is_causal=False), (2, 11, 32)),
}


def _gradients(model, run, x):
    x = x.clone().requires_grad_()
    y = run(x)
    (
        y * torch.linspace(-1, 1, y.numel(), dtype=y.dtype).view(y.shape)
    ).square().sum().backward()
    return [x.grad, *(parameter.grad for parameter in model.parameters())]


@pytest.mark.parametrize("name", MODELS)
def test_gradients(name):
    make, shape = MODELS[name]
    model, x = make(), torch.randn(shape)
    wide = copy.deepcopy(model).double()
    wanted = _gradients(wide, wide, x.double())
    eager = _gradients(model, model, x)
    model.zero_grad()
    with records.listen() as operators:
        got = _gradients(
            model,
            torch.compile(
                model, backend="grout", options={"fallback": "eager"}
            ),
            x,
        )
    assert error(got, wanted) <= max(2 * error(eager, wanted), 1e-6)
    assert len({operator.graph for operator in operators}) == 2
    computed = [one for one in operators if not one.is_view]
    assert sum(one.partition is not None for one in computed) >= (
        0.95 * len(computed)
    )


def test_training_step_changes_parameters():
    torch.manual_seed(1)
    model = _mlp()
    other = copy.deepcopy(model)
    x = torch.randn(6, 24)
    for net, run in (
        (
            model,
            torch.compile(
                model, backend="grout", options={"fallback": "eager"}
            ),
        ),
        (other, other),
    ):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            run(x).square().mean().backward()
            optimizer.step()
    assert error(list(model.parameters()), list(other.parameters())) < 1e-5
