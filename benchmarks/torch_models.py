#!/usr/bin/env python3
"""PyTorch models on a GPU: Grout, torch.compile's default, and eager.

  python benchmarks/torch_models.py [--only NAME] [--dtype f16] [--repeat 20]
                                    [--tokens 8x128] [--decode 8x2048]
                                    [--layers 1 --calls 20] [--images 8]
                                    [--tuned]

Weights and inputs are random. Results are compared with results in f64. Then
each way to run the model is captured in a CUDA graph, and replayed; its outputs
are poisoned before each replay. Prints microseconds (the median), the errors,
and how much faster Grout is than torch.compile's default. With --tuned, also
compares the modes max-autotune.
"""

import argparse
import copy
import statistics
import time

import cnn_models
import torch
from torch import nn
from torch.nn import functional

import grout.torch
from grout.torch import records


class Attention(nn.Module):
    """Self-attention with `groups` heads of keys and values. With a cache, it
    attends from one new token of each sequence, which takes the last place of
    the cache."""

    def __init__(self, width, heads, groups, is_causal, bias):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.is_causal = is_causal
        self.qkv = nn.Linear(width, (heads + 2 * groups) * self.size, bias=bias)
        self.out = nn.Linear(width, width, bias=bias)
        self.keys = self.values = self.places = None

    def add_cache(self, batch, length):
        shape = (batch, self.groups, length, self.size)
        like = self.out.weight
        del self.keys, self.values, self.places
        self.register_buffer(
            "keys", torch.randn(shape, dtype=like.dtype, device=like.device)
        )
        self.register_buffer(
            "values", torch.randn(shape, dtype=like.dtype, device=like.device)
        )
        self.register_buffer(
            "places", torch.tensor([length - 1], device=like.device)
        )

    def forward(self, x, rotate=None):
        batch, length, width = x.shape
        places = (
            torch.arange(length, device=x.device)
            if self.places is None
            else self.places
        )
        q, k, v = self.qkv(x).split(
            [
                self.heads * self.size,
                self.groups * self.size,
                self.groups * self.size,
            ],
            -1,
        )
        q, k, v = (
            part.view(batch, length, -1, self.size).transpose(1, 2)
            for part in (q, k, v)
        )
        if rotate is not None:
            q, k = rotate(q, places), rotate(k, places)
        if self.keys is not None:
            k = self.keys.index_copy_(2, places, k)
            v = self.values.index_copy_(2, places, v)
        # With a cache, the token is the last, and attends to all tokens.
        y = functional.scaled_dot_product_attention(
            q,
            k,
            v,
            is_causal=self.is_causal and self.keys is None,
            enable_gqa=self.groups != self.heads,
        )
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class GPT2Layer(nn.Module):
    def __init__(self, width=768, heads=12):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, heads, True, True)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(
            functional.gelu(self.up(self.norm2(x)), approximate="tanh")
        )


class BertLayer(GPT2Layer):
    def __init__(self, width=1024, heads=16):
        super().__init__(width, heads)
        self.attention.is_causal = False

    def forward(self, x):
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.down(functional.gelu(self.up(x))))


class LlamaLayer(nn.Module):
    """A layer of LLaMA 3 8B."""

    def __init__(self, width=4096, heads=32, groups=8, hidden=14336):
        super().__init__()
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.attention = Attention(width, heads, groups, True, False)
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    @staticmethod
    def rotate(x, places):
        half = x.shape[-1] // 2
        frequencies = 500000.0 ** (-torch.arange(half, device=x.device) / half)
        angles = places[:, None] * frequencies
        angles = torch.cat([angles, angles], -1)
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        return (x * angles.cos() + turned * angles.sin()).to(x.dtype)

    def forward(self, x):
        x = x + self.attention(self.norm1(x), self.rotate)
        y = self.norm2(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


class MLP(nn.Module):
    """GPT-3's MLP, one of eight parts with tensor parallelism."""

    def __init__(self, width=12288, hidden=6144):
        super().__init__()
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(functional.gelu(self.up(x)))


def _layers(layer, count):
    return nn.Sequential(*(layer() for _ in range(count)))


class Tokens(nn.Module):
    """GPT-2 with its embeddings, from numbers of tokens to scores of the next
    tokens. The number of columns is padded to a multiple of 8."""

    def __init__(self, width=768, words=50304, length=1024):
        super().__init__()
        self.words, self.places = (
            nn.Embedding(words, width),
            nn.Embedding(length, width),
        )
        self.layers = _layers(GPT2Layer, 12)
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens):
        places = torch.arange(tokens.shape[-1], device=tokens.device)
        x = self.layers(self.words(tokens) + self.places(places))
        return functional.linear(self.norm(x), self.words.weight)


def _product(size):
    return nn.Linear(size, size, bias=False)


MODELS = {
    "mlp": (MLP, (256, 12288)),
    "gpt2": (lambda count=12: _layers(GPT2Layer, count), (1, 512, 768)),
    "bert": (lambda count=4: _layers(BertLayer, count), (1, 512, 1024)),
    "llama": (lambda count=2: _layers(LlamaLayer, count), (1, 512, 4096)),
    "tokens": (Tokens, (1, 512)),
    "bottlenecks": (
        lambda: cnn_models.bottlenecks(512, 128, 3),
        (1, 512, 28, 28),
    ),
    "inception": (cnn_models.Inception, (1, 192, 28, 28)),
    "resnet50": (cnn_models.ResNet50, (1, 3, 224, 224)),
    "vgg19": (cnn_models.VGG19, (1, 3, 224, 224)),
    "product1024": (lambda: _product(1024), (1024, 1024)),
    "product4096": (lambda: _product(4096), (4096, 4096)),
}

OF_LAYERS = ("gpt2", "bert", "llama")

# Backends and modes of torch.compile.
WAYS = {
    "eager": ("eager", None),
    "torch.compile": ("inductor", None),
    "grout": ("grout", None),
}
TUNED = {
    f"{way}, tuned": (WAYS[way][0], "max-autotune-no-cudagraphs")
    for way in ("torch.compile", "grout")
}

# Types, with the largest relative error that is allowed.
DTYPES = {
    "f16": (torch.float16, 2e-2),
    "bf16": (torch.bfloat16, 1e-1),
    "f32": (torch.float32, 1e-4),
}


def is_of_images(name):
    return len(MODELS[name][1]) == 4


def make(name, dtype, size=(), context=0, layers=None):
    """Returns a model and its input on the GPU, and the result in f64.

    `size` is the number of sequences and their length, or the number of images,
    instead of those of the table. With a `context`, layers have caches of that
    length. `layers` is another number of layers. Images and their weights have
    channels last.
    """
    build, shape = MODELS[name]
    shape = (*size, *shape[len(size) :])
    torch.manual_seed(0)
    with torch.device("cuda"):
        model = (build(layers) if layers else build()).eval().to(dtype)
        for module in model.modules():
            if context and isinstance(module, Attention):
                module.add_cache(shape[0], context)
        x = (
            torch.randint(50257, shape)
            if name == "tokens"
            else torch.randn(shape).to(dtype)
        )
    if is_of_images(name):
        model = model.to(memory_format=torch.channels_last)
        x = x.to(memory_format=torch.channels_last)
    wide = x.double() if x.is_floating_point() else x
    return model, x, copy.deepcopy(model).double()(wide)


def capture(function, x, calls=1):
    """Returns a CUDA graph of `calls` calls, and the result of the last
    call."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            function(x)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    # Other threads, such as NCCL's, may make calls that a capture forbids.
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        for _ in range(calls):
            y = function(x)
    return graph, y


def gpu_time(function):
    """Returns the microseconds that the GPU takes for the work of a
    function."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in "be")
    begin.record()
    function()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1000


def relative_error(y, wanted):
    """Returns the largest difference, relative to the largest element."""
    return ((y - wanted).abs().max() / wanted.abs().max()).item()


def measure(function, x, repeat, calls=1):
    """Returns the microseconds of a call, of which a graph has `calls`, and the
    last result."""
    graph, y = capture(function, x, calls)
    times = []
    for _ in range(repeat):
        y.fill_(float("nan"))
        times.append(gpu_time(graph.replay) / calls)
    return statistics.median(times), y.clone()


def host_time(function, x):
    """Returns the microseconds that the host takes for a call, without waiting
    for the GPU."""
    best = float("inf")
    for _ in range(5):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(5):
            function(x)
        best = min(best, (time.perf_counter() - begin) / 5)
    return best * 1e6


def run(name, args, size=(), context=0):
    torch._dynamo.reset()
    type_name = args.dtype
    dtype, limit = DTYPES[type_name]
    model, x, wanted = make(name, dtype, size, context, args.layers)
    if args.layers:
        name += f" of {args.layers}"
    if size:
        name += " " + "x".join(map(str, size))
    if context:
        name += f" with {context} before"
    ways = WAYS | TUNED if args.tuned else WAYS
    times = {}
    for way, (backend, mode) in ways.items():
        begin = time.monotonic()
        function = torch.compile(
            copy.deepcopy(model), backend=backend, mode=mode
        )
        with records.listen() as operators:
            function(x)
        compiling = time.monotonic() - begin
        times[way], y = measure(function, x, args.repeat, args.calls)
        error = relative_error(y, wanted)
        print(
            f"{name} {type_name} {way}: {times[way]:.1f} us, error {error:.1e}, host "
            f"{host_time(function, x):.0f} us, ready in {compiling:.1f} s"
        )
        if not error < limit:
            raise SystemExit(f"{name}: {way} is wrong")
    print(grout.torch.Report(operators))
    print(
        f"{name}: torch.compile / grout "
        f"{times['torch.compile'] / times['grout']:.2f}, eager / grout "
        f"{times['eager'] / times['grout']:.2f}",
        flush=True,
    )
    if args.tuned:
        print(
            f"{name}, tuned: torch.compile / grout "
            f"{times['torch.compile, tuned'] / times['grout, tuned']:.2f}",
            flush=True,
        )


def parse_tokens(text):
    batch, _, length = text.partition("x")
    if not (
        batch.isdecimal() and length.isdecimal() and int(batch) and int(length)
    ):
        raise argparse.ArgumentTypeError(f"{text} is not such as 8x128")
    return int(batch), int(length)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", action="append", choices=MODELS)
    parser.add_argument("--dtype", choices=DTYPES, default="f16")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument(
        "--tokens",
        action="append",
        type=parse_tokens,
        metavar="BxS",
        help="sequences and their length, for "
        "models of sequences; may be given several times",
    )
    parser.add_argument(
        "--decode",
        action="append",
        type=parse_tokens,
        metavar="BxC",
        help="sequences of which each gets one "
        "token more, and the length of their caches with it; "
        "for layers, may be given several times",
    )
    parser.add_argument(
        "--layers",
        type=int,
        metavar="N",
        help="how many, instead of 12, 4 or 2; the weights of "
        "one stay in the cache from call to call",
    )
    parser.add_argument(
        "--calls", type=int, default=1, metavar="N", help="how many a graph has"
    )
    parser.add_argument(
        "--tuned", action="store_true", help="measures modes max-autotune, too"
    )
    parser.add_argument(
        "--images",
        action="append",
        type=int,
        metavar="N",
        help="how many, for models of images; may be given several times",
    )
    args = parser.parse_args()
    images = list(filter(is_of_images, MODELS))
    if args.images and not set(args.only or MODELS) <= set(images):
        parser.error("--images is for " + ", ".join(images))
    sequences = [
        name
        for name, (_, shape) in MODELS.items()
        if shape[0] == 1 and name not in images
    ]
    for option in ("decode", "layers"):
        if getattr(args, option) and not set(args.only or MODELS) <= set(
            OF_LAYERS
        ):
            parser.error(f"--{option} is for " + ", ".join(OF_LAYERS))
    if args.tokens and not set(args.only or MODELS) <= set(sequences):
        parser.error("--tokens is for " + ", ".join(sequences))
    torch.backends.cudnn.benchmark = True
    print(torch.cuda.get_device_name(), torch.__version__)
    with torch.no_grad():
        for name in args.only or MODELS:
            sizes = args.tokens or list(zip(args.images or ()))
            for size in sizes or ([()] if not args.decode else []):
                run(name, args, size)
            for batch, context in args.decode or ():
                run(name, args, (batch, 1), context)


if __name__ == "__main__":
    main()
