"""Traces of compiled models."""

import torch

import grout


def test_model():
    model = torch.nn.Sequential(
        torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 64)
    ).eval()
    compiled = torch.compile(model, backend="grout")
    x = torch.randn(32, 64)
    with torch.no_grad():
        expected = compiled(x)
        with grout.trace() as trace:
            traced = compiled(x)
    assert torch.equal(traced, expected)
    tiles = [one for one in trace.records if one.role == "tile"]
    assert len({one.name for one in tiles}) > 1


def test_option():
    """Kernels for a GPU are compiled with traces, and still compute the same on
    the CPU."""
    model = torch.nn.Linear(64, 64)
    compiled = torch.compile(model, backend="grout", options={"trace": True})
    x = torch.randn(8, 64)
    torch.testing.assert_close(compiled(x), model(x), atol=1e-4, rtol=1e-4)
