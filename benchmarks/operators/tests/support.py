"""The sample table, which has every operator, and rows made of text."""

import os
import pathlib

from operators import table

SAMPLE = pathlib.Path(__file__).with_name("sample.csv")
# Where LLVM's programs are; the PATH has them if this is not set.
LLVM = os.environ.get("GROUT_LLVM_TOOLS")
# Where Grout's are.
GROUT = os.environ.get("GROUT_TOOLS")
# Why each of these has no graph.
REFUSED = {
    "Product16": "MatMul is a matrix product, not memory-bound",
    "Convolution": "Conv2D is a convolution, not memory-bound",
    "Sorted": "the operator Sort is not known",
    "Unlike": "no graph of these operators has these inputs and outputs",
}


def sample():
    """{name: row}"""
    return {row.name: row for row in table.read(SAMPLE)}


def row(ops, inputs, outputs, name="row"):
    return table.parse_row(
        dict(
            zip(
                table.COLUMNS,
                ("net", "level0", name, "kind", ops, inputs, outputs),
            )
        )
    )
