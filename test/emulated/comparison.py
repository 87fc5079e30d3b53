"""Whether results are as those of the reference."""

import re

import numpy as np

from emulated import elements

# By the narrowest type in a program. It tells what is wrong from what is
# rounded otherwise; how accurate kernels are is for other tests.
_TOLERANCES = {"bf16": 5e-2, "f16": 8e-3, "f32": 2e-4, "f64": 1e-8}


def differences(program, actual, expected):
    """A line for each result that is wrong."""
    text = program.text
    narrowest = next(
        (
            dtype
            for dtype in _TOLERANCES
            if re.search(rf"(?<!b){dtype}\b", text)
        ),
        None,
    )
    lines = []
    for i, (value, got, want) in enumerate(
        zip(program.results, actual, expected, strict=True)
    ):
        got, want = (
            elements.decode(array, value.dtype) for array in (got, want)
        )
        if got.shape != want.shape:
            lines.append(f"result {i} has the shape {got.shape}")
            continue
        right = (
            _close(got, want, _TOLERANCES[narrowest])
            if value.dtype in elements.FLOATS
            else got == want
        )
        if not right.all():
            first = tuple(map(int, np.argwhere(~right)[0]))
            lines.append(
                f"result {i}, {value.type}: {np.count_nonzero(~right)} of "
                f"{got.size} differ, first {list(first)}: {got[first]} instead "
                f"of {want[first]}"
            )
    return lines


def _close(got, want, tolerance):
    got, want = got.astype(np.float64), want.astype(np.float64)
    finite = np.abs(want[np.isfinite(want)])
    mean = finite.mean() if finite.size else 0
    return np.isclose(
        got, want, rtol=tolerance, atol=tolerance * mean, equal_nan=True
    )
