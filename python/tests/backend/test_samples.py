"""Some of the samples of PyTorch's own tests, in f32 on the CPU;
scripts/check-samples has all of them, in other types, too."""

import pytest

pytest.importorskip("expecttest")  # which PyTorch's samples need

from samples import MISSING, VARIANTS, Sample, try_sample  # noqa: E402
from sweep import OK, REFUSED  # noqa: E402

SAMPLE = [
    (name, int(number))
    for name, number in map(
        str.split,
        """
    abs 2
    exp 0
    expm1 2
    log1p 3
    sin 3
    floor_divide 0
    fmod 1
    div.floor_rounding 0
    where 2
    where 3
    clamp 0
    pow 1
    atan2 1
    special.xlog1py 2
    amax 1
    argmax 1
    var 0
    logsumexp 3
    log_softmax 2
    softmax 0
    cumsum 0
    nn.functional.mish 3
    nn.functional.gelu 3
    nn.functional.linear 1
    matmul 2
    addmm 2
    cat 2
    stack 1
    flip 2
    tril 1
    """.strip().splitlines(),
    )
]


@pytest.mark.parametrize("name, number", SAMPLE)
def test_sample(name, number):
    outcome = try_sample(name, number, 0, "f32", "cpu")
    assert outcome.status == OK, outcome.reason


def test_samples_have_many_forms():
    forms = {Sample(name, number, 0).variant for name, number in SAMPLE}
    assert forms == set(VARIANTS) - {"empty"}


def test_of_empty_tensors_nothing_is_computed():
    assert Sample("exp", 2, 0).variant == "empty"
    outcome = try_sample("exp", 2, 0, "f32", "cpu")
    assert outcome.status == REFUSED
    assert outcome.reason == "nothing is computed"


@pytest.mark.parametrize(
    "name, number, seed, dtype",
    [
        ("nn.functional.unfold", 2, 0, "f32"),
        ("gather", 0, 1, "i64"),
        ("addbmm", 0, 1, "i32"),
    ],
)
def test_odd_shapes_are_no_errors(name, number, seed, dtype):
    outcome = try_sample(name, number, seed, dtype, "cpu")
    assert outcome.status == REFUSED, outcome.reason


def test_samples_end():
    assert try_sample("exp", 10**6, 0, "f32", "cpu") == MISSING
