"""GROUT_LOGS and TORCH_LOGS."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import torch
import grout.torch

def function(x, w):
    return torch.fft.fft(torch.relu(x @ w)).real + 1

torch.compile(function, backend="grout", options={"fallback": "eager"})(
    torch.ones(4, 8), torch.ones(8, 8))
"""

SAID = {
    "progress": "partition 1 of 1: 2 operators, compiled in",
    "refusals": "1 aten._fft_r2c.default: Grout has no aten._fft_r2c",
    "mlir": "linalg.matmul",
    "explain": "kernel matmul0 (tgemm.matmul)",
}


def errors_of(**environment):
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        text=True,
        capture_output=True,
        env={**os.environ, "GROUT_CACHE_DIR": "", **environment},
    )
    assert result.returncode == 0, result.stderr
    return result.stderr


@pytest.mark.parametrize(
    "variable, said",
    (
        ({}, ()),
        ({"GROUT_LOGS": "refusals, mlir, time"}, ("refusals", "mlir")),
        ({"GROUT_LOGS": "all"}, tuple(SAID)),
        ({"TORCH_LOGS": "grout"}, ("progress", "refusals")),
        ({"TORCH_LOGS": "+grout"}, tuple(SAID)),
    ),
    ids=str,
)
def test_what_is_said(variable, said):
    errors = errors_of(**variable)
    for name, text in SAID.items():
        assert (text in errors) == (name in said), name
    # A name that is unknown.
    assert (
        "GROUT_LOGS has no 'time'; there are progress, refusals, cache, "
        "mlir, tuning, explain, and all" in errors
    ) == ("time" in variable.get("GROUT_LOGS", ""))
