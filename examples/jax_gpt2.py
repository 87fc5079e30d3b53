"""A transformer in JAX alone, compiled by grout.jax.jit, on the CPU.

  python examples/jax_gpt2.py [--layers 2] [--steps 3]

Trains a small model of GPT-2's shape with random data: the loss and the
gradients are one function, which Grout compiles; jax.jit compiles the same one,
and both must agree at every step.
"""

import argparse
import functools
import sys
import time

import jax
from jax import nn
from jax import numpy as jnp

import grout.jax

WIDTH, HEADS, LENGTH, BATCH, CLASSES = 128, 4, 32, 2, 64


def initial(key, layers):
    """Weights: a list of layers, and the last product."""

    def matrix(rows, columns):
        nonlocal key
        key, here = jax.random.split(key)
        return jax.random.normal(here, (rows, columns)) * rows**-0.5

    return {
        "layers": [
            {
                "qkv": matrix(WIDTH, 3 * WIDTH),
                "out": matrix(WIDTH, WIDTH),
                "up": matrix(WIDTH, 4 * WIDTH),
                "down": matrix(4 * WIDTH, WIDTH),
            }
            for _ in range(layers)
        ],
        "head": matrix(WIDTH, CLASSES),
    }


def norm(x):
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)


def attention(x, layer):
    q, k, v = (
        part.reshape(BATCH, LENGTH, HEADS, -1)
        for part in jnp.split(x @ layer["qkv"], 3, -1)
    )
    y = nn.dot_product_attention(q, k, v, is_causal=True)
    return y.reshape(x.shape) @ layer["out"]


def loss(weights, x, labels):
    """The mean cross entropy; `labels` are probabilities."""
    for layer in weights["layers"]:
        x = x + attention(norm(x), layer)
        x = x + nn.gelu(norm(x) @ layer["up"]) @ layer["down"]
    scores = nn.log_softmax(norm(x) @ weights["head"])
    return -(labels * scores).sum(-1).mean()


def step(weights, x, labels, rate):
    """The loss, and the weights after a step of gradient descent."""
    value, gradients = jax.value_and_grad(loss)(weights, x, labels)
    return value, jax.tree.map(lambda w, g: w - rate * g, weights, gradients)


def difference(tree, other):
    """The largest, by the largest element of its array."""
    return max(
        jax.tree.leaves(
            jax.tree.map(
                lambda x, y: float(abs(x - y).max() / abs(y).max()), tree, other
            )
        )
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--steps", type=int, default=3)
    args = parser.parse_args()
    keys = jax.random.split(jax.random.key(0), 3)
    weights = initial(keys[0], args.layers)
    x = jax.random.normal(keys[1], (BATCH, LENGTH, WIDTH))
    labels = nn.one_hot(
        jax.random.randint(keys[2], (BATCH, LENGTH), 0, CLASSES), CLASSES
    )
    fast = grout.jax.jit(functools.partial(step, rate=0.1))
    right = jax.jit(functools.partial(step, rate=0.1))

    start = time.monotonic()
    fast(weights, x, labels)
    print(f"compiled in {time.monotonic() - start:.1f} s")
    for i in range(args.steps):
        value, updated = fast(weights, x, labels)
        wanted = right(weights, x, labels)
        worst = difference((value, updated), wanted)
        print(
            f"step {i}: loss {value:.4f}, differs from jax.jit's by {worst:.1e}"
        )
        if not worst < 1e-4:
            sys.exit("grout.jax.jit and jax.jit differ")
        weights = updated


if __name__ == "__main__":
    main()
