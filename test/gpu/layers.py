"""Cases of whole layers of transformers, of a prompt and of one more token."""

import dataclasses
import math

from .cases import make_case
from .ir import Function
from .memory_bound import layer_norm, softmax

# What integers of random inputs are at least.
_LEAST_INTEGER = -8


@dataclasses.dataclass(frozen=True)
class Layer:
    """Of `batch` sequences of `tokens`, with `heads` of `size` elements and an
    MLP of `inner` columns, gated or not. Norms come before what they are for,
    as in GPT-2, or after it, as in BERT. With a `context`, keys and values go
    into caches of so many places, one of which they take; else, a token sees
    those before it if `causal`."""

    batch: int
    tokens: int
    heads: int
    size: int
    inner: int
    norms_after: bool = False
    gated: bool = False
    causal: bool = False
    context: int = 0
    dtype: str = "f16"

    @property
    def width(self):
        return self.heads * self.size


def _product(f, x, columns, compute=lambda s, y, *more: y, more=()):
    """x by weights, with a bias, and what `compute` makes of that and `more`."""
    y = f.product(x, f.input(x.shape[1], columns, dtype=x.dtype))
    bias = f.input(columns, dtype=x.dtype)
    return f.elementwise(
        [y, (bias, "n"), *((value, "mn") for value in more)],
        x.dtype,
        lambda s, y, bias, *more: compute(s, s.add(y, bias), *more),
    )


def _plus(f, x, columns, residual):
    return _product(f, x, columns, lambda s, y, r: s.add(y, r), [residual])


def _split_heads(f, layer, x):
    """[batch * tokens, width] as [batch, heads, tokens, size]."""
    split = f.expand(
        x,
        [[0, 1], [2, 3]],
        (layer.batch, layer.tokens, layer.heads, layer.size),
    )
    return f.transpose(split, (0, 2, 1, 3))


def _append(f, layer, x, place):
    """A cache with [batch, width] at a place of each head."""
    cache = f.input(
        layer.batch, layer.heads, layer.context, layer.size, dtype=x.dtype
    )
    rows = f.expand(
        x, [[0, 1], [2, 3]], (1, layer.batch, layer.heads, layer.size)
    )
    cache = f.scatter(rows, cache, place, 2)
    f.result(cache)
    return cache


def _weigh(f, layer, scores):
    """Softmax of scores, scaled and masked."""

    def mask(s, score):
        score = s.scale(score, 1 / math.sqrt(layer.size))
        if not layer.causal:
            return score
        query, key = (s.define(f"linalg.index {dim} : index") for dim in (1, 2))
        allowed = s.define(f"arith.cmpi sle, {key}, {query} : index")
        none = s.define("arith.constant 0xFF800000 : f32")
        return s.define(f"arith.select {allowed}, {score}, {none} : f32")

    return softmax(f, f.elementwise([scores], "f32", mask))


def _attend(f, layer, x):
    qkv = _product(f, x, 3 * layer.width)
    rows = layer.batch * layer.tokens
    q, k, v = (
        f.slice(qkv, (0, i * layer.width), (rows, layer.width))
        for i in range(3)
    )
    q = _split_heads(f, layer, q)
    if layer.context:
        place = f.shift(f.input(1, 1, dtype="i64"), -_LEAST_INTEGER)
        k, v = (_append(f, layer, one, place) for one in (k, v))
    else:
        k, v = (_split_heads(f, layer, one) for one in (k, v))
    q, k, v = (f.collapse(one, [[0, 1], [2], [3]]) for one in (q, k, v))
    weights = _weigh(f, layer, f.product(q, k, transpose_rhs=True))
    y = f.cast(f.product(f.cast(weights, x.dtype), v), x.dtype)
    y = f.expand(
        y,
        [[0, 1], [2], [3]],
        (layer.batch, layer.heads, layer.tokens, layer.size),
    )
    return f.collapse(f.transpose(y, (0, 2, 1, 3)), [[0, 1], [2, 3]])


def _expand(f, layer, x):
    if not layer.gated:
        return _product(f, x, layer.inner, lambda s, y: s.gelu_tanh(y))
    gate, up = (
        f.product(x, f.input(layer.width, layer.inner, dtype=x.dtype))
        for _ in range(2)
    )
    return f.elementwise(
        [gate, up], x.dtype, lambda s, a, b: s.mul(s.silu(a), b)
    )


def build(layer):
    f = Function()
    x = f.input(layer.batch * layer.tokens, layer.width, dtype=layer.dtype)
    for inside in (_attend, _expand):
        y = inside(f, layer, x if layer.norms_after else layer_norm(f, x))
        x = _plus(f, y, layer.width, x)
        if layer.norms_after:
            x = layer_norm(f, x)
    f.result(x)
    return f


LAYERS = {
    "gpt2": Layer(1, 128, 12, 64, 3072, causal=True),
    "gpt2-ragged": Layer(3, 77, 5, 64, 712, causal=True),
    "gpt2-decode": Layer(1, 1, 12, 64, 3072, context=512),
    "gpt2-decode-8": Layer(8, 1, 12, 64, 3072, context=333),
    "bert": Layer(1, 200, 16, 64, 4096, norms_after=True),
    "bert-bf16": Layer(8, 128, 4, 64, 1024, norms_after=True, dtype="bf16"),
    "gated": Layer(1, 300, 8, 128, 2816, gated=True, causal=True),
    "gated-decode": Layer(4, 1, 8, 128, 2816, gated=True, context=200),
}


def all_cases():
    for name, layer in LAYERS.items():
        yield make_case(f"layer/{name}", build(layer))
