"""Writes doubles on both sides of ties of f16 and bf16, and checks what they
are rounded to.

    rounding.py write X.npy
    rounding.py check X.npy HALF.npy BFLOAT.npy
"""

import math
import random
import struct
import sys

COUNT = 4096


def write(path, values):
    header = (
        "{'descr': '<f8', 'fortran_order': False, "
        f"'shape': ({len(values)},), }}\n"
    ).encode()
    with open(path, "wb") as file:
        file.write(
            b"\x93NUMPY\x01\x00"
            + struct.pack("<H", len(header))
            + header
            + struct.pack(f"<{len(values)}d", *values)
        )


def read(path, form):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<H", data, 8)
    return struct.unpack_from(f"<{COUNT}{form}", data, 10 + length)


def pack(form, value):
    try:
        return struct.pack(form, value)
    except OverflowError:
        return struct.pack(form, math.copysign(math.inf, value))


def half(value):
    return int.from_bytes(pack("<e", value), "little")


def bfloat(value):
    if math.isfinite(value) and value:
        fraction, exponent = math.frexp(value)
        value = math.ldexp(round(math.ldexp(fraction, 8)), exponent - 8)
    return int.from_bytes(pack("<f", value), "little") >> 16


def choose():
    """Ties, where neighbouring f32 are, and doubles next to both."""
    values = [
        0.0,
        -0.0,
        math.inf,
        -math.inf,
        1e300,
        -1e-300,
        65519.99999999999,
        65520.0,
        2.0**-25,
        2.0**-25 * (1 + 2.0**-52),
    ]
    generator = random.Random(1)
    while len(values) < COUNT:
        bits = generator.choice([8, 9, 11, 12, 24, 25])
        value = math.ldexp(
            generator.randrange(2 ** (bits - 1), 2**bits) | 1,
            generator.randrange(-20, 14) - bits,
        )
        values.append(
            generator.choice([1, -1])
            * generator.choice(
                [
                    value,
                    math.nextafter(value, 0),
                    math.nextafter(value, math.inf),
                ]
            )
        )
    return values


def main():
    if sys.argv[1] == "write":
        write(sys.argv[2], choose())
        return
    wrong = 0
    inputs = read(sys.argv[2], "d")
    for name, path, rounded in (
        ("f16", sys.argv[3], half),
        ("bf16", sys.argv[4], bfloat),
    ):
        for value, bits in zip(inputs, read(path, "H")):
            if bits != rounded(value):
                wrong += 1
                print(
                    f"{name} of {value!r} is {bits:#06x}, not {rounded(value):#06x}"
                )
    sys.exit(wrong != 0)


main()
