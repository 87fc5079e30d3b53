"""Convolutions in 1-D and 3-D, transposed ones, those of each channel alone, and
those that are padded.
Graphs are traced on tensors that have no memory, so no GPU is needed to see what
becomes of them there."""

import random

import pytest
import torch
from checking import check_forward, error, share, tolerance, wide
from expanding import expanded, normal
from test_convolutions import refusals
from torch import nn
from torch.nn import functional

from grout.torch.rewrites import convolving

aten = torch.ops.aten


def draw(seed, is_transposed):
    """Operands of a random convolution in f64, and the function."""
    rand = random.Random(seed)
    rank, groups = rand.choice((1, 2, 3)), rand.choice((1, 1, 2, 3))
    channels = groups * rand.randint(1, 3)
    features = groups * rand.randint(1, 20 if rank == 1 else 3)
    sizes = [rand.randint(1, 5) for _ in range(rank)]
    dilation = [rand.choice((1, 1, 2, 3)) for _ in range(rank)]
    stride = [
        1 if is_transposed and apart > 1 else rand.randint(1, 3)
        for apart in dilation
    ]
    padding = [
        rand.randint(0, min(3, apart * (size - 1)))
        for size, apart in zip(sizes, dilation)
    ]
    more = [
        rand.randint(0, max(pair) - 1) if is_transposed else 0
        for pair in zip(stride, dilation)
    ]
    extents = [
        rand.randint(1, 6) + (size - 1) * apart
        for size, apart in zip(sizes, dilation)
    ]
    operands = [
        torch.randn(2, channels, *extents),
        torch.randn(
            channels if is_transposed else features,
            (features if is_transposed else channels) // groups,
            *sizes,
        ),
    ]
    if rand.random() < 0.5:
        operands.append(torch.randn(features))

    def run(x, weight, *bias):
        return aten.convolution(
            x,
            weight,
            bias[0] if bias else None,
            stride,
            padding,
            dilation,
            is_transposed,
            more,
            groups,
        )

    return run, operands


def layout(x):
    """The strides of axes that have several elements."""
    return [
        stride for extent, stride in zip(x.shape, x.stride()) if extent != 1
    ]


@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize(
    "target, dtype", [("cpu", torch.float32), ("h200", torch.float16)]
)
def test_random(is_transposed, target, dtype):
    """They are made of convolutions in 2-D, and have the results of eager's."""
    torch.manual_seed(0)
    for seed in range(25):
        run, operands = draw(seed, is_transposed)
        operands = [operand.to(dtype) for operand in operands]
        graph, _ = expanded(convolving.expand, run, *operands, target=target)
        wanted = run(*map(wide, operands))
        got = graph(*operands)
        assert error(got, wanted) < tolerance(dtype), seed
        assert layout(got) == layout(run(*operands)), seed


@pytest.mark.parametrize("is_transposed", [False, True])
def test_random_on_the_cpu(is_transposed):
    drawn = [draw(seed, is_transposed) for seed in range(6)]

    class Model(nn.Module):
        def forward(self, *operands):
            return [
                run(*args).relu() for (run, _), args in zip(drawn, operands)
            ]

    operands = [args for _, args in drawn]
    assert share(check_forward(Model(), operands, fallback="error")) == 1


class Speech(nn.Module):
    """As wav2vec 2.0 and HiFi-GAN begin, attend to places, and end."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(1, 32, 10, 5)
        self.second = nn.Conv1d(32, 32, 3, 2)
        self.places = nn.Conv1d(32, 32, 8, padding=4, groups=4)
        self.alone = nn.Conv1d(32, 32, 4, padding=3, groups=32)
        self.grown = nn.ConvTranspose1d(32, 16, 8, 4, padding=2)
        self.last = nn.Conv1d(16, 1, 7, padding="same")

    def forward(self, x):
        x = functional.gelu(self.second(functional.gelu(self.first(x))))
        x = x + functional.gelu(self.places(x))[:, :, :-1]
        x = functional.silu(self.alone(x)[:, :, : x.shape[-1]])
        return torch.tanh(self.last(functional.leaky_relu(self.grown(x))))


class Video(nn.Module):
    """Planes are convolved together, then apart, and images grow."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv3d(3, 16, 3, (1, 2, 2), padding=1)
        self.second = nn.Conv3d(16, 16, (3, 1, 1), padding=(1, 0, 0))
        self.grown = nn.ConvTranspose3d(16, 8, 2, 2)

    def forward(self, x):
        return self.grown(
            functional.relu(self.second(functional.relu(self.first(x))))
        )


class Waves(nn.Module):
    """WaveNet's dilated convolutions, with pads at the beginning."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Conv1d(16, 32, 2, dilation=2**i) for i in range(4)
        )

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            y, gate = layer(functional.pad(x, (2**i, 0))).chunk(2, 1)
            x = x + torch.tanh(y) * torch.sigmoid(gate)
        return functional.pad(x, (3, 2), "reflect")


MODELS = [
    (Speech, (2, 1, 333)),
    (Video, (1, 3, 5, 10, 12)),
    (Waves, (2, 16, 45)),
]


@pytest.mark.parametrize(
    "model, shape, dtype",
    [
        *((*model, torch.float32) for model in MODELS),
        (*MODELS[0], torch.float16),
        (*MODELS[1], torch.bfloat16),
    ],
)
def test_model_on_the_cpu(model, shape, dtype):
    assert (
        share(
            check_forward(
                model().to(dtype),
                [torch.randn(shape).to(dtype)],
                fallback="error",
            )
        )
        == 1
    )


@pytest.mark.parametrize("model, shape", MODELS)
def test_model_compiled_for_a_gpu(model, shape):
    assert refusals(model().half(), torch.randn(shape).half()) == []


@pytest.mark.parametrize(
    "x, weight, is_padded",
    [
        ((2, 42, 9, 8), (42, 42, 3, 3), True),
        ((2, 24, 9, 8), (21, 24, 3, 3), True),
        ((2, 84, 9, 8), (16, 84, 1, 1), True),
        ((2, 18, 9, 8), (18, 18, 3, 3), True),
        # Zeros would be too large a part of the products.
        ((2, 3, 9, 8), (16, 3, 3, 3), False),
        ((2, 11, 9, 8), (11, 11, 3, 3), False),
    ],
)
@pytest.mark.parametrize(
    "format", [torch.contiguous_format, torch.channels_last]
)
def test_odd_numbers_of_channels_on_a_gpu(x, weight, is_padded, format):
    def run(x, weight):
        return functional.conv2d(x, weight, None, 2, 1)

    operands = [
        normal(*shape).to(memory_format=format) for shape in (x, weight)
    ]
    assert (refusals(run, *operands) == []) == is_padded
    graph, _ = expanded(convolving.expand, run, *operands)
    (node,) = graph.graph.find_nodes(
        op="call_function", target=aten.convolution.default
    )
    channels = [operand.meta["val"].shape[1] for operand in node.args[:2]]
    assert all(count % 8 == 0 for count in channels) == is_padded
    got = graph(*operands)
    assert error(got, run(*map(wide, operands))) < tolerance(torch.float16)
    assert got.stride() == run(*operands).stride()


def test_alone_along_a_line_on_a_gpu():
    """In any type, and with no layout of memory that is better."""
    for dtype in (torch.float32, torch.float16):
        for target in ("h200", "a100"):
            assert (
                refusals(
                    lambda x, w: functional.conv1d(
                        x, w, padding=3, groups=20
                    ).relu(),
                    normal(2, 20, 33, dtype=dtype),
                    normal(20, 1, 4, dtype=dtype),
                    target=target,
                )
                == []
            )


def test_gradients():
    """They are PyTorch's, of the convolution as it was."""
    model = nn.Sequential(
        nn.Conv1d(3, 8, 3), nn.ReLU(), nn.ConvTranspose1d(8, 4, 4, 2)
    )
    x = torch.randn(2, 3, 17)
    exact = model.double()(wide(x)).square().sum()
    wanted = torch.autograd.grad(exact, list(model.parameters()))
    model.float()
    got = torch.autograd.grad(
        torch.compile(model, backend="grout")(x).square().sum(),
        list(model.parameters()),
    )
    assert error(got, wanted) < 1e-5


@pytest.mark.parametrize(
    "x, weight, options, reason",
    [
        ((2, 16, 20), (16, 16, 3), {"stride": 2, "dilation": 2}, "both stride"),
        ((2, 16, 20), (16, 16, 65), {}, "more than 64 places"),
    ],
)
def test_transposed_is_left(x, weight, options, reason):
    for target in ("h200", "cpu"):
        (found,) = refusals(
            lambda x, w: functional.conv_transpose1d(x, w, **options),
            normal(*x),
            normal(*weight),
            target=target,
        )
        assert reason in found


def test_single_precision_is_left_on_a_gpu():
    (found,) = refusals(
        functional.conv1d, torch.randn(2, 16, 20), torch.randn(16, 16, 3)
    )
    assert "float32" in found


@pytest.mark.parametrize(
    "name", ["aten.convolution", "aten.convolution.default"]
)
def test_excluded(name):
    """What a user leaves to PyTorch is not made of anything else."""
    operators = check_forward(
        nn.Conv1d(4, 4, 3, groups=4),
        [torch.randn(2, 4, 9)],
        excluded_ops=[name],
    )
    assert [one.operator for one in operators] == ["aten.convolution.default"]
    assert share(operators) == 0
