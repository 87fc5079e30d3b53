"""Compares two files that printMemrefF32 wrote, to within f32's precision.

Prints how many numbers were compared; fails if there are none, if the shapes
differ, or if a pair of numbers does.
"""

import math
import re
import sys


def read(path):
    """The shapes, and the numbers."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    shapes = re.findall(r"sizes = (\[[^]]*\])", text)
    data = re.sub(r"Unranked Memref .* data =", "", text)
    return shapes, [
        float(word)
        for word in re.findall(r"[-+]?(?:nan|inf|[0-9.]+(?:e[-+]?\d+)?)", data)
    ]


shapes, numbers = read(sys.argv[1])
expected_shapes, expected = read(sys.argv[2])
if not numbers or shapes != expected_shapes or len(numbers) != len(expected):
    sys.exit(
        f"{len(numbers)} numbers in {shapes}, but {len(expected)} in "
        f"{expected_shapes}"
    )
for position, (left, right) in enumerate(zip(numbers, expected)):
    # What is printed has six digits.
    if not math.isclose(left, right, rel_tol=2e-5, abs_tol=1e-6):
        sys.exit(f"number {position} is {left}, but should be {right}")
print(f"{len(numbers)} numbers agree")
