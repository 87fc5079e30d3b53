"""The operators of `memory_bound.named` in ../shared/data/workloads.json, and
some reductions: their IR, and what they are in PyTorch."""

import dataclasses
import math
from typing import Callable

from memory_bound.ir import Function, identity


@dataclasses.dataclass(frozen=True)
class Operator:
    """`ir` is a function of `arguments`, (shape, dtype) each; `torch` makes the
    same of tensors, given the module `torch`. `positive`: random arguments are
    in [0, 1), else normal."""

    name: str
    arguments: tuple
    results: tuple
    ir: str
    torch: Callable
    positive: bool = False

    @property
    def bytes(self):
        """Of all arguments and results, once."""
        sizes = {"f16": 2, "f32": 4}
        return sum(
            math.prod(shape) * sizes[dtype]
            for shape, dtype in (*self.arguments, *self.results)
        )


def _text(shape):
    return "x".join(map(str, shape))


def _elementwise(
    name, arguments, dtypes, body, torch, maps=None, shape=None, positive=False
):
    """Arguments of lower rank than the first need `maps`."""
    shape = shape or arguments[0][0]
    rank = len(shape)
    maps = maps or [identity(rank)] * len(arguments)
    named = [(f"a{i}", *argument) for i, argument in enumerate(arguments)]
    function = Function(named)
    results = [f"r{i}" for i in range(len(dtypes))]
    function.compute(
        results,
        [(value[0], map_) for value, map_ in zip(named, maps)],
        dtypes,
        body,
        shape,
    )
    values = (
        results
        if len(results) == 1
        else [f"{'_'.join(results)}#{i}" for i in range(len(results))]
    )
    return Operator(
        name,
        tuple(arguments),
        tuple((tuple(shape), dtype) for dtype in dtypes),
        function.text(values),
        torch,
        positive,
    )


def _add_n(shape):
    return _elementwise(
        f"add-n-{_text(shape)}-f16",
        [(shape, "f16")] * 4,
        ["f16"],
        """
        %s0 = arith.addf %x0, %x1 : f16
        %s1 = arith.addf %s0, %x2 : f16
        %s2 = arith.addf %s1, %x3 : f16
        linalg.yield %s2 : f16""",
        lambda torch: lambda a, b, c, d: a + b + c + d,
    )


def _sub_mul(shape):
    rows = identity(len(shape))[:-1]
    full = identity(len(shape))
    return _elementwise(
        f"sub-mul-{_text(shape)}-f32",
        [(shape, "f32"), (shape[:-1], "f32"), (shape, "f32")],
        ["f32"],
        """
        %s = arith.subf %x0, %x1 : f32
        %r = arith.mulf %s, %x2 : f32
        linalg.yield %r : f32""",
        lambda torch: lambda a, b, c: (a - b[..., None]) * c,
        maps=[full, rows, full],
    )


def _bias_gelu(rows, columns):
    return _elementwise(
        f"bias-gelu-{rows}x{columns}-f16",
        [((rows, columns), "f16"), ((columns,), "f16")],
        ["f16"],
        """
        %cubic = arith.constant 0.044715 : f32
        %root = arith.constant 0.7978845608 : f32
        %one = arith.constant 1.0 : f32
        %half = arith.constant 0.5 : f32
        %x = arith.extf %x0 : f16 to f32
        %bias = arith.extf %x1 : f16 to f32
        %v = arith.addf %x, %bias : f32
        %v2 = arith.mulf %v, %v : f32
        %v3 = arith.mulf %v2, %v : f32
        %c3 = arith.mulf %v3, %cubic : f32
        %inner = arith.addf %v, %c3 : f32
        %scaled = arith.mulf %inner, %root : f32
        %tanh = math.tanh %scaled : f32
        %sum = arith.addf %tanh, %one : f32
        %halved = arith.mulf %v, %half : f32
        %gelu = arith.mulf %halved, %sum : f32
        %r = arith.truncf %gelu : f32 to f16
        linalg.yield %r : f16""",
        lambda torch: (
            lambda x, bias: torch.nn.functional.gelu(
                x + bias, approximate="tanh"
            )
        ),
        maps=[identity(2), ["d1"]],
    )


_KEEP = """
        %keep = arith.constant 0.9 : f32
        %scale = arith.constant 1.1111112 : f32
        %zero = arith.constant 0.0 : f32
"""


def _dropout(shape):
    return _elementwise(
        f"dropout-{_text(shape)}-f32",
        [(shape, "f32")] * 2,
        ["f32"],
        _KEEP
        + """
        %is_kept = arith.cmpf ole, %x1, %keep : f32
        %factor = arith.select %is_kept, %scale, %zero : f32
        %r = arith.mulf %x0, %factor : f32
        linalg.yield %r : f32""",
        lambda torch: (
            lambda x, mask: torch.where(mask <= 0.9, x * 1.1111112, 0.0)
        ),
        positive=True,
    )


def _bias_dropout_add(rows, columns):
    shape = (rows, columns)
    return _elementwise(
        f"bias-dropout-add-{_text(shape)}-f16",
        [(shape, "f16"), ((columns,), "f16"), (shape, "f32"), (shape, "f16")],
        ["f16"],
        _KEEP
        + """
        %x = arith.extf %x0 : f16 to f32
        %bias = arith.extf %x1 : f16 to f32
        %old = arith.extf %x3 : f16 to f32
        %v = arith.addf %x, %bias : f32
        %is_kept = arith.cmpf ole, %x2, %keep : f32
        %factor = arith.select %is_kept, %scale, %zero : f32
        %dropped = arith.mulf %v, %factor : f32
        %sum = arith.addf %dropped, %old : f32
        %r = arith.truncf %sum : f32 to f16
        linalg.yield %r : f16""",
        lambda torch: (
            lambda x, bias, mask, old: (
                torch.where(mask <= 0.9, (x + bias) * 1.1111112, 0.0) + old
            )
        ),
        maps=[identity(2), ["d1"], identity(2), identity(2)],
        positive=True,
    )


def _adam(shape):
    def make(torch):
        def adam(weight, mean, square, gradient):
            mean = mean * 0.9 + gradient * 0.1
            square = square * 0.999 + gradient * gradient * 0.001
            update = mean / (square.sqrt() + 1e-6) + weight * 0.01
            return weight - update * 0.01, mean, square

        return adam

    return _elementwise(
        f"adam-weight-decay-{_text(shape)}-f32",
        [(shape, "f32")] * 4,
        ["f32"] * 3,
        """
        %b1 = arith.constant 0.9 : f32
        %c1 = arith.constant 0.1 : f32
        %b2 = arith.constant 0.999 : f32
        %c2 = arith.constant 0.001 : f32
        %rate = arith.constant 0.01 : f32
        %epsilon = arith.constant 1.0e-6 : f32
        %m0 = arith.mulf %x1, %b1 : f32
        %m1 = arith.mulf %x3, %c1 : f32
        %m = arith.addf %m0, %m1 : f32
        %g2 = arith.mulf %x3, %x3 : f32
        %v0 = arith.mulf %x2, %b2 : f32
        %v1 = arith.mulf %g2, %c2 : f32
        %v = arith.addf %v0, %v1 : f32
        %root = math.sqrt %v : f32
        %divisor = arith.addf %root, %epsilon : f32
        %u0 = arith.divf %m, %divisor : f32
        %decay = arith.mulf %x0, %rate : f32
        %u = arith.addf %u0, %decay : f32
        %step = arith.mulf %u, %rate : f32
        %w = arith.subf %x0, %step : f32
        linalg.yield %w, %m, %v : f32, f32, f32""",
        make,
        positive=True,
    )


def _relu_grad(shape):
    return _elementwise(
        f"relu-grad-{_text(shape)}-f32",
        [(shape, "f32")] * 2,
        ["f32"],
        """
        %zero = arith.constant 0.0 : f32
        %is_on = arith.cmpf ogt, %x1, %zero : f32
        %r = arith.select %is_on, %x0, %zero : f32
        linalg.yield %r : f32""",
        lambda torch: lambda gradient, x: torch.where(x > 0, gradient, 0.0),
    )


def _add(shape):
    return _elementwise(
        f"add-{_text(shape)}-f32",
        [(shape, "f32")] * 2,
        ["f32"],
        """
        %r = arith.addf %x0, %x1 : f32
        linalg.yield %r : f32""",
        lambda torch: lambda a, b: a + b,
    )


def _permute(shape, order, dtype):
    result = [shape[dim] for dim in order]
    indices = [f"d{order.index(dim)}" for dim in range(len(shape))]
    return _elementwise(
        f"permute-{_text(shape)}-{''.join(map(str, order))}-{dtype}",
        [(shape, dtype)],
        [dtype],
        f"linalg.yield %x0 : {dtype}",
        lambda torch: lambda x: x.permute(order).contiguous(),
        maps=[indices],
        shape=result,
    )


def _softmax(shape, dtype):
    rank, rows = len(shape), shape[:-1]
    all_, of_row = identity(rank), identity(rank)[:-1]
    widen = (
        "%w = arith.extf %x0 : f16 to f32\n"
        if dtype == "f16"
        else "%w = arith.addf %x0, %z : f32\n"
    )
    head = "%z = arith.constant -0.0 : f32\n" if dtype == "f32" else ""
    narrow = (
        "%n = arith.truncf %r : f32 to f16\nlinalg.yield %n : f16"
        if dtype == "f16"
        else "linalg.yield %r : f32"
    )
    function = Function([("x", shape, dtype)])
    function.fill("lowest", rows, "f32", "0xFF800000")
    function.compute(
        ["most"],
        [("x", all_)],
        ["f32"],
        head
        + widen
        + """
        %r = arith.maximumf %o0, %w : f32
        linalg.yield %r : f32""",
        shape,
        start="lowest",
        reduced=[rank - 1],
    )
    function.compute(
        ["power"],
        [("x", all_), ("most", of_row)],
        ["f32"],
        head
        + widen
        + """
        %s = arith.subf %w, %x1 : f32
        %r = math.exp %s : f32
        linalg.yield %r : f32""",
        shape,
    )
    function.fill("zero", rows, "f32", "0.0")
    function.compute(
        ["sum"],
        [("power", all_)],
        ["f32"],
        """
        %r = arith.addf %o0, %x0 : f32
        linalg.yield %r : f32""",
        shape,
        start="zero",
        reduced=[rank - 1],
    )
    function.compute(
        ["result"],
        [("power", all_), ("sum", of_row)],
        [dtype],
        "%r = arith.divf %x0, %x1 : f32\n" + narrow,
        shape,
    )
    return Operator(
        f"softmax-{_text(shape)}-{dtype}",
        ((shape, dtype),),
        ((shape, dtype),),
        function.text(["result"]),
        lambda torch: lambda x: torch.softmax(x, -1),
    )


def _layer_norm(rows, columns):
    shape = (rows, columns)
    function = Function(
        [
            ("x", shape, "f16"),
            ("gain", (columns,), "f16"),
            ("bias", (columns,), "f16"),
        ]
    )
    all_, of_row, of_column = ["d0", "d1"], ["d0"], ["d1"]
    mean = f"""
        %n = arith.constant {float(columns)} : f32
        %w = arith.extf %x0 : f16 to f32
        %mean = arith.divf %x1, %n : f32
        %d = arith.subf %w, %mean : f32
    """
    function.fill("zero", (rows,), "f32", "0.0")
    function.compute(
        ["sum"],
        [("x", all_)],
        ["f32"],
        """
        %w = arith.extf %x0 : f16 to f32
        %r = arith.addf %o0, %w : f32
        linalg.yield %r : f32""",
        shape,
        start="zero",
        reduced=[1],
    )
    function.compute(
        ["squares"],
        [("x", all_), ("sum", of_row)],
        ["f32"],
        mean
        + """
        %q = arith.mulf %d, %d : f32
        %r = arith.addf %o0, %q : f32
        linalg.yield %r : f32""",
        shape,
        start="zero",
        reduced=[1],
    )
    function.compute(
        ["result"],
        [
            ("x", all_),
            ("sum", of_row),
            ("squares", of_row),
            ("gain", of_column),
            ("bias", of_column),
        ],
        ["f16"],
        mean
        + """
        %epsilon = arith.constant 1.0e-5 : f32
        %variance = arith.divf %x2, %n : f32
        %shifted = arith.addf %variance, %epsilon : f32
        %scale = math.rsqrt %shifted : f32
        %normal = arith.mulf %d, %scale : f32
        %factor = arith.extf %x3 : f16 to f32
        %shift = arith.extf %x4 : f16 to f32
        %scaled = arith.mulf %normal, %factor : f32
        %total = arith.addf %scaled, %shift : f32
        %r = arith.truncf %total : f32 to f16
        linalg.yield %r : f16""",
        shape,
    )
    return Operator(
        f"layer-norm-{_text(shape)}-f16",
        ((shape, "f16"), ((columns,), "f16"), ((columns,), "f16")),
        ((shape, "f16"),),
        function.text(["result"]),
        lambda torch: (
            lambda x, gain, bias: torch.nn.functional.layer_norm(
                x, (columns,), gain, bias, 1e-5
            )
        ),
    )


def _sum(shape, reduced):
    kept = tuple(
        extent for dim, extent in enumerate(shape) if dim not in reduced
    )
    function = Function([("x", shape, "f32")])
    function.fill("zero", kept, "f32", "0.0")
    function.compute(
        ["sum"],
        [("x", identity(len(shape)))],
        ["f32"],
        """
        %r = arith.addf %o0, %x0 : f32
        linalg.yield %r : f32""",
        shape,
        start="zero",
        reduced=reduced,
    )
    return Operator(
        f"sum-{_text(shape)}-{''.join(map(str, reduced))}-f32",
        ((shape, "f32"),),
        ((kept, "f32"),),
        function.text(["sum"]),
        lambda torch: lambda x: x.sum(reduced),
    )


def all_operators():
    return [
        _add_n((4096, 768)),
        _sub_mul((32, 12, 128, 128)),
        _bias_gelu(640, 768),
        _bias_gelu(2048, 3072),
        _bias_gelu(4096, 3072),
        _dropout((32, 12, 128, 128)),
        _bias_dropout_add(4096, 768),
        _adam((768, 3072)),
        _relu_grad((256, 56, 56, 256)),
        _add((150, 160, 7, 7)),
        _permute((16, 12, 128, 64), (0, 2, 1, 3), "f16"),
        _permute((32, 3, 224, 224), (0, 2, 3, 1), "f32"),
        _permute((512, 512, 3, 3), (0, 2, 3, 1), "f32"),
        _permute((32, 3, 85, 52, 52), (0, 1, 3, 4, 2), "f32"),
        _permute((4096, 4096), (1, 0), "f16"),
        _permute((8192, 8192), (1, 0), "f32"),
        _softmax((32, 12, 128, 128), "f16"),
        _softmax((12, 2048, 2048), "f16"),
        _softmax((320, 21128), "f32"),
        _softmax((160, 30522), "f32"),
        # Attention in ViT-B/16 and in windows of Swin.
        _softmax((64, 12, 197, 197), "f16"),
        _softmax((6144, 49, 49), "f16"),
        _layer_norm(4096, 768),
        _layer_norm(2048, 12288),
        _sum((4096, 1024), (0,)),
        _sum((4096, 1024), (1,)),
        _sum((32, 256, 28, 28), (0, 2, 3)),
        _sum((64, 512, 768), (1,)),
        _sum((384, 384), (0, 1)),
    ]
