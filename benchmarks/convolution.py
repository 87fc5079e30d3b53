#!/usr/bin/env python3
"""Convolutions, and chains of them: Grout against cuDNN on a GPU.

  convolution.py compile --build build --out DIR
      compiles all cases into DIR. Needs no GPU.
  convolution.py run --build build --out DIR
      runs the cases in DIR. Needs a GPU with PyTorch, and of the build only
      lib/libGroutRuntime.so.

Each convolution has a bias and a ReLU after it. The chains are those of
shared/data/workloads.json (ResNet-38, VGG-19): each is a function of several
convolutions. Tensors have channels last. The peers, called through PyTorch with
cudnn.benchmark, are cuDNN's fused convolution, bias and ReLU, and its
convolution followed by a ReLU. Everything runs in CUDA graphs, which take
turns. Inputs are random. Each result is checked against f64, and 100 replays
with poisoned outputs must give the same bits. Prints microseconds (the median),
the relative errors of Grout and of the peers, and the time of the faster peer
divided by Grout's.
"""

import dataclasses
import math
import random
import statistics
import sys

import cases
import timing


@dataclasses.dataclass(frozen=True)
class Case:
    """`count` convolutions of images of `rows` x `columns` pixels with filters
    of `taps` (rows, columns). Only the first one has strides, or a number of
    channels that differs from its number of features."""

    batch: int
    rows: int
    columns: int
    channels: int
    features: int
    taps: tuple = (3, 3)
    stride: int = 1
    padding: tuple = None  # default: as many pixels as before
    count: int = 1
    dtype: str = "f16"

    @property
    def name(self):
        taps = "x".join(map(str, self.taps))
        return (
            f"b{self.batch}-{self.rows}x{self.columns}-c{self.channels}"
            f"-f{self.features}-{taps}"
            + f"s{self.stride}" * (self.stride != 1)
            + "-valid" * (self.padding == (0, 0))
            + f"-{self.count}convs" * (self.count != 1)
            + (f"-{self.dtype}" if self.dtype != "f16" else "")
        )

    @property
    def pads(self):
        return self.padding or tuple((tap - 1) // 2 for tap in self.taps)

    @property
    def layers(self):
        """Yields the shapes of each convolution: (image, filter, stride,
        result)."""
        image = (self.batch, self.rows, self.columns, self.channels)
        for index in range(self.count):
            stride = 1 if index else self.stride
            pixels = tuple(
                (extent + 2 * pad - tap) // stride + 1
                for extent, pad, tap in zip(image[1:3], self.pads, self.taps)
            )
            result = (self.batch, *pixels, self.features)
            yield image, (self.features, *self.taps, image[3]), stride, result
            image = result

    @property
    def flops(self):
        return sum(
            2 * math.prod(result) * math.prod(weights[1:])
            for _, weights, _, result in self.layers
        )

    @property
    def bytes(self):
        return 2 * sum(
            math.prod(image) + math.prod(weights) + math.prod(result)
            for image, weights, _, result in self.layers
        )


def _chains(count, stages, batches):
    return [
        Case(batch, size, size, channels, channels, count=count)
        for size, channels in stages
        for batch in batches
    ]


def _networks(batch):
    """Returns convolutions of ResNet-50, VGG-19 and Inception-v3."""
    return [
        Case(batch, 56, 56, 64, 64),
        Case(batch, 56, 56, 64, 256, (1, 1)),
        Case(batch, 56, 56, 256, 64, (1, 1)),
        Case(batch, 56, 56, 128, 128, stride=2),
        Case(batch, 28, 28, 128, 128),
        Case(batch, 56, 56, 256, 512, (1, 1), 2),
        Case(batch, 28, 28, 512, 128, (1, 1)),
        Case(batch, 14, 14, 256, 256),
        Case(batch, 14, 14, 1024, 256, (1, 1)),
        Case(batch, 7, 7, 512, 512),
        Case(batch, 14, 14, 1024, 2048, (1, 1), 2),
        Case(batch, 112, 112, 128, 128),
        Case(batch, 56, 56, 256, 256),
        Case(batch, 28, 28, 512, 512),
        Case(batch, 14, 14, 512, 512),
        Case(batch, 35, 35, 48, 64, (5, 5)),
        Case(batch, 35, 35, 64, 96),
        Case(batch, 35, 35, 288, 384, stride=2, padding=(0, 0)),
        Case(batch, 17, 17, 768, 192, (1, 1)),
        Case(batch, 17, 17, 160, 160, (1, 7)),
        Case(batch, 17, 17, 192, 192, (7, 1)),
        Case(batch, 8, 8, 384, 384, (1, 3)),
    ]


RESNET38 = [(56, 64), (28, 128), (14, 256), (7, 512)]
VGG19 = [(56, 256), (28, 512), (14, 512)]
CASES = (
    [case for batch in (1, 8, 32) for case in _networks(batch)]
    + _chains(2, RESNET38, (1, 4, 8, 12, 16, 20, 24, 28, 32))
    + _chains(4, VGG19, (1, 4, 8, 12, 16, 20, 24, 28, 32))
    + [Case(8, 28, 28, 128, 128, dtype="bf16")]
)


def _type(shape, dtype):
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def source(case):
    """Returns the case in MLIR."""
    dtype = case.dtype
    arguments, code, image = [], [], "%x"
    identity = "affine_map<(n, p, q, f) -> (n, p, q, f)>"
    for index, (shape, weights, stride, result) in enumerate(case.layers):
        if not index:
            arguments.append(f"%x: {_type(shape, dtype)}")
        arguments += [
            f"%w{index}: {_type(weights, dtype)}",
            f"%b{index}: {_type(weights[:1], dtype)}",
        ]
        rows, columns = case.pads
        padded = (
            shape[0],
            shape[1] + 2 * rows,
            shape[2] + 2 * columns,
            shape[3],
        )
        pads = f"[0, {rows}, {columns}, 0]"
        kind, out = _type(result, dtype), f"%e{index}"
        code.append(f"""
  %p{index} = tensor.pad {image} low{pads} high{pads} {{
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : {dtype}
  }} : {_type(shape, dtype)} to {_type(padded, dtype)}
  {out} = tensor.empty() : {kind}
  %s{index} = linalg.broadcast ins(%b{index} : {_type(weights[:1], dtype)})
    outs({out} : {kind}) dimensions = [0, 1, 2]
  %c{index} = linalg.conv_2d_nhwc_fhwc {{strides = dense<{stride}> : tensor<2xi64>}}
    ins(%p{index}, %w{index} : {_type(padded, dtype)}, {_type(weights, dtype)})
    outs(%s{index} : {kind}) -> {kind}
  %r{index} = linalg.generic {{
    indexing_maps = [{identity}, {identity}],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  }} ins(%c{index} : {kind}) outs({out} : {kind}) {{
  ^bb0(%v: {dtype}, %out: {dtype}):
    %m = arith.maximumf %v, %zero : {dtype}
    linalg.yield %m : {dtype}
  }} -> {kind}""")
        image = f"%r{index}"
    return (
        f"func.func @convolution({', '.join(arguments)}) -> {kind} {{\n"
        f"  %zero = arith.constant 0.0 : {dtype}{''.join(code)}\n"
        f"  return {image} : {kind}\n}}\n"
    )


class Inputs:
    """Random tensors of a case, and their convolution in f64."""

    def __init__(self, torch, case, seed):
        generator = torch.Generator("cuda").manual_seed(seed)
        dtype = {"f16": torch.float16, "bf16": torch.bfloat16}[case.dtype]

        def make(*shape, scale=1.0):
            return (
                torch.randn(shape, generator=generator, device="cuda") * scale
            ).to(dtype)

        self.case = case
        layers = list(case.layers)
        self.image = make(*layers[0][0])
        # With this scale, results are about as large as inputs.
        self.weights = [
            make(*weights, scale=math.prod(weights[1:]) ** -0.5)
            for _, weights, _, _ in layers
        ]
        self.biases = [make(weights[0]) for _, weights, _, _ in layers]
        self.result = layers[-1][3]

    def arguments(self):
        pairs = zip(self.weights, self.biases)
        return [self.image] + [tensor for pair in pairs for tensor in pair]

    def _layers(self):
        """Yields filters, bias and stride of each convolution, as PyTorch takes
        them: (feature, channel, row, column), with channels last in memory."""
        for (_, _, stride, _), weights, bias in zip(
            self.case.layers, self.weights, self.biases
        ):
            yield weights.permute(0, 3, 1, 2), bias, stride

    def fused(self, torch):
        x = self.image.permute(0, 3, 1, 2)
        for weights, bias, stride in self._layers():
            x = torch.cudnn_convolution_relu(
                x, weights, bias, [stride] * 2, self.case.pads, [1, 1], 1
            )
        return x

    def separate(self, torch):
        x = self.image.permute(0, 3, 1, 2)
        for weights, bias, stride in self._layers():
            x = torch.nn.functional.conv2d(
                x, weights, bias, stride, self.case.pads
            ).relu_()
        return x

    def exact(self, torch):
        x = self.image.permute(0, 3, 1, 2).double()
        for weights, bias, stride in self._layers():
            x = torch.nn.functional.conv2d(
                x, weights.double(), bias.double(), stride, self.case.pads
            ).relu_()
        return x.permute(0, 2, 3, 1)


def relative_error(result, exact):
    return ((result.double() - exact).norm() / exact.norm()).item()


def run_case(torch, device, runtime, case, path, args):
    """Returns a line of the table, whether the result is right, and the time of
    the faster peer over Grout's."""
    from torch_device import Graph

    inputs = Inputs(torch, case, args.seed)
    session = runtime.session(path, poison=True)
    output = torch.full(
        inputs.result, math.nan, device="cuda", dtype=inputs.image.dtype
    )

    def call():
        session.run(inputs.arguments(), [output])
        return output

    exact = inputs.exact(torch)
    error = relative_error(call(), exact)
    peers = {
        "fused": lambda: inputs.fused(torch),
        "separate": lambda: inputs.separate(torch),
    }
    worst = max(
        relative_error(peer().permute(0, 2, 3, 1), exact)
        for peer in peers.values()
    )
    count = timing.iterations(case.flops, case.bytes)
    graphs = {"grout": Graph(torch, call, count)}
    graphs.update(
        (name, Graph(torch, peer, count)) for name, peer in peers.items()
    )
    same = cases.check_replays(
        torch, Graph(torch, call, 1), output, args.replays
    )
    samples = timing.cool(
        device, graphs, count, args.bursts, 0.02, random.Random(args.seed)
    )
    times = {
        name: statistics.median(values) for name, values in samples.items()
    }
    ratio = min(times[name] for name in peers) / times["grout"]
    right = same and error <= 1.5 * worst
    line = (
        f"{case.name:36} {times['grout']:8.2f} "
        + " ".join(f"{name} {times[name]:8.2f}" for name in peers)
        + f"  error {error:.1e} / {worst:.1e}  ratio {ratio:.2f}"
        f"  {case.flops / times['grout'] / 1e6:5.0f} TFLOP/s"
        + ("" if right else "  WRONG" if same else "  DIFFERS")
    )
    return line, right, ratio


if __name__ == "__main__":
    sys.exit(
        cases.main(
            "convolution",
            __doc__,
            CASES,
            source,
            run_case,
            lambda case: f"{case.count} in a function",
        )
    )
