"""Shapes that change from call to call."""

import gc
import weakref

import pytest
import torch
from checking import error
from models import TINY
from torch import nn
from torch._dynamo.convert_frame import compile_lock
from torch._dynamo.utils import counters
from torch.fx import _symbolic_trace
from torch.fx.experimental.proxy_tensor import make_fx

import grout.torch
from grout.torch import records, wait
from grout.torch.runtime.fallback import _state_values


@pytest.fixture
def model():
    return nn.Sequential(
        nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16), nn.LayerNorm(16)
    ).eval()


def run(model, lengths, **options):
    """The operators of graphs that were compiled; results are checked before
    and after the compilation in the background."""
    function = torch.compile(
        model,
        backend="grout",
        dynamic=True,
        options={"fallback": "eager", **options},
    )
    counters.clear()
    with torch.no_grad(), records.listen() as operators:
        for length in lengths:
            x = torch.randn(length, 16)
            assert error(function(x), model(x)) < 2e-6
            wait()
            assert error(function(x), model(x)) < 2e-6
    assert counters["stats"]["unique_graphs"] == 1
    return operators


def test_each_shape_is_compiled_once(model):
    operators = run(model, (3, 5, 9, 5, 3))
    assert len({one.graph for one in operators}) == 3
    assert all(
        one.partition is not None for one in operators if not one.is_view
    )


def test_number_of_shapes_is_bounded(model):
    operators = run(model, (3, 5, 9, 7, 3, 11), max_shapes=2)
    # Two, and two of buckets.
    assert len({one.graph for one in operators}) == 4


def test_strict_fallback_does_not_wait(model):
    operators = run(model, (3, 5), fallback="error")
    assert len({one.graph for one in operators}) == 2


def test_the_fallback_knows_symbols_of_the_graph():
    """As with transformers' static caches: an extent is also an argument, and
    PyTorch's tracer compares both. 2.11's fails without _state_values."""

    def function(cache, length):
        grouped = cache[:, :, None].expand(1, 2, 2, length, 8)
        return grouped.reshape(1, 4, length, 8) * 2

    compiled = torch.compile(function, backend="grout", dynamic=True)
    for length in (5, 7, 9):
        cache = torch.randn(1, 2, length, 8)
        torch.testing.assert_close(
            compiled(cache, length), function(cache, length)
        )


def test_results_are_stated_as_dynamo_does():
    graph = make_fx(lambda x: (x + 1, 2), tracing_mode="symbolic")(
        torch.randn(3)
    )
    _state_values(graph)
    node, _ = graph.graph.find_nodes(op="output")[0].args[0]
    assert node.meta["example_value"] is node.meta["val"]


def strictly(function, **options):
    return torch.compile(
        function,
        backend="grout",
        dynamic=True,
        options={"fallback": "error", **options},
    )


def test_strict_fallback_refuses_at_each_call():
    function = strictly(lambda x: torch.fft.fft(x).real + 1)
    for _ in range(3):
        with pytest.raises(Exception, match="Grout has no aten._fft_r2c"):
            function(torch.randn(5, 16))


def test_refusals_do_not_keep_what_was_given():
    function = strictly(lambda x: torch.fft.fft(x).real + 1)

    def call():
        x = torch.randn(5, 16)
        with pytest.raises(Exception, match="Grout has no"):
            function(x)
        return weakref.ref(x)

    given = call()
    gc.collect()
    assert given() is None


def test_strict_fallback_refuses_shapes_that_are_too_many():
    function = strictly(lambda x: x - x.mean(), max_shapes=2)
    for rows in (3, 5, 3):
        x = torch.randn(rows, 16)
        assert error(function(x), x - x.mean()) < 2e-6
    for _ in range(2):
        with pytest.raises(
            grout.torch.FallbackForbidden,
            match="a graph of other shapes is left to PyTorch: "
            "there are programs for 2, which is max_shapes",
        ):
            function(torch.randn(7, 16))


def test_layers_are_still_cut():
    model, _ = TINY["gpt2"].make()
    model.eval()
    function = torch.compile(
        model, backend="grout", dynamic=True, options={"fallback": "eager"}
    )
    with torch.no_grad(), records.listen() as operators:
        for length in (7, 13):
            ids = torch.randint(0, 100, (2, length))
            for _ in range(2):
                assert error(function(ids), model(ids)) < 5e-6
                wait()
    computed = [one for one in operators if not one.is_view]
    # Two shapes, of two layers each.
    assert len({(one.graph, one.partition) for one in computed}) >= 4
    assert sum(one.partition is not None for one in computed) >= (
        0.95 * len(computed)
    )


def test_backward():
    model = nn.Sequential(nn.Linear(16, 8), nn.Tanh())
    function = torch.compile(
        model, backend="grout", dynamic=True, options={"fallback": "eager"}
    )
    for length in (4, 6, 4, 9):
        x = torch.randn(length, 16)
        gradients = []
        for call in (function, model):
            model.zero_grad()
            call(x).square().sum().backward()
            gradients.append([p.grad.clone() for p in model.parameters()])
        wait()
        assert error(*gradients) < 1e-5


def test_threads_trace_under_the_lock_of_pytorch(monkeypatch):
    """Tracers change modules for all threads while they trace. Parts that are
    left to PyTorch are traced, too."""
    owned = []
    new_patcher = _symbolic_trace._new_patcher

    def noted():
        owned.append(compile_lock._is_owned())
        return new_patcher()

    def function(x, k):
        return torch.special.bessel_j0((x.sin() + k).tanh() * k)

    run = torch.compile(function, backend="grout", dynamic=True)
    x = torch.randn(64)
    run(x, 2)
    monkeypatch.setattr(_symbolic_trace, "_new_patcher", noted)
    for k in (3, 4):
        assert error(run(x, k), function(x, k)) < 1e-5
    wait()
    assert owned and all(owned)
