"""Random operations on elements, defined for all that draws give."""

from emulated import elements


def unary(chance, body, x, dtype):
    if dtype == "i1":
        return body.let(f"arith.xori {x}, {body.constant(1, dtype)} : i1")
    if dtype in elements.INTEGERS:
        op = chance.choice(
            ["addi", "muli", "subi", "maxsi", "minsi", "andi", "xori"]
        )
        other = body.constant(chance.choice([1, 2, 3, 5]), dtype)
        return body.let(f"arith.{op} {x}, {other} : {dtype}")
    op = chance.choice(
        [
            "math.tanh",
            "math.erf",
            "math.sin",
            "math.absf",
            "math.exp",
            "math.sqrt",
            "math.rsqrt",
            "math.log",
            "arith.negf",
            "arith.addf",
            "arith.mulf",
        ]
    )
    if op in ("arith.addf", "arith.mulf"):
        return body.let(f"{op} {x}, {body.constant(0.75, dtype)} : {dtype}")
    if op == "math.exp":
        x = body.let(f"math.tanh {x} : {dtype}")
    elif op in ("math.sqrt", "math.rsqrt", "math.log"):
        x = body.let(f"math.absf {x} : {dtype}")
        x = body.let(f"arith.addf {x}, {body.constant(1, dtype)} : {dtype}")
    return body.let(f"{op} {x} : {dtype}")


def binary(chance, dtype):
    """The name of an op of two operands."""
    if dtype == "i1":
        return chance.choice(["arith.andi", "arith.ori", "arith.xori"])
    if dtype in elements.INTEGERS:
        return chance.choice(
            [
                "arith.addi",
                "arith.subi",
                "arith.muli",
                "arith.maxsi",
                "arith.minui",
                "arith.andi",
            ]
        )
    return chance.choice(
        [
            "arith.addf",
            "arith.subf",
            "arith.mulf",
            "arith.maximumf",
            "arith.minimumf",
        ]
    )


def combiner(chance, dtype):
    """The name of an op that reduces. Sums of narrow floats depend too much on
    their order."""
    if dtype in ("f16", "bf16"):
        return chance.choice(
            ["arith.maximumf", "arith.minimumf", "arith.maxnumf"]
        )
    if dtype in elements.FLOATS:
        return chance.choice(
            [
                "arith.addf",
                "arith.addf",
                "arith.addf",
                "arith.maximumf",
                "arith.minimumf",
                "arith.maxnumf",
            ]
        )
    if dtype == "i1":
        return chance.choice(["arith.andi", "arith.ori", "arith.xori"])
    return chance.choice(
        [
            "arith.addi",
            "arith.muli",
            "arith.maxsi",
            "arith.minsi",
            "arith.maxui",
            "arith.ori",
            "arith.andi",
            "arith.xori",
        ]
    )


def cast(chance, body, x, dtype, to):
    if dtype in elements.FLOATS:
        wide = elements.array_type(to).itemsize
        narrow = elements.array_type(dtype).itemsize
        op = "arith.extf" if wide > narrow else "arith.truncf"
    elif dtype == "i1":
        op = (
            "arith.uitofp"
            if to == "f32"
            else chance.choice(["arith.extui", "arith.extsi"])
        )
    elif to == "i1":
        one = body.constant(1, dtype)
        return body.let(f"arith.cmpi sgt, {x}, {one} : {dtype}")
    elif to == "f32":
        # Small ones, which are exact and do not overflow in sums.
        x = body.let(f"arith.andi {x}, {body.constant(7, dtype)} : {dtype}")
        op = "arith.sitofp"
    else:
        op = "arith.extsi" if int(to[1:]) > int(dtype[1:]) else "arith.trunci"
    return body.let(f"{op} {x} : {dtype} to {to}")


def cast_targets(dtype):
    """What a cast may make of this type."""
    if dtype in elements.FLOATS:
        size = elements.array_type(dtype).itemsize
        return [
            to
            for to in elements.FLOATS
            if elements.array_type(to).itemsize != size
        ]
    if dtype == "i1":
        return ["i8", "i32", "f32"]
    return [to for to in (*elements.INTEGERS, "f32", "i1") if to != dtype]
