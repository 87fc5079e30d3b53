"""Compares all numbers of f16, and many of f32, with constants of f64 on the CPU, and in Python."""

import array
import math
import operator
import pathlib
import struct
import subprocess
import sys

CONSTANTS = [
    0.0,
    1.0,
    -1.0,
    0.1,
    -0.1,
    64504.0,
    -64504.0,
    65519.0,
    1e30,
    -1e300,
    2.0**-24,
    2.0**-25,
    -(2.0**-26),
    5e-324,
    1e-46,
    16777217.0,
    math.inf,
    -math.inf,
    math.nan,
    2049.0,
    1 / 3,
]
ORDERED = {
    "eq": operator.eq,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "ne": operator.ne,
}


def compare(predicate, x, y):
    is_unordered = math.isnan(x) or math.isnan(y)
    if predicate in ("ord", "uno"):
        return is_unordered == (predicate == "uno")
    return (
        is_unordered
        and predicate[0] == "u"
        or not is_unordered
        and ORDERED[predicate[1:]](x, y)
    )


PREDICATES = [kind + name for kind in "ou" for name in ORDERED] + ["ord", "uno"]


def literal(number):
    return f"0x{struct.pack('>d', number).hex().upper()}"


def program(dtype, count):
    """Bit i of a result is the comparison with constant i."""
    bits = f"tensor<{count}xi32>"
    lines = [
        f"func.func @compare(%x: tensor<{count}x{dtype}>) -> ({', '.join([bits] * len(PREDICATES))}) {{",
        f"%e = tensor.empty() : {bits}",
    ]
    lines += [
        f"%c{i} = arith.constant {literal(number)} : f64"
        for i, number in enumerate(CONSTANTS)
    ]
    for predicate in PREDICATES:
        lines.append(
            f"%{predicate} = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
            f'iterator_types = ["parallel"]}} ins(%x : tensor<{count}x{dtype}>) outs(%e : {bits}) {{'
        )
        lines += [
            f"^bb0(%a: {dtype}, %b: i32):",
            "%s0 = arith.constant 0 : i32",
        ]
        for i in range(len(CONSTANTS)):
            lines += [
                f"%w{i} = arith.extf %a : {dtype} to f64",
                f"%p{i} = arith.cmpf {predicate}, %w{i}, %c{i} : f64",
                f"%i{i} = arith.extui %p{i} : i1 to i32",
                f"%n{i} = arith.constant {i} : i32",
                f"%h{i} = arith.shli %i{i}, %n{i} : i32",
                f"%s{i + 1} = arith.ori %s{i}, %h{i} : i32",
            ]
        lines += [f"linalg.yield %s{len(CONSTANTS)} : i32", f"}} -> {bits}"]
    lines += [
        "return "
        + ", ".join(f"%{predicate}" for predicate in PREDICATES)
        + " : "
        + ", ".join([bits] * len(PREDICATES)),
        "}",
    ]
    return "\n".join(lines)


def npy(path, descr, data, count):
    header = (
        f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}".ljust(
            117
        )
        + "\n"
    )
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + data
    )


def check(compiler, runner, folder, dtype, numbers):
    code = {"f16": "e", "f32": "f"}[dtype]
    data = struct.pack(f"<{len(numbers)}{code}", *numbers)
    (folder / f"{dtype}.mlir").write_text(program(dtype, len(numbers)))
    npy(
        folder / f"{dtype}.npy",
        {"f16": "<f2", "f32": "<f4"}[dtype],
        data,
        len(numbers),
    )
    artifact = folder / f"{dtype}.grout"
    subprocess.run(
        [compiler, folder / f"{dtype}.mlir", "-o", artifact], check=True
    )
    outputs = [folder / f"{dtype}-{predicate}.npy" for predicate in PREDICATES]
    subprocess.run(
        [
            runner,
            artifact,
            "--device=cpu",
            "--input",
            f"x={folder / f'{dtype}.npy'}",
        ]
        + [
            part
            for i, path in enumerate(outputs)
            for part in ("--output", f"result{i}={path}")
        ],
        check=True,
    )
    for predicate, path in zip(PREDICATES, outputs):
        got = array.array("i", path.read_bytes()[-4 * len(numbers) :])
        for number, bits in zip(numbers, got):
            wanted = sum(
                compare(predicate, number, constant) << i
                for i, constant in enumerate(CONSTANTS)
            )
            if bits != wanted:
                sys.exit(
                    f"{predicate} of {dtype} {number}: {bits:b} instead of {wanted:b}"
                )


def main(compiler, runner, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    check(
        compiler,
        runner,
        folder,
        "f16",
        list(
            struct.unpack("<65536e", array.array("H", range(65536)).tobytes())
        ),
    )
    near = []
    for number in CONSTANTS:
        if abs(number) < 3e38:
            (bits,) = struct.unpack("<i", struct.pack("<f", number))
            near += (
                [bits - 1, bits, bits + 1]
                if bits & 0x7FFFFFFF
                else [bits, bits + 1]
            )
    near += range(-(2**31), 2**31, 9_999_991)
    check(
        compiler,
        runner,
        folder,
        "f32",
        list(struct.unpack(f"<{len(near)}f", array.array("i", near).tobytes())),
    )


main(*sys.argv[1:])
