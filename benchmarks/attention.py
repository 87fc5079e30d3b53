#!/usr/bin/env python3
"""Attention alone: Grout against PyTorch's kernels on a GPU.

  attention.py compile --build build --out DIR
      compiles all cases into DIR. Needs no GPU.
  attention.py run --build build --out DIR
      runs the cases in DIR. Needs a GPU with PyTorch, and of the build only
      lib/libGroutRuntime.so.

Most cases are decode with grouped heads. --filter='-s1-c(512|8192)-' chooses a
few context lengths of these, and --filter='-s(?!1-)' leaves them out.

The peers are the back ends of scaled_dot_product_attention: cuDNN,
FlashAttention and memory-efficient attention. Everything runs in CUDA graphs,
which take turns. Inputs are random. Each result is checked against f64, and 100
replays with poisoned outputs must give the same bits. Prints microseconds (the
median), the largest error of Grout and of the peers, and the time of the
fastest peer divided by Grout's.
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
    """Attention with `heads` heads of queries, and `groups` heads of keys and
    values."""

    batch: int
    heads: int
    groups: int
    queries: int
    keys: int
    size: int
    causal: bool = False
    dtype: str = "f16"
    mask: bool = False

    @property
    def name(self):
        return (
            f"b{self.batch}-h{self.heads}.{self.groups}-s{self.queries}"
            f"-c{self.keys}-d{self.size}"
            + "-causal" * self.causal
            + "-mask" * self.mask
            + (f"-{self.dtype}" if self.dtype != "f16" else "")
        )

    @property
    def flops(self):
        share = 0.5 if self.causal else 1
        return (
            4
            * self.batch
            * self.heads
            * self.queries
            * self.keys
            * self.size
            * share
        )

    @property
    def bytes(self):
        return (
            2
            * self.batch
            * self.size
            * (2 * self.heads * self.queries + 2 * self.groups * self.keys)
        )


CASES = [
    # Short, medium and long sequences, and decode.
    Case(1, 12, 12, 128, 128, 64, True),
    Case(1, 12, 12, 512, 512, 64, True),
    Case(1, 12, 12, 1024, 1024, 64, True),
    Case(8, 12, 12, 128, 128, 64, True),
    Case(8, 16, 16, 128, 128, 64),
    Case(8, 16, 16, 512, 512, 64),
    Case(1, 16, 16, 512, 512, 64),
    Case(1, 32, 8, 128, 128, 128, True),
    Case(1, 32, 8, 512, 512, 128, True),
    Case(1, 32, 8, 1024, 1024, 128, True),
    Case(1, 12, 12, 2048, 2048, 128, True),
    Case(1, 32, 8, 2048, 2048, 128, True),
    Case(1, 32, 8, 8192, 8192, 128, True),
    Case(1, 32, 32, 4096, 4096, 128),
    Case(1, 12, 12, 1, 512, 64),
    Case(8, 12, 12, 1, 2048, 64),
    Case(1, 32, 8, 1, 512, 128),
    Case(1, 32, 8, 1, 2048, 128),
    Case(8, 32, 8, 1, 2048, 128),
    Case(1, 32, 8, 1, 16384, 128),
    # Other sizes, ragged lengths, and masks.
    Case(2, 8, 8, 197, 197, 80),
    Case(2, 12, 12, 197, 197, 64),
    Case(1, 8, 8, 1024, 1024, 256, True),
    Case(1, 16, 16, 777, 777, 96, True),
    Case(1, 32, 8, 512, 512, 128, True, "bf16"),
    Case(1, 12, 12, 512, 512, 64, mask=True),
]

# Heads of queries, heads of keys, and elements of a head, in models that
# decode:
# Qwen2.5 7B, Llama 3.2 3B, Qwen2.5 1.5B, Qwen2.5 14B, Falcon 7B, a group of
# five with few keys, Llama 3 70B, Qwen2.5 0.5B.
GROUPED = [
    (28, 4, 128),
    (24, 8, 128),
    (12, 2, 128),
    (40, 8, 128),
    (71, 1, 64),
    (20, 4, 128),
    (64, 8, 128),
    (14, 2, 64),
]

DECODING = [
    Case(batch, heads, groups, 1, keys, size, dtype=dtype)
    for heads, groups, size in GROUPED
    for batch in (1, 4, 16, 64)
    for keys in (512, 1024, 2048, 4096, 8192, 16384, 32768)
    for dtype in ("f16", "bf16")
]

# Several queries of heads in such groups, and long sequences.
GROUPED_QUERIES = [
    Case(1, 28, 4, 4, 2048, 128),
    Case(4, 28, 4, 16, 2048, 128),
    Case(1, 24, 8, 16, 1024, 128),
    Case(1, 14, 2, 8, 4096, 64),
    Case(1, 28, 4, 1024, 1024, 128, True),
    Case(1, 71, 1, 512, 512, 64, True),
]


def _type(shape, dtype):
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def source(case):
    """Returns the case in MLIR."""
    q = _type((case.batch, case.heads, case.queries, case.size), case.dtype)
    k = _type((case.batch, case.groups, case.keys, case.size), case.dtype)
    mask = _type((case.queries, case.keys), case.dtype)
    attributes = f"scale = {1 / math.sqrt(case.size):.9e} : f32"
    if case.causal:
        attributes += ", causal = 0"
    argument = bias = ""
    if case.mask:
        attributes += ", bias_map = affine_map<(b, h, i, j) -> (i, j)>"
        argument, bias = f", %m: {mask}", f" bias(%m : {mask})"
    return f"""func.func @attention(%q: {q}, %k: {k}, %v: {k}{argument}) -> {q} {{
  %0 = tgemm.attention %q, %k, %v{bias} {{{attributes}}}
    : {q}, {k}, {k} -> {q}
  return %0 : {q}
}}
"""


class _Inputs:
    """Random tensors of a case, and their attention in f64."""

    def __init__(self, torch, case, seed):
        generator = torch.Generator("cuda").manual_seed(seed)
        dtype = {"f16": torch.float16, "bf16": torch.bfloat16}[case.dtype]

        def make(*shape):
            return torch.randn(
                shape, generator=generator, device="cuda", dtype=torch.float32
            ).to(dtype)

        self.case = case
        self.q = make(case.batch, case.heads, case.queries, case.size)
        self.k = make(case.batch, case.groups, case.keys, case.size)
        self.v = make(case.batch, case.groups, case.keys, case.size)
        self.mask = make(case.queries, case.keys) if case.mask else None

    def arguments(self):
        return [self.q, self.k, self.v] + [self.mask] * self.case.mask

    def attend(self, torch, backend):
        with torch.nn.attention.sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(
                self.q,
                self.k,
                self.v,
                attn_mask=self.mask,
                is_causal=self.case.causal,
                enable_gqa=self.case.heads != self.case.groups,
            )

    def exact(self, torch):
        """Computes the result in f64, group by group, because f64 takes much
        memory."""
        case = self.case
        result = torch.empty(self.q.shape, dtype=torch.float64, device="cuda")
        repeat = case.heads // case.groups
        allowed = torch.ones(
            case.queries, case.keys, device="cuda", dtype=torch.bool
        ).tril()
        for batch in range(case.batch):
            for group in range(case.groups):
                key, value = (
                    tensor[batch, group].double() for tensor in (self.k, self.v)
                )
                # All heads of a group at once, where they are small.
                step = repeat if case.queries == 1 else 1
                end = (group + 1) * repeat
                for head in range(group * repeat, end, step):
                    scores = self.q[batch, head : head + step].double() @ key.T
                    scores /= math.sqrt(case.size)
                    if case.causal:
                        scores.masked_fill_(~allowed, -math.inf)
                    if self.mask is not None:
                        scores += self.mask.double()
                    result[batch, head : head + step] = (
                        scores.softmax(-1) @ value
                    )
        return result


def _peers(torch, inputs):
    """Returns the peers that can run the case."""
    backends = torch.nn.attention.SDPBackend
    peers = {}
    for name, backend in (
        ("cudnn", backends.CUDNN_ATTENTION),
        ("flash", backends.FLASH_ATTENTION),
        ("efficient", backends.EFFICIENT_ATTENTION),
    ):
        try:
            inputs.attend(torch, backend)
        except RuntimeError:
            continue
        peers[name] = lambda backend=backend: inputs.attend(torch, backend)
    return peers


def run_case(torch, device, runtime, case, path, args):
    """Returns a line of the table, whether the result is right, and the time of
    the fastest peer over Grout's."""
    from torch_device import Graph

    inputs = _Inputs(torch, case, args.seed)
    session = runtime.session(path, poison=True)
    output = torch.full_like(inputs.q, math.nan)

    def call():
        session.run(inputs.arguments(), [output])
        return output

    exact = inputs.exact(torch)
    error = (call().double() - exact).abs().max().item()
    peers = _peers(torch, inputs)
    worst = max(
        (
            (peer().double() - exact).abs().max().item()
            for peer in peers.values()
        ),
        default=math.nan,
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
    best = min(
        (t for name, t in times.items() if name != "grout"), default=math.nan
    )
    right = same and error <= max(1.5 * worst, 1e-3)
    line = (
        f"{case.name:36} {times['grout']:8.2f} "
        + " ".join(f"{name} {times[name]:8.2f}" for name in peers)
        + f"  error {error:.1e} / {worst:.1e}  ratio "
        f"{best / times['grout']:.2f}"
        f"  {case.flops / times['grout'] / 1e6:5.0f} TFLOP/s"
        + ("" if right else "  WRONG" if same else "  DIFFERS")
    )
    return line, right, best / times["grout"]


if __name__ == "__main__":
    sys.exit(
        cases.main(
            "attention",
            __doc__,
            CASES + DECODING + GROUPED_QUERIES,
            source,
            run_case,
            lambda case: "decoding" if case in DECODING else "attention",
        )
    )
