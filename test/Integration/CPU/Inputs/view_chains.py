"""Compiles kernels that read slices and reshapes of slices and reshapes, for the
CPU and for h200, and checks on the CPU what they compute.

usage: view_chains.py GROUT-COMPILE GROUT-RUN FOLDER [EVERY]

With EVERY, only one program of so many is tried. A change of how views are
lowered needs all of them, which take two minutes.
"""

import concurrent.futures
import itertools
import math
import os
import pathlib
import subprocess
import sys

SHAPE = (4, 6, 16)


def tensor(shape, dtype="f16"):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + dtype + ">"


def cut(shape, dim, offset, size, stride=1, dropped=False):
    """(an op on %{source}, the shape of its result): a slice in `dim`."""
    if len(shape) < 2 or offset + (size - 1) * stride >= shape[dim] or size < 1:
        return None
    offsets, sizes, strides = [0] * len(shape), list(shape), [1] * len(shape)
    offsets[dim], sizes[dim], strides[dim] = offset, size, stride
    result = [
        extent for i, extent in enumerate(sizes) if not (dropped and i == dim)
    ]
    return (
        f"tensor.extract_slice %{{source}}{offsets} {sizes} {strides} : "
        f"{tensor(shape)} to {tensor(result)}",
        tuple(result),
    )


def collapse(shape, first, last):
    """Of dimensions `first` to `last`."""
    if first >= last:
        return None
    groups = (
        [[i] for i in range(first)]
        + [list(range(first, last + 1))]
        + [[i] for i in range(last + 1, len(shape))]
    )
    result = tuple(math.prod(shape[i] for i in group) for group in groups)
    return (
        f"tensor.collapse_shape %{{source}} {groups} : {tensor(shape)} into "
        f"{tensor(result)}",
        result,
    )


def expand(shape, parts):
    """Of the first dimension."""
    if shape[0] % parts or len(shape) > 4:
        return None
    result = (parts, shape[0] // parts) + shape[1:]
    groups = [[0, 1]] + [[i] for i in range(2, len(result))]
    return (
        f"tensor.expand_shape %{{source}} {groups} output_shape "
        f"{list(result)} : {tensor(shape)} into {tensor(result)}",
        result,
    )


VIEWS = {
    # The part behind the first element, whose rows have a gap between them.
    "part": lambda s: cut(s, -2 % len(s), 1, s[-2 % len(s)] - 1),
    "strided": lambda s: cut(s, 0, 0, (s[0] + 1) // 2, 2),
    "unit": lambda s: cut(s, -2 % len(s), s[-2 % len(s)] - 1, 1),
    "dropped": lambda s: cut(s, 0, s[0] - 1, 1, dropped=True),
    "expand": lambda s: expand(s, 2),
    "expand-unit": lambda s: expand(s, 1),
    "collapse": lambda s: collapse(s, 0, len(s) - 2),
    "rows": lambda s: collapse(s, 1, len(s) - 1),
}


def chain(names, source):
    """(ops, the name of the last one's result, its shape)."""
    ops, shape = [], SHAPE
    for number, name in enumerate(names):
        made = VIEWS[name](shape)
        if made is None:
            return None
        op, shape = made
        ops.append(f"%v{number} = " + op.format(source=source))
        source = f"v{number}"
    return ops, f"%{source}", shape


def exponential(value, shape):
    kind = tensor(shape)
    return [
        f"%e = tensor.empty() : {kind}",
        f"%r = linalg.exp ins({value} : {kind}) outs(%e : {kind}) -> {kind}",
    ]


def product(value, shape):
    """With %w on its last dimension."""
    if len(shape) not in (2, 3) or shape[-1] != 16:
        return None
    rows = ", ".join(f"m{i}" for i in range(len(shape) - 1))
    maps = [
        f"affine_map<({rows}, n, k) -> ({results})>"
        for results in (f"{rows}, k", "n, k", f"{rows}, n")
    ]
    kind, result = tensor(shape), tensor(shape[:-1] + (8,))
    return [
        f"%e = tensor.empty() : {result}",
        f"%z = linalg.fill ins(%zero : f16) outs(%e : {result}) -> {result}",
        f"%r = linalg.contract indexing_maps = [{', '.join(maps)}] "
        f"ins({value}, %w : {kind}, {tensor((8, 16))}) "
        f"outs(%z : {result}) -> {result}",
    ]


def update(value, shape):
    """Starts from what it reads."""
    kind = tensor(shape)
    loops = ", ".join(f"d{i}" for i in range(len(shape)))
    return [
        f"%r = linalg.generic {{indexing_maps = "
        f"[affine_map<({loops}) -> ({loops})>], iterator_types = "
        f"{str(['parallel'] * len(shape)).replace(chr(39), chr(34))}}} "
        f"outs({value} : {kind}) {{",
        "^bb0(%a: f16):",
        "  %y = arith.addf %a, %a : f16",
        "  linalg.yield %y : f16",
        f"}} -> {kind}",
    ]


def kernel_result():
    """%x as the result of a product, with the shape that chains start from."""
    rows = tensor((24, 16))
    return [
        f"%xr = tensor.collapse_shape %x [[0, 1], [2]] : {tensor(SHAPE)} "
        f"into {rows}",
        f"%e0 = tensor.empty() : {rows}",
        f"%z0 = linalg.fill ins(%zero : f16) outs(%e0 : {rows}) -> {rows}",
        f"%p = linalg.matmul ins(%xr, %u : {rows}, {tensor((16, 16))}) "
        f"outs(%z0 : {rows}) -> {rows}",
        f"%s = tensor.expand_shape %p [[0, 1], [2]] output_shape "
        f"{list(SHAPE)} : {rows} into {tensor(SHAPE)}",
    ]


# What reads the view, and whether it is one of an argument.
READERS = {
    "exp": (exponential, True),
    "product": (product, True),
    "update": (update, True),
    "return": (lambda *_: [], True),
    "exp-of-kernel": (exponential, False),
    "product-of-kernel": (product, False),
}


def module(reader, names):
    """A function of one chain, or nothing if its views do not fit."""
    make, of_argument = READERS[reader]
    made = chain(names, "x" if of_argument else "s")
    if made is None:
        return None
    ops, value, shape = made
    read = make(value, shape)
    if read is None:
        return None
    result = value if reader == "return" else "%r"
    kind = tensor(shape[:-1] + (8,) if make is product else shape)
    body = (
        ["%zero = arith.constant 0.0 : f16"]
        + ([] if of_argument else kernel_result())
        + ops
        + read
    )
    lines = "\n".join(f"  {line}" for line in body)
    return (
        f"func.func @chain(%x: {tensor(SHAPE)}, %u: {tensor((16, 16))}, "
        f"%w: {tensor((8, 16))}) -> {kind} {{\n{lines}\n"
        f"  return {result} : {kind}\n}}\n"
    )


def chains(reader):
    """All of one and two views; for two readers that make different kernels,
    those of three, too, that end in a reshape of a slice."""
    for length in (1, 2):
        yield from itertools.product(VIEWS, repeat=length)
    if reader in ("exp", "product-of-kernel"):
        for last in ("collapse", "rows"):
            yield from (
                pair + (last,)
                for pair in itertools.product(
                    ("part", "strided", "unit"), VIEWS
                )
            )


def find_problem(compiler, runner, path):
    """What is wrong with the program in `path`, if anything."""
    artifact = path.with_suffix(".grout")
    commands = [
        [
            compiler,
            path,
            "--target=h200",
            "--no-reference",
            "--emit=mlir",
            "-o",
            path.with_suffix(".h200"),
        ],
        [compiler, path, "--target=cpu", "-o", artifact],
        [runner, artifact, "--device=cpu", "--workers=2", "--check"],
    ]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return f"{path}: {done.stdout}{done.stderr}"
    return None


def main(compiler, runner, folder, every="1"):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for reader in READERS:
        for names in chains(reader):
            text = module(reader, names)
            if text:
                paths.append(folder / f"{reader}-{'-'.join(names)}.mlir")
                paths[-1].write_text(text)
    paths = paths[:: int(every)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(
            filter(
                None,
                pool.map(
                    lambda path: find_problem(compiler, runner, path), paths
                ),
            )
        )
    for problem in problems:
        print(problem)
    print(f"{len(paths)} programs, {len(problems)} with a problem")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
