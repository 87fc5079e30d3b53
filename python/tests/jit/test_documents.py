"""What docs/JAX.md and the example show runs."""

import os
import pathlib
import re
import subprocess
import sys

import numpy
import pytest

jax = pytest.importorskip("jax")

ROOT = pathlib.Path(__file__).parents[3]


def test_the_document():
    text = (ROOT / "docs/JAX.md").read_text()
    names = {}
    for program in re.findall(r"```python\n(.*?)```", text, re.S):
        exec(program, names)
    wanted = jax.value_and_grad(names["loss"])(
        numpy.ones((64, 32)), numpy.ones((8, 64))
    )
    numpy.testing.assert_allclose(names["value"], wanted[0], rtol=1e-6)
    numpy.testing.assert_allclose(names["gradient"], wanted[1], rtol=1e-5)
    wanted = jax.grad(names["squares"])(
        (numpy.ones((4, 16, 32)), numpy.ones((4, 32, 16))),
        numpy.ones((24, 16)),
        numpy.array([7, 0, 9, 4]),
    )
    for got, value in zip(names["gradients"], wanted):
        numpy.testing.assert_allclose(got, value, rtol=1e-5)


def test_the_example():
    run = subprocess.run(
        [
            sys.executable,
            ROOT / "examples/jax_gpt2.py",
            "--layers=1",
            "--steps=2",
        ],
        env=dict(os.environ),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "step 1: loss" in run.stdout
