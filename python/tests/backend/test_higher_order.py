"""Operators that call others run apart from what is around them; flex attention
is Inductor's, whose kernel keeps no scores."""

import pytest
import torch
from torch._inductor import compile_fx
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from grout.torch import records


@pytest.fixture
def by_inductor(monkeypatch):
    """The graphs that Inductor compiles."""
    graphs = []
    compile_inner = compile_fx.compile_fx_inner

    def compile_one(graph, *args, **options):
        graphs.append(
            {
                str(node.target)
                for node in graph.graph.nodes
                if node.op == "call_function"
            }
        )
        return compile_inner(graph, *args, **options)

    monkeypatch.setattr(compile_fx, "compile_fx_inner", compile_one)
    return graphs


def compiled(function, **options):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options=options,
    )


def attend(q, k, v, mask):
    y = flex_attention(
        q.exp() * 2,
        k,
        v,
        block_mask=mask,
        score_mod=lambda score, b, h, i, j: score - (i - j) / 64,
    )
    # Inductor's kernel for the CPU takes nothing behind it.
    return y.sin() + 1


def test_flex_attention_is_inductors_whatever_the_fallback(by_inductor):
    q, k, v = (torch.randn(1, 2, 128, 16) for _ in range(3))
    mask = create_block_mask(
        lambda b, h, i, j: i >= j, 1, 1, 128, 128, device="cpu"
    )
    with torch.no_grad(), records.listen() as operators:
        got = compiled(attend, fallback="eager")(q, k, v, mask)
        wanted = torch.compile(attend, backend="eager")(q, k, v, mask)
    torch.testing.assert_close(got, wanted)
    assert len(by_inductor) == 1
    assert "aten.sin.default" not in by_inductor[0]
    # What is around it is Grout's.
    assert {one.operator for one in operators if one.partition is not None} >= {
        "aten.exp.default",
        "aten.sin.default",
    }


def test_flex_attention_is_refused_by_name():
    q = torch.randn(1, 2, 128, 16)
    with (
        torch.no_grad(),
        pytest.raises(
            Exception,
            match="flex_attention is left to PyTorch: Grout has no flex",
        ),
    ):
        compiled(lambda q: flex_attention(q, q, q), fallback="error")(q)


def test_what_is_around_a_condition_is_compiled(monkeypatch):
    def function(x, y):
        z = torch.special.bessel_j0(x)
        return torch.cond(x.sum() > 0, torch.sin, torch.cos, (z,)) + y

    graphs = []
    compile_one = torch._inductor.standalone_compile

    def compile_and_note(graph, *args, **options):
        graphs.append({str(node.target) for node in graph.graph.nodes})
        return compile_one(graph, *args, **options)

    monkeypatch.setattr(torch._inductor, "standalone_compile", compile_and_note)
    x, y = torch.rand(5, 6), torch.rand(5, 6)
    run = compiled(function, fallback="inductor")
    with torch.no_grad():
        for one in (x, -x):
            torch.testing.assert_close(run(one, y), function(one, y))
    assert any("aten.special_bessel_j0.default" in graph for graph in graphs)
    assert all("cond" not in graph for graph in graphs)
