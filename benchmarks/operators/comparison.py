"""Whether results are as expected.

Integers and truth values must be equal, and numbers differ by no more than a
tolerance times the sum of the expected magnitude and the mean one of the
tensor. The tolerance is that of the narrowest type in the graph.
"""

import numpy as np

TOLERANCES = {"float32": 2e-5, "float16": 4e-3}


def tolerance(graph):
    narrow = any(graph.type(value).dtype == "float16" for value in graph.values)
    return TOLERANCES["float16" if narrow else "float32"]


def differences(graph, actual, expected, part=1.0):
    """A line for each result that is off by more than `part` of what is
    allowed."""
    allowed = part * tolerance(graph)
    lines = []
    for i, (got, want) in enumerate(zip(actual, expected)):
        if not np.issubdtype(want.dtype, np.inexact):
            wrong = np.count_nonzero(got != want)
            if wrong:
                lines.append(f"result {i}: {wrong} of {want.size} differ")
            continue
        wide = np.complex128 if np.iscomplexobj(want) else np.float64
        got, want = got.astype(wide), want.astype(wide)
        finite = np.isfinite(want)
        with np.errstate(invalid="ignore"):
            odd = ~finite & ~((got == want) | (np.isnan(got) & np.isnan(want)))
            magnitude = np.abs(np.where(finite, want, 0))
            error = np.where(finite, np.abs(got - want), 0)
            ratio = error / (magnitude + magnitude.mean() + 1e-30)
        ratio[np.isnan(ratio)] = np.inf
        if odd.any() or ratio.max() > allowed:
            lines.append(
                f"result {i}: off by {ratio.max():.2g}, more than "
                f"{allowed:.2g}"
                + (", and infinities or NaNs differ" if odd.any() else "")
            )
    return lines
