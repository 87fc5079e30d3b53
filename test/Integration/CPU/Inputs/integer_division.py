"""Divides integers of all widths, by every divisor, and raises them to powers,
on the CPU.

usage: integer_division.py GROUT-COMPILE GROUT-RUN FOLDER
"""

import pathlib
import struct
import subprocess
import sys

OPS = [
    "divsi",
    "floordivsi",
    "ceildivsi",
    "remsi",
    "divui",
    "ceildivui",
    "remui",
    "ipowi",
]
# NumPy's names, and struct's.
FORMATS = {
    1: ("|b1", "?"),
    8: ("|i1", "b"),
    16: ("<i2", "h"),
    32: ("<i4", "i"),
    64: ("<i8", "q"),
}


def power(x, y, width):
    """A power of a number with a sign; 1 divided by it where `y` is negative."""
    if y >= 0:
        return pow(x, y, 2**width)
    return {0: -1, 1: 1, -1: -1 if y % 2 else 1}.get(x, 0)


def compute(op, x, y, width):
    """What `op` is defined as, of numbers with a sign."""
    if op == "ipowi":
        return power(x, y, width)
    if op.endswith("ui"):
        x, y = x % 2**width, y % 2**width
    if y == 0:
        return x if op.startswith("rem") else -1
    floor = x // y
    truncated = floor + (floor < 0 and floor * y != x)
    return {
        "div": truncated,
        "rem": x - truncated * y,
        "flo": floor,
        "cei": -(-x // y),
    }[op[:3]]


def wrap(number, width):
    """The number with a sign of the same `width` bits."""
    return (number + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)


def module(width, count):
    tensor, n = f"tensor<{count}xi{width}>", len(OPS)
    body = "\n".join(
        f"    %r{i} = {'math' if op == 'ipowi' else 'arith'}.{op} %a, %b : "
        f"i{width}"
        for i, op in enumerate(OPS)
    )
    outs = ", ".join(f"%o{i}: i{width}" for i in range(n))
    return f"""
#id = affine_map<(d0) -> (d0)>
func.func @divide(%x: {tensor}, %y: {tensor}) -> ({", ".join([tensor] * n)}) {{
  %e = tensor.empty() : {tensor}
  %r:{n} = linalg.generic {{
    indexing_maps = [{", ".join(["#id"] * (n + 2))}],
    iterator_types = ["parallel"]}}
    ins(%x, %y : {tensor}, {tensor})
    outs({", ".join(["%e"] * n)} : {", ".join([tensor] * n)}) {{
  ^bb0(%a: i{width}, %b: i{width}, {outs}):
{body}
    linalg.yield {", ".join(f"%r{i}" for i in range(n))} : {", ".join([f"i{width}"] * n)}
  }} -> ({", ".join([tensor] * n)})
  return {", ".join(f"%r#{i}" for i in range(n))} : {", ".join([tensor] * n)}
}}
"""


def write_array(path, values, width):
    description, code = FORMATS[width]
    header = (
        f"{{'descr': '{description}', 'fortran_order': False, "
        f"'shape': ({len(values)},), }}"
    )
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + struct.pack(f"<{len(values)}{code}", *values)
    )


def read_array(path, count, width):
    code = FORMATS[width][1]
    size = struct.calcsize(code) * count
    values = struct.unpack(f"<{count}{code}", path.read_bytes()[-size:])
    return [wrap(int(value), width) for value in values]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command} exits with {done.returncode}: {done.stderr}")


def check(width, compiler, runner, folder):
    least = -(2 ** (width - 1))
    values = sorted(
        {
            wrap(value, width)
            for value in (
                0,
                1,
                -1,
                2,
                -2,
                3,
                7,
                -7,
                least,
                least + 1,
                -least - 1,
            )
        }
    )
    pairs = [(x, y) for x in values for y in values]
    source, artifact = folder / "divide.mlir", folder / "divide.grout"
    source.write_text(module(width, len(pairs)))
    for i, name in enumerate("xy"):
        write_array(folder / f"{name}.npy", [pair[i] for pair in pairs], width)
    run(compiler, source, "--target=cpu", "-o", artifact)
    outputs = [folder / f"{op}.npy" for op in OPS]
    run(
        runner,
        artifact,
        "--check",
        *(f"--input={name}={folder / name}.npy" for name in "xy"),
        *(f"--output=result{i}={path}" for i, path in enumerate(outputs)),
    )
    # Its own random numbers have zeros among them.
    run(runner, artifact, "--check")
    for op, path in zip(OPS, outputs):
        for (x, y), found in zip(pairs, read_array(path, len(pairs), width)):
            expected = wrap(compute(op, x, y, width), width)
            if found != expected:
                sys.exit(
                    f"{op} of {x} and {y}, i{width}, is {found}, and not "
                    f"{expected}"
                )


def main():
    compiler, runner, folder = sys.argv[1:]
    path = pathlib.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    for width in FORMATS:
        check(width, compiler, runner, path)


if __name__ == "__main__":
    main()
