"""Blocks of convolutions, in both layouts of memory, and what of them is left to
PyTorch."""

import pytest
import torch
from checking import error, tolerance, wide
from torch import nn
from torch.nn import functional

from grout import targets
from grout.torch import records
from grout.torch.graph import orders
from grout.torch.rewrites import convolutions

LAYOUTS = pytest.mark.parametrize(
    "layout",
    [torch.contiguous_format, torch.channels_last],
    ids=["channels_first", "channels_last"],
)


class Block(nn.Module):
    """ResNet's, with a projection where shapes change."""

    def __init__(self, channels, features, stride):
        super().__init__()
        self.first = self._normed(channels, features, 3, stride)
        self.second = self._normed(features, features, 3, 1)
        self.shortcut = (
            nn.Identity()
            if channels == features
            else self._normed(channels, features, 1, stride)
        )

    @staticmethod
    def _normed(channels, features, size, stride):
        norm = nn.BatchNorm2d(features)
        norm.running_mean.normal_()
        norm.running_var.uniform_(0.5, 2)
        return nn.Sequential(
            nn.Conv2d(channels, features, size, stride, size // 2, bias=False),
            norm,
        )

    def forward(self, x):
        return functional.relu(
            self.second(functional.relu(self.first(x))) + self.shortcut(x)
        )


def check(model, dtype, layout):
    """All of it is Grout's, right, and laid out as its images of 16 channels."""
    model = model.eval().to(dtype, memory_format=layout)
    x = torch.randn(2, 16, 9, 11).to(dtype, memory_format=layout)
    run = torch.compile(
        model, backend="grout", fullgraph=True, options={"fallback": "error"}
    )
    with torch.no_grad():
        result = run(x)
        exact = model.double()(wide(x))
    assert error(result, exact) < tolerance(dtype)
    assert result.is_contiguous(memory_format=layout)


@LAYOUTS
@pytest.mark.parametrize("stride, features", [(1, 16), (2, 24)])
@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float16], ids=["f32", "f16"]
)
def test_block(layout, stride, features, dtype):
    torch.manual_seed(0)
    check(Block(16, features, stride), dtype, layout)


def test_other_layout_than_traced():
    """What is compiled for channels last takes whatever comes."""
    block = Block(8, 8, 1).eval().to(memory_format=torch.channels_last)
    x = torch.randn(2, 8, 6, 7)
    run = torch.compile(block, backend="grout", options={"fallback": "error"})
    with torch.no_grad():
        for layout in (torch.channels_last, torch.contiguous_format):
            given = x.to(memory_format=layout)
            assert error(run(given), block(given)) < 1e-5


def refusals(function, *args, target="h200"):
    """Of a function that is compiled for a processor that need not be there."""
    from model_check import _backend

    with torch.no_grad(), records.listen() as operators:
        torch.compile(function, backend=_backend(target), dynamic=False)(*args)
    return [
        operator.reason
        for operator in operators
        if operator.operator == "aten.convolution.default"
        and operator.partition is None
    ]


def halves(*shapes):
    return [
        torch.randn(shape).half().to(memory_format=torch.channels_last)
        for shape in shapes
    ]


@LAYOUTS
@pytest.mark.parametrize(
    "groups, features", [(2, 16), (4, 8), (8, 24), (16, 32)]
)
@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float16], ids=["f32", "f16"]
)
def test_groups(layout, groups, features, dtype):
    """Of several channels and of one, which then has several features."""
    torch.manual_seed(0)
    check(
        nn.Sequential(
            nn.Conv2d(16, features, 3, 2, padding=1, groups=groups),
            nn.ReLU(),
            nn.Conv2d(features, 8, 1),
        ),
        dtype,
        layout,
    )


@pytest.mark.parametrize(
    "channels, groups",
    [(16, 2), (128, 32), (168, 7), (400, 4), (40, 5), (696, 3)],
)
def test_groups_compiled_for_a_gpu(channels, groups):
    x, w = halves((1, channels, 8, 8), (channels, channels // groups, 3, 3))
    assert (
        refusals(
            lambda x, w: functional.conv2d(
                x, w, padding=1, groups=groups
            ).relu(),
            x,
            w,
        )
        == []
    )


def test_compiled_for_a_gpu():
    assert (
        refusals(
            lambda x, w: functional.conv2d(x, w, padding=1).relu(),
            *halves((1, 16, 8, 8), (16, 16, 3, 3)),
        )
        == []
    )


@pytest.mark.parametrize(
    "options, shapes, reason",
    [
        (
            {},
            ((1, 3, 8, 8), (16, 3, 3, 3)),
            "its 3 channels are no multiple of 8",
        ),
        (
            {},
            ((1, 8, 8, 8), (3, 8, 3, 3)),
            "its 3 features are no multiple of 8",
        ),
        (
            {"stride": 7},
            ((1, 3, 14, 14), (16, 3, 7, 7)),
            "its filters have 3 x 7 x 7 = 147 elements, no multiple of 8",
        ),
        (
            {"stride": 4},
            ((1, 3, 8, 8), (9, 3, 4, 4)),
            "its 9 features are no multiple of 8",
        ),
        ({"stride": 9}, ((1, 16, 20, 20), (16, 16, 3, 3)), "strides"),
    ],
    ids=["channels", "features", "patches", "features of patches", "stride"],
)
def test_left_on_a_gpu(options, shapes, reason):
    (found,) = refusals(
        lambda x, w: functional.conv2d(x, w, **options), *halves(*shapes)
    )
    assert reason in found


def depthwise(x, w):
    return functional.conv2d(x, w, padding=1, groups=x.shape[1])


@pytest.mark.parametrize("target", ["h200", "a100"])
@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.bfloat16, torch.float32]
)
def test_each_channel_alone_on_a_gpu(dtype, target):
    """As many channels as there may be."""
    x, w = (
        operand.to(dtype) for operand in halves((2, 20, 8, 8), (20, 1, 3, 3))
    )
    assert (
        refusals(
            lambda x, w: depthwise(depthwise(x, w).relu(), w),
            x,
            w,
            target=target,
        )
        == []
    )


@pytest.mark.parametrize(
    "dtype, size, reason",
    [(torch.float64, 3, "float64"), (torch.float16, 9, "64 places")],
)
def test_each_channel_alone_left_on_a_gpu(dtype, size, reason):
    x, w = (
        operand.to(dtype)
        for operand in halves((2, 16, 10, 10), (16, 1, size, size))
    )
    (found,) = refusals(depthwise, x, w)
    assert reason in found


def test_each_channel_alone_left_on_the_cpu():
    x, w = halves((2, 16, 10, 10), (16, 1, 3, 3))
    (found,) = refusals(depthwise, x, w, target="cpu")
    assert "on the CPU" in found


def test_channels_first_on_a_gpu():
    """Weights are copied; if the result is copied, too, that is too much."""
    x, w = (
        operand.contiguous()
        for operand in halves((1, 16, 8, 8), (16, 16, 3, 3))
    )
    (found,) = refusals(functional.conv2d, x, w)
    assert "channels_last" in found
    assert (
        refusals(
            lambda x, w: functional.conv2d(functional.conv2d(x, w), w), x, w
        )
        == []
    )


def test_single_precision_is_left_on_a_gpu():
    x, w = halves((1, 16, 8, 8), (16, 16, 3, 3))
    (found,) = refusals(functional.conv2d, x.float(), w.float())
    assert "float32" in found


def test_matrix_products_are_no_convolutions():
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    node = graph.call_function(torch.ops.aten.mm.default, (x, x))
    assert convolutions.refusal(node, targets.get("h200")) is None


@pytest.mark.parametrize(
    "tensor, order",
    [
        (torch.empty(2, 3, 4), None),
        (torch.empty(2, 3, 4).transpose(1, 2), (0, 2, 1)),
        (
            torch.empty(2, 3, 4, 5).to(memory_format=torch.channels_last),
            (0, 2, 3, 1),
        ),
        (torch.empty(2, 3, 1, 1).to(memory_format=torch.channels_last), None),
        (torch.empty(4, 6)[:, ::2], None),
        (torch.empty(3).expand(2, 3), None),
        (torch.empty(()), None),
    ],
    ids=[
        "dense",
        "transposed",
        "channels_last",
        "single",
        "strided",
        "expanded",
        "scalar",
    ],
)
def test_order(tensor, order):
    assert orders.order_of(tensor.shape, tensor.stride()) == order
