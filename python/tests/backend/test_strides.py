"""Results have eager's strides: a sample; scripts/check-strides has more."""

import pytest
import torch
from strided import LAYOUTS, OPERATORS, try_layout
from sweep import OK

# Seeds with which each has differed.
SAMPLE = [
    line.split()
    for line in """
    roll channels_last 2
    roll_two channels_last 2
    roll_seen channels_last 2
    adaptive_avg_pool2d channels_last 2
    unfold expanded 2
    unfold overlapping 3
    unfold_view transposed 0
    diagonal_view contiguous 0
    slice_scatter stepped 1
    select_scatter overlapping 1
    logsigmoid channels_last 1
    rrelu channels_last 1
    batch_norm transposed 1
    one_hot channels_last 1
    channel_shuffle channels_last 3
    index_fill overlapping 2
    max_pool1d transposed 48128
    """.strip().splitlines()
]


@pytest.mark.parametrize("name, layout, seed", SAMPLE)
def test_strides(name, layout, seed):
    outcome = try_layout(name, layout, 0, int(seed))
    assert outcome.status == OK, outcome.reason


def test_larger_lines_are_contiguous():
    outcome = try_layout("nearest1d", "overlapping", 1, 48128)
    assert outcome.status == OK, outcome.reason


def test_there_are_many():
    assert len(OPERATORS) >= 87 and len(LAYOUTS) == 7


@pytest.mark.parametrize("shifts, dims", [(1, 0), ((1, 1), (2, 3)), (2, ())])
def test_images_with_channels_last_are_rolled(shifts, dims):
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    compiled = torch.compile(
        lambda x: x.roll(shifts, dims).as_strided((2, 60), (60, 1)),
        backend="grout",
    )
    assert torch.equal(
        compiled(x), x.roll(shifts, dims).as_strided((2, 60), (60, 1))
    )


def test_windows_are_computed_with_in_grout():
    from grout.torch import records

    x = torch.randn(4, 6)
    with records.listen() as operators:
        torch.compile(
            lambda x: x.exp().unfold(1, 3, 2).sum(-1) + x.diagonal()[:, None],
            backend="grout",
            options={"fallback": "error"},
        )(x)
    assert {one.partition for one in operators if not one.is_view} == {0}
