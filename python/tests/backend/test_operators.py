"""A sample of single operators, in f32 on the CPU; scripts/check-operators has
all of them, in other types and for other processors."""

import pytest
import torch
from operators import CASES
from sweep import OK, REFUSED, try_case

from grout.torch.decompositions import sorting

SAMPLE = """
    abs erf rsqrt reciprocal round_decimals clamp hypot copysign ldexp gelu
    mish prelu pow lerp where_row remainder_integers fmod_large
    floor_divide_tenths flip_scalar softmax_scalar sum_two mean_last amax
    max_dim argmax_odd var_mean logsumexp layer_norm_affine group_norm
    batch_norm softmax_middle cross_entropy mm_ragged addmm_scaled
    einsum_batch bilinear attention_mask attention_grouped permute cat_ragged
    roll_two flip_two tile pad_reflect diagonal slice_scatter unfold_image
    sort_odd_descending sort_stable nanmedian topk_routes
    cumsum cummax max_pool2d_padded avg_pool2d_padded eq_itself conv1d_same
    conv_transpose2d_strided conv3d interpolate_grid embedding_bag_mean
    """.split()


@pytest.mark.parametrize("name", SAMPLE)
def test_operator(name):
    outcome = try_case(CASES[name], torch.float32, "cpu")
    assert outcome.status == OK, outcome.reason


def test_refused_operator_says_why(monkeypatch):
    monkeypatch.setattr(sorting, "LONGEST", 256)
    outcome = try_case(CASES["sort_long"], torch.float32, "cpu")
    assert outcome.status == REFUSED
    assert outcome.reason == (
        "aten.sort.default: Grout sorts at most 256 elements of an axis"
    )


@pytest.mark.parametrize(
    "name",
    [
        "mm_ragged",
        "bmm_ragged",
        "attention_mask",
        "softmax",
        "pad_reflect",
        "topk_routes",
    ],
)
def test_compiles_for_a_gpu(name):
    outcome = try_case(CASES[name], torch.float16, "h200")
    assert outcome.status == OK, outcome.reason
