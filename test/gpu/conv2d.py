"""Cases of convolutions: alone, and in chains with biases and residuals.

Channels in memory start at multiples of 16 bytes, so they are multiples of 8;
all other extents are as ragged as can be.
"""

import dataclasses

from .cases import Case


@dataclasses.dataclass(frozen=True)
class Conv:
    """`padding` is above, below, left and right. `of` says what it convolves, by
    default what the one before computes, and `adds` what is added: 0 is the
    input, 1 what the first convolution computes."""

    features: int
    filter: tuple = (3, 3)
    strides: tuple = (1, 1)
    dilations: tuple = (1, 1)
    padding: tuple = (1, 1, 1, 1)
    bias: bool = False
    relu: bool = False
    of: int = None
    adds: int = None
    tiling: str = ""
    groups: int = 1

    def pixels(self, axis, size):
        padded = size + sum(self.padding[2 * axis : 2 * axis + 2])
        reach = (self.filter[axis] - 1) * self.dilations[axis]
        return (padded - reach - 1) // self.strides[axis] + 1


def _tensor(*shape, dtype):
    return f"tensor<{'x'.join(map(str, (*shape, dtype)))}>"


def _padded(name, source, shape, padding, dtype):
    """`source` with zeros around its rows and columns, and its shape."""
    above, below, left, right = padding
    n, rows, columns, channels = shape
    result = (n, rows + above + below, columns + left + right, channels)
    if not any(padding):
        return source, result, ""
    return (
        f"%{name}",
        result,
        f"""
  %{name} = tensor.pad {source}
      low[0, {above}, {left}, 0] high[0, {below}, {right}, 0] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %none : {dtype}
  }} : {_tensor(*shape, dtype=dtype)} to {_tensor(*result, dtype=dtype)}""",
    )


def _finished(name, sums, shape, conv, residual, dtype):
    """What follows the sums: a bias, a residual, ReLU, and rounding."""
    wide, narrow = (_tensor(*shape, dtype=d) for d in ("f32", dtype))
    every = "affine_map<(n, p, q, f) -> (n, p, q, f)>"
    inputs, types, maps, arguments = [sums], [wide], [every], ["%p0: f32"]
    code, last = "", "%p0"
    for operand, type_, map_ in (
        *(
            [
                (
                    f"%b{name}",
                    _tensor(shape[3], dtype=dtype),
                    "affine_map<(n, p, q, f) -> (f)>",
                )
            ]
            if conv.bias
            else []
        ),
        *([(residual, narrow, every)] if residual else []),
    ):
        number = len(inputs)
        inputs.append(operand)
        types.append(type_)
        maps.append(map_)
        arguments.append(f"%p{number}: {dtype}")
        code += f"""
    %w{number} = arith.extf %p{number} : {dtype} to f32
    %s{number} = arith.addf {last}, %w{number} : f32"""
        last = f"%s{number}"
    if conv.relu:
        code += f"\n    %r = arith.maximumf {last}, %zero : f32"
        last = "%r"
    return f"""
  %{name}e = tensor.empty() : {narrow}
  %{name} = linalg.generic {{
    indexing_maps = [{", ".join([*maps, every])}],
    iterator_types = [{", ".join(['"parallel"'] * 4)}]
  }} ins({", ".join(inputs)} : {", ".join(types)}) outs(%{name}e : {narrow}) {{
  ^bb0({", ".join(arguments)}, %out: {dtype}):{code}
    %o = arith.truncf {last} : f32 to {dtype}
    linalg.yield %o : {dtype}
  }} -> {narrow}"""


def _grouped(name, of, dim, groups, shape, dtype):
    """`of` of `shape`, with dimension `dim` as `groups` of some each; its
    shape."""
    wide = (*shape[:dim], groups, shape[dim] // groups, *shape[dim + 1 :])
    dims = [[i + (i > dim)] + [i + 1] * (i == dim) for i in range(len(shape))]
    return (
        wide,
        f"""
  %{name} = tensor.expand_shape {of} {dims} output_shape {list(wide)} :
      {_tensor(*shape, dtype=dtype)} into {_tensor(*wide, dtype=dtype)}""",
    )


def _sums(number, conv, source, padded, shape, dtype):
    """The sums of a convolution with groups or without."""
    weights = (conv.features, *conv.filter, padded[3] // conv.groups)
    strides, dilations = (
        f"dense<[{a}, {b}]> : tensor<2xi64>"
        for a, b in (conv.strides, conv.dilations)
    )
    tiling = (
        f", tgemm.tiling = #tgemm.tiling<{conv.tiling}>" if conv.tiling else ""
    )
    code, name, result, filter_ = "", f"c{number}", shape, f"%weights{number}"
    kind = "nhwc_fhwc"
    if conv.groups != 1:
        padded, first = _grouped(
            f"x{number}", source, 3, conv.groups, padded, dtype
        )
        weights, second = _grouped(
            f"f{number}", filter_, 0, conv.groups, weights, dtype
        )
        code, kind, name = first + second, "nhwgc_gfhwc", f"g{number}"
        source, filter_ = f"%x{number}", f"%f{number}"
        result = (*shape[:3], conv.groups, conv.features // conv.groups)
    sums = _tensor(*result, dtype="f32")
    code += f"""
  %e{number} = tensor.empty() : {sums}
  %z{number} = linalg.fill ins(%zero : f32) outs(%e{number} : {sums}) -> {sums}
  %{name} = linalg.conv_2d_{kind} {{
    strides = {strides}, dilations = {dilations}{tiling}
  }} ins({source}, {filter_} : {_tensor(*padded, dtype=dtype)},
         {_tensor(*weights, dtype=dtype)})
    outs(%z{number} : {sums}) -> {sums}"""
    if conv.groups != 1:
        code += f"""
  %c{number} = tensor.collapse_shape %{name} [[0], [1], [2], [3, 4]] :
      {sums} into {_tensor(*shape, dtype="f32")}"""
    return code


def _concatenated(values, shapes, dtype):
    """Values side by side along channels, and their shape."""
    shape = (*shapes[0][:3], sum(shape[3] for shape in shapes))
    types = ", ".join(_tensor(*one, dtype=dtype) for one in shapes)
    return (
        shape,
        f"""
  %all = tensor.concat dim(3) {", ".join(values)} :
      ({types}) -> {_tensor(*shape, dtype=dtype)}""",
    )


def chain(images, *convs, dtype="f16", concatenates=()):
    """Convolutions of `images`, one of another; the last is the result, or
    those with these numbers, side by side."""
    x = _tensor(*images, dtype=dtype)
    arguments, body = [f"%v0: {x}"], ""
    shape, values = images, [images]
    for number, conv in enumerate(convs, 1):
        name = f"v{number}"
        of = number - 1 if conv.of is None else conv.of
        source, padded, code = _padded(
            f"pad{number}", f"%v{of}", values[of], conv.padding, dtype
        )
        shape = values[of]
        shape = (
            shape[0],
            conv.pixels(0, shape[1]),
            conv.pixels(1, shape[2]),
            conv.features,
        )
        weights = _tensor(
            conv.features, *conv.filter, padded[3] // conv.groups, dtype=dtype
        )
        arguments.append(f"%weights{number}: {weights}")
        if conv.bias:
            arguments.append(f"%b{name}: {_tensor(conv.features, dtype=dtype)}")
        body += code + _sums(number, conv, source, padded, shape, dtype)
        residual = None
        if conv.adds is not None:
            assert values[conv.adds] == shape
            residual = f"%v{conv.adds}"
        body += _finished(name, f"%c{number}", shape, conv, residual, dtype)
        values.append(shape)
    last = f"%v{len(convs)}"
    if concatenates:
        last = "%all"
        shape, code = _concatenated(
            [f"%v{one}" for one in concatenates],
            [values[one] for one in concatenates],
            dtype,
        )
        body += code
    result = _tensor(*shape, dtype=dtype)
    return f"""func.func @convolutions({", ".join(arguments)}) -> {result} {{
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : {dtype}{body}
  return {last} : {result}
}}
"""


def _tiles(m, n, k=64, stages=3, more=""):
    return f"m = {m}, n = {n}, k = {k}, stages = {stages}{more}"


NO_PADDING = (0, 0, 0, 0)

ALONE = {
    "small": ((1, 8, 8, 64), Conv(64)),
    "one-pixel": ((1, 3, 3, 8), Conv(8, padding=NO_PADDING)),
    "ragged": ((3, 13, 17, 72), Conv(88)),
    "many-images": ((37, 7, 7, 128), Conv(136)),
    "no-padding": ((2, 19, 23, 64), Conv(64, padding=NO_PADDING)),
    "uneven": ((2, 21, 14, 40), Conv(72, (5, 2), (2, 3), (1, 4), (3, 0, 1, 5))),
    "rows": ((2, 20, 9, 64), Conv(64, (7, 1), padding=(3, 3, 0, 0))),
    "columns": ((2, 9, 20, 64), Conv(64, (1, 7), padding=(0, 0, 3, 3))),
    "stride-2": ((2, 29, 31, 64), Conv(128, strides=(2, 2))),
    "stride-8": ((1, 70, 75, 16), Conv(64, strides=(8, 7))),
    "pointwise-stride": (
        (2, 28, 27, 64),
        Conv(128, (1, 1), (2, 2), padding=NO_PADDING),
    ),
    "pointwise": ((2, 14, 15, 64), Conv(96, (1, 1), padding=NO_PADDING)),
    "dilated": (
        (2, 25, 22, 64),
        Conv(64, dilations=(3, 2), padding=(3, 3, 2, 2)),
    ),
    "far": (
        (1, 140, 11, 16),
        Conv(64, (2, 1), dilations=(127, 1), padding=NO_PADDING),
    ),
    "much-padding": ((1, 5, 6, 16), Conv(64, padding=(128, 0, 7, 9))),
    "few-channels": (
        (1, 30, 33, 8),
        Conv(64, (7, 7), (2, 2), padding=(3, 3, 3, 3)),
    ),
    "bias": ((2, 13, 11, 72), Conv(72, bias=True, relu=True)),
    "residual": ((2, 13, 11, 72), Conv(72, adds=0)),
    "long-step": (
        (1, 15, 14, 136),
        Conv(64, tiling=_tiles(64, 64, k=192, stages=2)),
    ),
    "split": (
        (1, 9, 9, 256),
        Conv(64, tiling=_tiles(64, 64, stages=4, more=", split_k = 4")),
    ),
    "clusters": (
        (4, 17, 15, 64),
        Conv(
            192, tiling=_tiles(256, 128, more=", cluster_m = 2, cluster_n = 2")
        ),
    ),
    "tall": ((4, 17, 15, 64), Conv(80, tiling=_tiles(256, 80))),
    # Narrow groups, whole ones, some that no tile is as wide as, and one feature
    # of each channel and more.
    "groups-of-4": ((2, 14, 15, 128), Conv(128, groups=32, bias=True)),
    "groups-of-64": ((2, 9, 14, 192), Conv(192, groups=3, relu=True)),
    "groups-of-24": (
        (1, 13, 15, 168),
        Conv(168, strides=(2, 2), groups=7, bias=True),
    ),
    "groups-of-100": ((1, 7, 9, 400), Conv(400, groups=4, adds=0)),
    "groups-of-uneven": ((3, 8, 7, 48), Conv(120, (5, 3), groups=6)),
    "groups-of-one": ((2, 11, 9, 40), Conv(80, groups=40)),
    "groups-pointwise": (
        (2, 11, 9, 240),
        Conv(120, (1, 1), groups=3, padding=NO_PADDING),
    ),
    "groups-clusters": (
        (4, 17, 15, 256),
        Conv(
            256,
            groups=2,
            tiling=_tiles(256, 128, more=", cluster_m = 2, cluster_n = 2"),
        ),
    ),
    "images-as-tiles": ((9, 8, 8, 64), Conv(64, tiling=_tiles(64, 64))),
    # Images of one row, as convolutions in 1-D are.
    "line": (
        (2, 1, 333, 80),
        Conv(72, (1, 3), padding=(0, 0, 1, 1), bias=True),
    ),
    "line-stride": (
        (3, 1, 501, 40),
        Conv(64, (1, 10), (1, 5), padding=NO_PADDING, relu=True),
    ),
    "line-far": (
        (2, 1, 149, 64),
        Conv(64, (1, 128), groups=4, padding=(0, 0, 64, 64)),
    ),
    "line-dilated": (
        (1, 1, 260, 32),
        Conv(64, (1, 11), dilations=(1, 5), padding=(0, 0, 25, 25)),
    ),
    "line-rows": ((1, 5, 150, 32), Conv(64, (2, 1), padding=NO_PADDING)),
}

CHAINS = {
    "two": ((2, 14, 14, 64), Conv(64, bias=True, relu=True), Conv(64)),
    "two-ragged": ((3, 13, 17, 72), Conv(88, relu=True), Conv(40, bias=True)),
    "two-lines": (
        (2, 1, 299, 80),
        Conv(96, (1, 3), padding=(0, 0, 1, 1), bias=True, relu=True),
        Conv(64, (1, 3), (1, 2), padding=(0, 0, 1, 1)),
    ),
    "two-waves": ((32, 28, 28, 64), Conv(128, relu=True), Conv(128)),
    "two-images": ((40, 7, 7, 128), Conv(128, relu=True), Conv(128)),
    "block": (
        (2, 15, 13, 64),
        Conv(64, bias=True, relu=True),
        Conv(64, bias=True, adds=0, relu=True),
    ),
    "block-inside": ((2, 15, 13, 32), Conv(64, relu=True), Conv(64, adds=1)),
    "down": ((2, 28, 28, 64), Conv(64, relu=True), Conv(128, strides=(2, 2))),
    "groups": (
        (2, 14, 14, 64),
        Conv(128, (1, 1), padding=NO_PADDING, relu=True),
        Conv(128, groups=32, bias=True, relu=True),
        Conv(64, (1, 1), padding=NO_PADDING, adds=0, relu=True),
    ),
    "groups-of-groups": (
        (3, 12, 11, 96),
        Conv(192, groups=3, relu=True),
        Conv(96, groups=4),
    ),
    "dilated": (
        (1, 30, 21, 64),
        Conv(64, relu=True),
        Conv(64, dilations=(4, 2), padding=(4, 4, 2, 2)),
    ),
    "rows-columns": (
        (2, 18, 19, 64),
        Conv(72, (1, 5), padding=(0, 0, 2, 2)),
        Conv(64, (5, 1), padding=(2, 2, 0, 0)),
    ),
    "bottleneck": (
        (2, 14, 14, 256),
        Conv(64, (1, 1), padding=NO_PADDING, relu=True),
        Conv(64, relu=True),
        Conv(256, (1, 1), padding=NO_PADDING, adds=0, relu=True),
    ),
    "three": (
        (2, 20, 18, 40),
        Conv(64, bias=True, relu=True),
        Conv(72, strides=(2, 2), relu=True),
        Conv(64, bias=True),
    ),
    "three-residual": (
        (1, 12, 13, 64),
        Conv(64, relu=True),
        Conv(64, adds=1, relu=True),
        Conv(64, adds=2),
    ),
    "tilings": (
        (2, 16, 14, 64),
        Conv(128, relu=True, tiling=_tiles(64, 128)),
        Conv(64, tiling=_tiles(192, 64)),
    ),
    "clusters": (
        (4, 16, 16, 64),
        Conv(128, relu=True, tiling=_tiles(256, 64, more=", cluster_m = 2")),
        Conv(128, tiling=_tiles(128, 128, more=", cluster_n = 2")),
    ),
}

POINT = {"filter": (1, 1), "padding": NO_PADDING}

# Branches, and which of their convolutions are concatenated.
BRANCHES = {
    "inception": (
        (2, 14, 15, 64),
        (1, 3, 5),
        Conv(64, **POINT, relu=True),
        Conv(96, **POINT, of=0, relu=True),
        Conv(128, bias=True, relu=True),
        Conv(16, **POINT, of=0, relu=True),
        Conv(32, (5, 5), padding=(2, 2, 2, 2), bias=True),
    ),
    "towers": (
        (3, 13, 11, 72),
        (2, 4, 5),
        Conv(64, (1, 3), padding=(0, 0, 1, 1), relu=True),
        Conv(72, (3, 1), padding=(1, 1, 0, 0)),
        Conv(40, (3, 1), padding=(1, 1, 0, 0), of=0, relu=True),
        Conv(8, (1, 3), padding=(0, 0, 1, 1), bias=True),
        Conv(136, of=0, relu=True),
    ),
    "used-twice": (
        (1, 20, 12, 32),
        (1, 2),
        Conv(64, relu=True),
        Conv(64, of=1, adds=1),
    ),
    "odd": ((1, 9, 8, 16), (1, 2), Conv(12, **POINT), Conv(24, **POINT, of=0)),
    "down": (
        (4, 27, 30, 64),
        (1, 2),
        Conv(96, strides=(2, 2), padding=(0, 1, 0, 1)),
        Conv(40, strides=(2, 2), padding=(0, 1, 0, 1), of=0, relu=True),
    ),
}

REFUSED = {
    "three-channels": (
        (1, 10, 10, 3),
        Conv(64),
        "channels that start at multiples of 16 bytes",
    ),
    "stride": ((1, 40, 40, 64), Conv(64, strides=(1, 9)), "TMA's up to 8"),
    "reach": (
        (1, 300, 9, 64),
        Conv(64, (2, 1), dilations=(256, 1), padding=NO_PADDING),
        "TMA up to 255",
    ),
    "padding": (
        (1, 9, 9, 64),
        Conv(64, padding=(129, 1, 1, 1)),
        "more than TMA can address",
    ),
}


def all_cases():
    for family, table in (("conv", ALONE), ("conv-chain", CHAINS)):
        for name, (images, *convs) in table.items():
            yield Case(f"{family}/{name}", chain(images, *convs), len(convs))
    for name in ("uneven", "bias", "residual", "groups-of-4"):
        images, *convs = ALONE[name]
        yield Case(f"conv/{name}-bf16", chain(images, *convs, dtype="bf16"), 1)
    images, *convs = CHAINS["block"]
    yield Case("conv-chain/block-bf16", chain(images, *convs, dtype="bf16"), 2)
    for name, (images, concatenates, *convs) in BRANCHES.items():
        for dtype in ("f16", "bf16") if name == "inception" else ("f16",):
            yield Case(
                f"conv-branches/{name}" + "-bf16" * (dtype == "bf16"),
                chain(images, *convs, dtype=dtype, concatenates=concatenates),
                len(convs),
            )
    for name, (images, conv, reason) in REFUSED.items():
        yield Case(f"conv-refused/{name}", chain(images, conv), 1, reason)
