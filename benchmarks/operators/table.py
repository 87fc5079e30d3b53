"""Rows of the table of operators, as akg-gpu-ops.csv has them."""

import csv
import math
import re
from typing import NamedTuple

from errors import UserError

COLUMNS = ["network", "level", "name", "kind", "ops", "inputs", "outputs"]
DTYPES = ("float32", "float16", "int32", "uint32", "bool", "complex64")

_TENSOR = re.compile(r"\s*(\w+)\[([\d, ]+)\]\s*")


class Tensor(NamedTuple):
    """The type of a value: an element type as NumPy names it, and a shape."""

    dtype: str
    shape: tuple

    @property
    def elements(self):
        return math.prod(self.shape)

    def __str__(self):
        return f"{self.dtype}[{', '.join(map(str, self.shape))}]"


class Row(NamedTuple):
    network: str
    level: str
    name: str
    kind: str
    ops: tuple  # Names, in the order of the program.
    inputs: tuple  # of Tensor
    outputs: tuple  # of Tensor

    @property
    def label(self):
        """Stable, and unlike that of any other row; a name of MLIR's, too."""
        return re.sub(r"\W", "_", f"{self.network}_{self.level}_{self.name}")


def parse_tensor(text):
    match = _TENSOR.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is no tensor such as float32[32, 7]")
    shape = tuple(int(part) for part in match[2].split(","))
    if match[1] not in DTYPES:
        raise ValueError(
            f"unknown element type '{match[1]}'; known are " + ", ".join(DTYPES)
        )
    if not all(shape):
        raise ValueError(f"'{text}' has no elements")
    return Tensor(match[1], shape)


def parse_row(record):
    def tensors(text):
        return tuple(map(parse_tensor, text.split(";"))) if text else ()

    return Row(
        *(record[name] for name in COLUMNS[:4]),
        tuple(record["ops"].split("+")),
        tensors(record["inputs"]),
        tensors(record["outputs"]),
    )


def read(path):
    rows, labels = [], {}
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            raise UserError(f"{path}: the columns are not {','.join(COLUMNS)}")
        for record in reader:
            where = f"{path}:{reader.line_num}"
            if None in record or None in record.values():
                raise UserError(f"{where}: not {len(COLUMNS)} columns")
            try:
                row = parse_row(record)
            except ValueError as error:
                raise UserError(f"{where}: {error}") from error
            if row.label in labels:
                raise UserError(
                    f"{where}: the same network, level and name "
                    f"as in line {labels[row.label]}"
                )
            labels[row.label] = reader.line_num
            rows.append(row)
    return rows
