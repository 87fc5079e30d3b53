"""Cases of attention: alone, and between the products of a layer."""

import dataclasses
import math

from .cases import Case


@dataclasses.dataclass(frozen=True)
class Attention:
    """Of `groups` heads of keys, each for `repeat` heads of queries. `offset`
    is that of a causal mask; `bias` says which of i and j one depends on."""

    batch: int
    groups: int
    repeat: int
    queries: int
    keys: int
    size: int
    value_size: int = 0
    offset: int = None
    bias: str = ""
    dtype: str = "f16"

    @property
    def values(self):
        return self.value_size or self.size

    @property
    def heads(self):
        return self.groups * self.repeat


def _tensor(*shape, dtype):
    return f"tensor<{'x'.join(map(str, (*shape, dtype)))}>"


def _map(dims, result):
    return f"affine_map<({dims}) -> ({result})>"


def _product(name, a, b, shape, maps, dims, loops, dtype):
    """A contraction of `a` and `b`, names and types, into f32."""
    result = _tensor(*shape, dtype="f32")
    iterators = ", ".join(
        f'"{"reduction" if loop == loops else "parallel"}"'
        for loop in dims.split(", ")
    )
    return f"""
  %{name}e = tensor.empty() : {result}
  %{name}z = linalg.fill ins(%zero : f32) outs(%{name}e : {result}) -> {result}
  %{name} = linalg.generic {{
    indexing_maps = [{", ".join(_map(dims, m) for m in maps)}],
    iterator_types = [{iterators}]
  }} ins({a[0]}, {b[0]} : {a[1]}, {b[1]}) outs(%{name}z : {result}) {{
  ^bb0(%p0: {dtype}, %p1: {dtype}, %sum: f32):
    %xw = arith.extf %p0 : {dtype} to f32
    %yw = arith.extf %p1 : {dtype} to f32
    %xy = arith.mulf %xw, %yw : f32
    %r = arith.addf %sum, %xy : f32
    linalg.yield %r : f32
  }} -> {result}"""


def _rounded(name, source, shape, dtype):
    dims = ", ".join(f"d{i}" for i in range(len(shape)))
    wide, narrow = (_tensor(*shape, dtype=d) for d in ("f32", dtype))
    return f"""
  %{name}e = tensor.empty() : {narrow}
  %{name} = linalg.generic {{
    indexing_maps = [{_map(dims, dims)}, {_map(dims, dims)}],
    iterator_types = [{", ".join(['"parallel"'] * len(shape))}]
  }} ins({source} : {wide}) outs(%{name}e : {narrow}) {{
  ^bb0(%p0: f32, %out: {dtype}):
    %r = arith.truncf %p0 : f32 to {dtype}
    linalg.yield %r : {dtype}
  }} -> {narrow}"""


def _scores(a, product):
    """Scaled, with what is added, and masked."""
    shape = (a.batch, a.groups, a.repeat, a.queries, a.keys)
    dims = "b, g, r, i, j"
    wide = _tensor(*shape, dtype="f32")
    inputs, types, arguments = [product], [wide], ["%p0: f32"]
    maps = [_map(dims, dims)]
    code = "    %t0 = arith.mulf %p0, %scale : f32"
    last = "%t0"
    if a.bias:
        extents = {"i": a.queries, "j": a.keys}
        inputs.append("%bias")
        types.append(_tensor(*(extents[d] for d in a.bias), dtype=a.dtype))
        arguments.append(f"%p1: {a.dtype}")
        maps.append(_map(dims, ", ".join(a.bias)))
        code += f"""
    %mw = arith.extf %p1 : {a.dtype} to f32
    %t1 = arith.addf {last}, %mw : f32"""
        last = "%t1"
    if a.offset is not None:
        code += f"""
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %c = arith.constant {a.offset} : index
    %last = arith.addi %i, %c : index
    %allowed = arith.cmpi sle, %j, %last : index
    %t2 = arith.select %allowed, {last}, %none : f32"""
        last = "%t2"
    maps.append(maps[0])
    return f"""
  %scoree = tensor.empty() : {wide}
  %score = linalg.generic {{
    indexing_maps = [{", ".join(maps)}],
    iterator_types = [{", ".join(['"parallel"'] * 5)}]
  }} ins({", ".join(inputs)} : {", ".join(types)}) outs(%scoree : {wide}) {{
  ^bb0({", ".join(arguments)}, %out: f32):
{code}
    linalg.yield {last} : f32
  }} -> {wide}
  %p = linalg.softmax dimension(4) ins(%score : {wide}) outs(%scoree : {wide}) -> {wide}"""


def _attend(a, q, k, v):
    """Attention of tensors (b, i, g, r, d) and (b, j, g, d); its result, of
    (b, i, g, r, e), is %a."""
    scores = (a.batch, a.groups, a.repeat, a.queries, a.keys)
    results = (a.batch, a.queries, a.groups, a.repeat, a.values)
    return (
        _product(
            "s",
            q,
            k,
            scores,
            ("b, i, g, r, d", "b, j, g, d", "b, g, r, i, j"),
            "b, g, r, i, j, d",
            "d",
            a.dtype,
        )
        + _scores(a, "%s")
        + _rounded("w", "%p", scores, a.dtype)
        + _product(
            "o",
            ("%w", _tensor(*scores, dtype=a.dtype)),
            v,
            results,
            ("b, g, r, i, j", "b, j, g, e", "b, i, g, r, e"),
            "b, i, g, r, e, j",
            "j",
            a.dtype,
        )
        + _rounded("a", "%o", results, a.dtype)
    )


def _function(a, arguments, body, result):
    if a.bias:
        extents = {"i": a.queries, "j": a.keys}
        shape = _tensor(*(extents[d] for d in a.bias), dtype=a.dtype)
        arguments = [*arguments, f"%bias: {shape}"]
    return f"""func.func @attention({", ".join(arguments)}) -> {result[1]} {{
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant {1 / math.sqrt(a.size):.9e} : f32{body}
  return {result[0]} : {result[1]}
}}
"""


def alone(a):
    q = _tensor(a.batch, a.queries, a.groups, a.repeat, a.size, dtype=a.dtype)
    k = _tensor(a.batch, a.keys, a.groups, a.size, dtype=a.dtype)
    v = _tensor(a.batch, a.keys, a.groups, a.values, dtype=a.dtype)
    result = _tensor(
        a.batch, a.queries, a.groups, a.repeat, a.values, dtype=a.dtype
    )
    return _function(
        a,
        [f"%q: {q}", f"%k: {k}", f"%v: {v}"],
        _attend(a, ("%q", q), ("%k", k), ("%v", v)),
        ("%a", result),
    )


def layer(a):
    """Queries, keys and values are slices of one product of the input; the
    result is an operand of another."""
    rows, width = a.batch * a.queries, a.heads * a.size
    kept = a.groups * a.size
    columns = width + 2 * kept
    type_ = a.dtype
    x, w = (
        _tensor(*shape, dtype=type_)
        for shape in ((rows, width), (width, columns))
    )
    p, h = (
        _tensor(*shape, dtype=type_)
        for shape in ((width, width), (rows, columns))
    )
    body = _product(
        "hw",
        ("%x", x),
        ("%w0", w),
        (rows, columns),
        ("m, k", "k, n", "m, n"),
        "m, n, k",
        "k",
        type_,
    )
    body += _rounded("h", "%hw", (rows, columns), type_)
    parts = []
    for name, first, size, shape in (
        ("q", 0, width, (a.groups, a.repeat, a.size)),
        ("k", width, kept, (a.groups, a.size)),
        ("v", width + kept, kept, (a.groups, a.size)),
    ):
        flat = _tensor(rows, size, dtype=type_)
        full = _tensor(a.batch, a.queries, *shape, dtype=type_)
        inner = ", ".join(str(2 + i) for i in range(len(shape)))
        body += f"""
  %{name}0 = tensor.extract_slice %h[0, {first}] [{rows}, {size}] [1, 1] : {h} to {flat}
  %{name} = tensor.expand_shape %{name}0 [[0, 1], [{inner}]] output_shape {list((a.batch, a.queries, *shape))} : {flat} into {full}"""
        parts.append((f"%{name}", full))
    body += _attend(a, *parts)
    full = parts[0][1]
    flat = _tensor(rows, width, dtype=type_)
    body += f"""
  %c = tensor.collapse_shape %a [[0, 1], [2, 3, 4]] : {full} into {flat}"""
    body += _product(
        "yw",
        ("%c", flat),
        ("%w1", p),
        (rows, width),
        ("m, k", "k, n", "m, n"),
        "m, n, k",
        "k",
        type_,
    )
    body += _rounded("y", "%yw", (rows, width), type_)
    return _function(
        a, [f"%x: {x}", f"%w0: {w}", f"%w1: {p}"], body, ("%y", flat)
    )


ALONE = {
    "two-keys": Attention(1, 1, 1, 1, 2, 16),
    "ragged": Attention(2, 3, 1, 77, 131, 64),
    "causal": Attention(1, 4, 1, 301, 301, 64, offset=0),
    "causal-later": Attention(1, 2, 2, 70, 333, 128, offset=263),
    "large-heads": Attention(1, 2, 1, 200, 300, 256, offset=100),
    "uneven-heads": Attention(1, 2, 1, 150, 150, 80, value_size=96),
    "narrow": Attention(1, 3, 1, 130, 70, 8, value_size=24),
    "many": Attention(3, 8, 4, 512, 512, 128, offset=0),
    # On an H200: steps split among warpgroups; to blocks, and to pairs of
    # these on a processor.
    "shared": Attention(1, 12, 1, 512, 512, 64, offset=0),
    "long": Attention(1, 2, 1, 300, 2000, 64, offset=1700),
    # On an H200: tiles of 192 rows.
    "tall": Attention(4, 16, 1, 350, 200, 40),
    "tall-uneven-heads": Attention(4, 16, 1, 350, 200, 16, value_size=64),
    "tall-few-keys-bf16": Attention(4, 16, 1, 350, 77, 64, dtype="bf16"),
    "decode-pairs": Attention(8, 12, 1, 1, 700, 64),
    "decode": Attention(2, 2, 4, 1, 1000, 128),
    "decode-long": Attention(1, 1, 8, 2, 5000, 64),
    "decode-bias": Attention(2, 4, 1, 1, 777, 64, bias="j"),
    "decode-causal": Attention(1, 2, 2, 4, 900, 64, offset=896),
    # Groups that are no power of two: rows that are left, several tiles of a
    # group's queries, and of its heads.
    "decode-sevens": Attention(2, 4, 7, 1, 1000, 128),
    "decode-threes-bf16": Attention(1, 8, 3, 1, 777, 128, dtype="bf16"),
    "decode-fives-causal": Attention(3, 2, 5, 4, 900, 64, offset=896),
    "decode-sixes-bias": Attention(2, 2, 6, 1, 700, 64, bias="j"),
    # In parts: of one warpgroup, and of two.
    "decode-parts": Attention(1, 2, 7, 1, 17000, 64),
    "decode-parts-bias": Attention(1, 1, 6, 1, 9001, 128, bias="j"),
    "decode-parts-causal": Attention(1, 1, 8, 4, 12000, 128, offset=3000),
    "decode-71": Attention(2, 1, 71, 1, 1500, 64),
    "decode-71-bias": Attention(1, 1, 71, 2, 600, 64, bias="ij"),
    "decode-many-sevens": Attention(40, 4, 7, 1, 300, 128),
    "sevens-causal": Attention(1, 2, 7, 16, 300, 64, offset=284),
    "sevens-bias": Attention(1, 2, 7, 20, 300, 128, bias="ij"),
    "prefill-sevens": Attention(1, 2, 7, 200, 200, 128, offset=0),
    "prefill-71": Attention(1, 1, 71, 40, 40, 64, offset=0),
    "bias": Attention(2, 2, 2, 100, 200, 64, bias="ij"),
    "bias-causal-bf16": Attention(
        1, 4, 1, 200, 200, 64, offset=0, bias="ij", dtype="bf16"
    ),
}

LAYERS = {
    "small": Attention(1, 12, 1, 128, 128, 64, offset=0),
    "ragged": Attention(2, 4, 1, 197, 197, 64),
    "grouped": Attention(1, 2, 4, 500, 500, 128, offset=0),
    "sevens": Attention(2, 2, 7, 20, 20, 64, offset=0),
    "bias-bf16": Attention(1, 8, 1, 333, 333, 64, bias="ij", dtype="bf16"),
    "waves": Attention(4, 16, 1, 512, 512, 64, offset=0),
    "tall": Attention(4, 16, 1, 350, 350, 40),
}


def parts():
    """What attention to parts of its keys gives, of which one has a few."""
    q = _tensor(2, 14, 1, 64, dtype="f16")
    k = _tensor(2, 2, 2100, 64, dtype="f16")
    result = _tensor(6, 14, 1, 68, dtype="f32")
    return f"""func.func @parts(%q: {q}, %k: {k}, %v: {k}) -> {result} {{
  %0 = tgemm.attention %q, %k, %v {{scale = 0.125 : f32, part_keys = 1024}}
    : {q}, {k}, {k} -> {result}
  return %0 : {result}
}}
"""


def tall_causal():
    """What tiles of 192 rows give on an H200 with a causal mask."""
    x = _tensor(8, 16, 700, 40, dtype="f16")
    return f"""func.func @causal(%q: {x}, %k: {x}, %v: {x}) -> {x} {{
  %0 = tgemm.attention %q, %k, %v {{scale = 0.158 : f32, causal = 0}}
    : {x}, {x}, {x} -> {x}
  return %0 : {x}
}}
"""


def all_cases():
    for name, attention in ALONE.items():
        yield Case(f"attention/{name}", alone(attention), 1)
    yield Case("attention/parts", parts(), 1)
    yield Case("attention/tall-causal", tall_causal(), 1)
    for name, attention in LAYERS.items():
        yield Case(f"attention/layer-{name}", layer(attention), 3)
