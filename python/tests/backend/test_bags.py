"""Bags of embeddings."""

import itertools

import pytest
import torch
from checking import check_forward, share
from torch.nn import functional

ROWS, SIZE = 19, 5


class Bags(torch.nn.Module):
    def __init__(self, dtype=torch.float32, **options):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(ROWS, SIZE).to(dtype))
        self.options = options

    def forward(self, indices, *rest):
        factors = rest[0] if rest else None
        return functional.embedding_bag(
            indices, self.weight, per_sample_weights=factors, **self.options
        )


def indices(*shape):
    given = torch.randint(0, ROWS, shape)
    given.view(-1)[:3] = 2  # The first bag may be empty.
    return given


@pytest.mark.parametrize(
    "mode, padding, dtype",
    [
        *itertools.product(
            ("sum", "mean", "max"), (None, 2), (torch.float32, torch.float16)
        ),
        ("sum", None, torch.bfloat16),
    ],
)
def test_reductions(mode, padding, dtype):
    model = Bags(dtype, mode=mode, padding_idx=padding)
    assert share(check_forward(model, [indices(4, 3)], fallback="error")) == 1


def test_factors():
    model = Bags(mode="sum", padding_idx=2)
    assert (
        share(
            check_forward(
                model, [indices(4, 3), torch.randn(4, 3)], fallback="error"
            )
        )
        == 1
    )


@pytest.mark.parametrize("has_end", [False, True])
def test_offsets_that_are_known(has_end):
    class Model(Bags):
        def forward(self, indices):
            offsets = torch.arange(0, 13 if has_end else 12, 3)
            return functional.embedding_bag(
                indices, self.weight, offsets, include_last_offset=has_end
            )

    assert share(check_forward(Model(), [indices(12)], fallback="error")) == 1


def test_other_offsets_are_left():
    model = Bags(mode="sum")

    def run(indices, offsets):
        return functional.embedding_bag(indices, model.weight, offsets)

    given = indices(12), torch.tensor([0, 2, 7])
    with torch.no_grad():
        got = torch.compile(run, backend="grout")(*given)
        torch.testing.assert_close(got, run(*given))


def test_an_index_outside_is_an_error():
    model = Bags(mode="sum")
    run = torch.compile(model, backend="grout", options={"fallback": "error"})
    with torch.no_grad(), pytest.raises(IndexError):
        run(torch.full((4, 3), ROWS))


def test_excluded():
    operators = check_forward(
        Bags(), [indices(4, 3)], excluded_ops=["aten._embedding_bag"]
    )
    assert "aten._embedding_bag.default" in {
        one.operator for one in operators if one.partition is None
    }


@pytest.mark.parametrize("padding", [None, 2])
def test_maxima_of_what_is_no_number(padding):
    """NaN is passed over, unless it comes first."""
    model = Bags(mode="max", padding_idx=padding)
    with torch.no_grad():
        model.weight[3, 1], model.weight[4, 2] = torch.nan, -torch.inf
    bags = torch.tensor([[3, 1], [1, 3], [2, 3], [4, 3], [3, 3], [2, 2]])
    assert share(check_forward(model, [bags], fallback="error")) == 1
