"""FLOPs of reports: those that are counted, and those that nobody knows."""

import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

import grout
import grout.torch
from grout.torch import records
from grout.torch.graph import flops, support
from grout.torch.records import Operator
from grout.torch.report import Report, _percent

aten = torch.ops.aten


class Experts(torch.nn.Module):
    def forward(self, x, w, experts, ends):
        return (
            torch.nn.functional.grouped_mm(x @ w, experts, offs=ends).relu() * 2
        )


def test_experts_are_counted():
    """Also where Grout does not run them."""
    half = torch.bfloat16
    report = grout.report(
        Experts(),
        [
            torch.randn(16, 64, dtype=half),
            torch.randn(64, 64, dtype=half),
            torch.randn(4, 64, 256, dtype=half),
            torch.tensor([4, 8, 12, 16], dtype=torch.int32),
        ],
        options={"excluded_ops": ["aten._grouped_mm"]},
    )
    own, of_experts = 2 * 16 * 64 * 64, 2 * 16 * 64 * 256
    assert report.share_of_flops == own / (own + of_experts)
    assert "and 20.0% of the FLOPs run in Grout" in str(report)


def counted(function, *shapes, dtype=torch.bfloat16):
    """Of each operator that is not a view, by its name."""
    with FakeTensorMode(allow_non_fake_inputs=True):
        inputs = [
            torch.empty(shape, dtype=dtype, device="cuda") for shape in shapes
        ]
        graph = make_fx(function)(*inputs).graph
    return {
        support.name_of(node): flops.count(node)
        for node in graph.nodes
        if node.op == "call_function" and not support.is_view(node)
    }


def f8(x):
    return x.to(torch.float8_e4m3fn)


def scale(x):
    return torch.ones((), dtype=torch.float32, device=x.device)


@pytest.mark.parametrize(
    "operator, function, shapes, wanted",
    [
        (
            "_scaled_mm",
            lambda x, y: torch._scaled_mm(
                f8(x), f8(y).t(), scale(x), scale(y), out_dtype=torch.bfloat16
            ),
            [(16, 32), (48, 32)],
            2 * 16 * 32 * 48,
        ),
        (
            "_grouped_mm",
            lambda x, y: torch._grouped_mm(x, y),
            [(4, 16, 32), (4, 32, 48)],
            2 * 4 * 16 * 32 * 48,
        ),
        (
            "_int_mm",
            lambda x, y: torch._int_mm(x.to(torch.int8), y.to(torch.int8)),
            [(32, 32), (32, 48)],
            2 * 32 * 32 * 48,
        ),
        ("mv", lambda x, y: torch.mv(x, y), [(16, 32), (32,)], 2 * 16 * 32),
        ("dot", lambda x, y: torch.dot(x, y), [(32,), (32,)], 2 * 32),
        ("mm", lambda x, y: x @ y, [(16, 32), (32, 48)], 2 * 16 * 32 * 48),
        ("exp", torch.exp, [(16, 32)], 0),
        ("sum", torch.sum, [(16, 32)], 0),
        ("linalg_vector_norm", torch.linalg.vector_norm, [(16, 32)], 0),
        ("cummax", lambda x: torch.cummax(x, 0), [(16, 32)], 0),
        ("_fft_r2c", lambda x: torch.fft.rfft(x.float()), [(16, 32)], None),
    ],
)
def test_operators(operator, function, shapes, wanted):
    found = counted(function, *shapes)
    (count,) = [
        count for name, count in found.items() if name.split(".")[1] == operator
    ]
    assert count == wanted


@pytest.mark.parametrize(
    "operator",
    [
        aten._scaled_dot_product_flash_attention,
        aten._scaled_dot_product_cudnn_attention,
        aten._scaled_dot_product_efficient_attention,
    ],
)
def test_attention_with_grouped_heads(operator):
    rest = {
        aten._scaled_dot_product_flash_attention: (),
        aten._scaled_dot_product_cudnn_attention: (None, False),
        aten._scaled_dot_product_efficient_attention: (None, False),
    }[operator]
    groups = (
        8 if operator is (aten._scaled_dot_product_efficient_attention) else 2
    )
    found = counted(
        lambda *qkv: operator(*qkv, *rest)[0],
        (2, 8, 16, 64),
        (2, groups, 24, 64),
        (2, groups, 24, 64),
    )
    (count,) = [
        count
        for name, count in found.items()
        if name.split(".")[1].startswith("_scaled")
    ]
    assert count == 2 * (2 * 8 * 16) * 24 * (64 + 64)


@torch.library.custom_op("grout_tests::mixture", mutates_args=())
def mixture(x: torch.Tensor) -> torch.Tensor:
    return x @ x


@mixture.register_fake
def _(x):
    return torch.empty_like(x)


def test_what_nobody_counts_is_named():
    report = grout.report(lambda x: mixture(x @ x) + 1, [torch.randn(8, 8)])
    assert report.share_of_flops == 1
    text = str(report)
    assert "100.0% of the FLOPs that are known run in Grout" in text
    line = (
        "FLOPs of 1 operators that PyTorch runs are not known: "
        "grout_tests.mixture.default"
    )
    assert line in text and line in report._repr_html_()


def test_graphs_that_are_left_to_pytorch_are_counted():
    with (
        torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True),
        records.listen() as operators,
    ):
        torch.compile(
            lambda x: (x @ x.t()).nonzero(),
            backend="grout",
            options={"fallback": "eager"},
            dynamic=True,
        )(torch.randn(8, 4))
    report = Report(operators)
    assert report.share_of_operators == report.share_of_flops == 0
    assert "its shapes change, and depend on what is computed" in str(report)


def test_shares_are_rounded_down():
    assert _percent(1.0, 1) == "100.0%" and _percent(0.9999, 1) == "99.9%"
    assert _percent(0.996) == "99%" and _percent(0.0) == "0%"


def operator_with(flops, partition):
    return Operator(
        "x",
        "aten.mm.default",
        "",
        "",
        "",
        0,
        partition,
        "" if partition is not None else "none",
        flops,
    )


def test_memory_of_calls_is_that_of_the_largest_partition():
    layers = torch.nn.Sequential(
        torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 8)
    )
    report = grout.torch.report(layers, (torch.randn(32, 64),))
    # What is between the layers, f32.
    assert report.workspace_bytes >= 32 * 256 * 4
    assert "kB for intermediates" in str(report)
    assert Report([]).workspace_bytes == 0


def test_what_is_compiled_need_not_be_counted():
    report = Report([operator_with(None, 0), operator_with(9, None)])
    assert not report.uncounted and report.share_of_flops == 0
