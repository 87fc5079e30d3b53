"""Functions of JAX by name, each with the shapes of its arguments."""

import jax
from jax import lax, nn
from jax import numpy as jnp


def layer_norm(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    variance = x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = nn.softmax(jnp.where(mask, scores, -1e4))
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


def mlp(x, w1, b1, w2, b2):
    return nn.gelu(x @ w1 + b1) @ w2 + b2


def block(x, scale, shift, qkv, out, up, down):
    """A layer of a transformer, of four heads."""
    batch, length, width = x.shape
    q, k, v = (
        part.reshape(batch, length, 4, width // 4)
        for part in jnp.split(layer_norm(x, scale, shift) @ qkv, 3, -1)
    )
    x = x + attention(q, k, v).reshape(x.shape) @ out
    return x + nn.silu(layer_norm(x, scale, shift) @ up) @ down


def loss(w1, b1, w2, b2, x):
    return (mlp(x, w1, b1, w2, b2) ** 2).mean()


def experts(x, gate, up):
    """The sum of two of eight, by weights that are trained."""
    weights, chosen = lax.top_k(nn.softmax(x @ gate), 2)
    of_all = nn.silu(jnp.einsum("td,edf->tef", x, up))
    return (
        jnp.take_along_axis(of_all, chosen[:, :, None], 1) * weights[:, :, None]
    ).sum()


def rows_in_groups(x, w, bias):
    """Four groups, of which one has no rows; the last rows are in none."""
    sizes = jnp.asarray([7, 0, 9, 4])
    return nn.silu(lax.ragged_dot(x, w, sizes) + bias)


def convolutions(w, v, x):
    layout = "NHWC", "HWIO", "NHWC"
    for filters in (w, v):
        x = nn.relu(
            lax.conv_general_dilated(
                x, filters, (2, 2), "SAME", dimension_numbers=layout
            )
        )
    return (x**2).sum()


def unrolled(x, start):
    return lax.scan(
        lambda sum_, row: (0.5 * sum_ + row, sum_ * row), start, x, unroll=True
    )


def strided(x, y):
    return (
        x[1:6:2, ::-1],
        x.at[:, 0].get(),
        lax.dynamic_update_slice(x, y, (2, 1)),
    )


M = (24, 32)
CASES = {
    "arithmetic": (lambda x, y: (x + y) * x - y / (abs(x) + 1), M, M),
    "broadcast": (lambda x, y, z: x * y + z, M, (32,), (24, 1)),
    "exponentials": (
        lambda x: (
            jnp.exp(x),
            jnp.expm1(x),
            jnp.log1p(x * x),
            jnp.tanh(x),
            jnp.logaddexp(x, -x),
        ),
        M,
    ),
    "trigonometry": (
        lambda x: (jnp.sin(x), jnp.cos(x), jnp.arctan2(x, 2.0), jnp.sinh(x)),
        M,
    ),
    "powers": (
        lambda x, y: (
            jnp.sqrt(x * x + 1),
            lax.rsqrt(x * x + 1),
            x**3,
            abs(x) ** jnp.tanh(y),
            jnp.cbrt(x),
        ),
        M,
        M,
    ),
    "rounding": (
        lambda x: (
            jnp.floor(x),
            jnp.ceil(x),
            jnp.round(x),
            jnp.trunc(x),
            jnp.sign(x),
        ),
        M,
    ),
    "errors": (lambda x: (lax.erf(x), lax.erfc(x), lax.erf_inv(x / 8)), M),
    "gammas": (lambda x: (lax.lgamma(x * x + 1), lax.digamma(x * x + 1)), M),
    "activations": (
        lambda x: (
            nn.relu(x),
            nn.silu(x),
            nn.sigmoid(x),
            nn.elu(x),
            nn.softplus(x),
            nn.leaky_relu(x),
        ),
        M,
    ),
    "gelu": (nn.gelu, M),
    "gelu_erf": (lambda x: nn.gelu(x, approximate=False), M),
    "where": (lambda x, y: jnp.where(x > y, x, 2 * y), M, M),
    "clip": (lambda x: jnp.clip(x, -0.5, 0.5), M),
    "minmax": (lambda x, y: (jnp.maximum(x, y), jnp.minimum(x, y)), M, M),
    "classes": (
        lambda x: (
            jnp.isnan(x / (x > 0)),
            jnp.isinf(x / (x > 0)),
            jnp.isfinite(x),
        ),
        M,
    ),
    "reductions": (
        lambda x: (
            x.sum(),
            x.sum(0),
            x.max(1),
            x.min(),
            x.prod(1),
            (x > 0).any(1),
            (x > -9).all(),
        ),
        M,
    ),
    "mean_variance": (lambda x: (x.mean(1), x.var(1), x.std(0)), M),
    "norm": (lambda x: jnp.linalg.norm(x, axis=1), M),
    "logsumexp": (lambda x: nn.logsumexp(x, -1), M),
    "softmax": (lambda x: nn.softmax(x, 0), M),
    "log_softmax": (nn.log_softmax, M),
    "layer_norm": (layer_norm, M, (32,), (32,)),
    "argmax": (lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0)), M),
    "cumsum": (lambda x: jnp.cumsum(x, 1), M),
    "cumulative": (lambda x: (lax.cummax(x, 0), jnp.cumprod(x, 1)), M),
    "matmul": (lambda x, y: x @ y, (48, 32), (32, 64)),
    "matmul_ragged": (lambda x, y: x @ y, (5, 7), (7, 3)),
    "matmul_transposed": (lambda x, y: x.T @ y.T, (32, 48), (64, 32)),
    "vectors": (
        lambda a, x, y: (a @ x, y @ x, jnp.outer(y, x)),
        M,
        (32,),
        (32,),
    ),
    "matmul_batched": (lambda x, y: x @ y, (3, 16, 32), (3, 32, 16)),
    "matmul_batches": (lambda x, y: x @ y, (2, 3, 16, 32), (2, 3, 32, 16)),
    "einsum_free": (
        lambda x, w: jnp.einsum("bij,jk->bik", x, w),
        (2, 16, 32),
        (32, 16),
    ),
    "einsum_sums": (
        lambda x, y: jnp.einsum("abc,cbd->ad", x, y),
        (16, 4, 8),
        (8, 4, 16),
    ),
    "vmap": (
        jax.vmap(lambda x, w: jnp.tanh(w @ x), (0, None)),
        (16, 32),
        (16, 32),
    ),
    "groups": (rows_in_groups, M, (4, 32, 40), (40,)),
    "concatenate": (lambda x, y: jnp.concatenate([x, y, x], 1), M, (24, 5)),
    "stack": (lambda x, y: jnp.stack([x, y], 1), M, M),
    "split": (lambda x: jnp.split(x, [5, 17], 1), M),
    "slices": (strided, M, (3, 4)),
    "pad": (
        lambda x: (
            jnp.pad(x, ((1, 2), (0, 3))),
            jnp.pad(x, 1, "edge"),
            lax.pad(x, x.dtype.type(2), ((1, 2, 1), (-1, 0, 0))),
        ),
        M,
    ),
    "transpose": (lambda x: x.transpose(2, 0, 1), (2, 3, 4)),
    "reshape": (lambda x: x.reshape(6, -1).T.reshape(-1), (2, 3, 4)),
    "roll": (
        lambda x: (
            jnp.roll(x, 3, 1),
            jnp.flip(x),
            jnp.tile(x, (2, 3)),
            jnp.repeat(x, 2, 0),
        ),
        M,
    ),
    "triangles": (lambda x: (jnp.triu(x), jnp.trace(x)), (32, 32)),
    "iota": (lambda x: x + jnp.arange(32) * jnp.linspace(0, 1, 32), M),
    "one_hot": (lambda x: nn.one_hot(jnp.argmax(x, 1), 32), M),
    "convert": (
        lambda x: (
            x.astype("float16"),
            x.astype("bfloat16"),
            x.astype("int32"),
            x.astype(bool),
        ),
        M,
    ),
    "places": (
        lambda x: (
            x.at[jnp.argmax(x, 0) % 24].add(x),
            x.at[3].set(0),
            lax.dynamic_update_slice_in_dim(x, x[:2], jnp.argmax(x[0]) % 22, 0),
        ),
        (32, 32),
    ),
    "sort": (lambda x: (jnp.sort(x), lax.top_k(x, 3)), M),
    "convolution": (
        lambda x, w: lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        ),
        (1, 8, 8, 16),
        (3, 3, 16, 32),
    ),
    "convolution_groups": (
        lambda x, w: lax.conv_general_dilated(
            x,
            w,
            (2, 1),
            "SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
            feature_group_count=4,
        ),
        (1, 8, 8, 16),
        (3, 3, 4, 24),
    ),
    "pool": (
        lambda x: lax.reduce_window(
            x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"
        ),
        (1, 8, 8, 3),
    ),
    "attention": (attention, *[(2, 16, 4, 16)] * 3),
    "attention_nn": (
        lambda q, k, v: nn.dot_product_attention(q, k, v, is_causal=True),
        *[(2, 16, 4, 16)] * 3,
    ),
    "scan_unrolled": (unrolled, (4, 8), (8,)),
    "cond": (
        lambda x, y: lax.cond(x[0, 0] > 0, jnp.sin, lambda z: z + y, x),
        M,
        M,
    ),
    "switch": (
        lambda x: lax.switch(jnp.argmax(x[0]), [jnp.sin, jnp.cos, jnp.tanh], x),
        (3, 3),
    ),
    "checkpoint": (jax.grad(lambda x: jax.checkpoint(jnp.sin)(x).sum()), M),
    "mlp": (mlp, (16, 32), (32, 64), (64,), (64, 32), (32,)),
    "block": (
        block,
        (2, 16, 64),
        (64,),
        (64,),
        (64, 192),
        (64, 64),
        (64, 128),
        (128, 64),
    ),
    "grad_mlp": (
        jax.value_and_grad(loss, (0, 1, 2, 3)),
        (32, 64),
        (64,),
        (64, 32),
        (32,),
        (16, 32),
    ),
    "grad_softmax": (jax.grad(lambda x: nn.log_softmax(x)[:, 0].sum()), M),
    "grad_layer_norm": (
        jax.grad(lambda x, s, t: (layer_norm(x, s, t) ** 3).sum(), (0, 1)),
        M,
        (32,),
        (32,),
    ),
    "grad_experts": (
        jax.grad(experts, (0, 1, 2)),
        (16, 32),
        (32, 8),
        (8, 32, 64),
    ),
    "grad_groups": (
        jax.grad(lambda *args: (rows_in_groups(*args) ** 2).sum(), (0, 1, 2)),
        M,
        (4, 32, 40),
        (40,),
    ),
    "grad_convolutions": (
        jax.grad(convolutions, (0, 1)),
        (3, 3, 8, 8),
        (3, 3, 8, 16),
        (8, 16, 16, 8),
    ),
    "jacobian_vector": (lambda x, t: jax.jvp(nn.softmax, (x,), (t,)), M, M),
}

# Of these, what is refused for a GPU, in f16: rows that are not aligned.
CPU_ONLY = {"matmul_ragged"}
