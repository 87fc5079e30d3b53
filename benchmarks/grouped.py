#!/usr/bin/env python3
"""Products of groups of rows: Grout against PyTorch and cuBLAS on a GPU.

  grouped.py compile --build build --out DIR
      compiles all cases into DIR. Needs no GPU.
  grouped.py run --build build --out DIR
      runs the cases in DIR. Needs a GPU with PyTorch, and of the build only
      lib/libGroutRuntime.so.

A case multiplies rows, which are in groups, by the matrix of their group, which
is stored as N x K. One artifact serves all sizes of groups with the same number
of rows in all. The sizes are drawn: uniform (each row is in any group), by a
Zipf law, log-normal, or given.

The peers are torch.nn.functional.grouped_mm; a loop of cuBLAS products in a
graph, for sizes that the host knows, on one stream and on four; and one batch of
products of padded groups, if padding is at most four times the rows. Everything
runs in CUDA graphs, which take turns. Inputs are random. Each result is checked
against f64, and replays with poisoned outputs must give the same bits. Prints
microseconds (the median), the largest error of Grout and of grouped_mm, and the
time of the fastest peer divided by Grout's.
"""

import dataclasses
import math
import random
import statistics
import sys

import cases
import timing

STREAMS = 4
MOST_PADDING = 4


@dataclasses.dataclass(frozen=True)
class Case:
    """`rows` rows of `k` elements in `groups` groups, whose sizes follow
    `law`."""

    model: str
    groups: int
    rows: int
    n: int
    k: int
    law: str = "uniform"
    sizes: tuple = ()

    @property
    def name(self):
        return f"{self.model}-r{self.rows}-{self.law}"

    def draw(self, seed):
        """Returns the number of rows of each group."""
        if self.sizes:
            return list(self.sizes)
        generator = random.Random(f"{self.name}/{seed}")
        weights = {
            "uniform": lambda _: 1.0,
            "zipf1.1": lambda rank: 1 / (1 + rank) ** 1.1,
            "zipf2": lambda rank: 1 / (1 + rank) ** 2,
            "lognormal": lambda _: generator.lognormvariate(0, 1),
        }[self.law]
        shares = [weights(rank) for rank in range(self.groups)]
        generator.shuffle(shares)
        sizes = [0] * self.groups
        for group in generator.choices(range(self.groups), shares, k=self.rows):
            sizes[group] += 1
        return sizes

    def flops(self, sizes):
        return 2 * sum(sizes) * self.n * self.k

    def bytes(self, sizes):
        used = sum(size > 0 for size in sizes)
        return 2 * (used * self.n * self.k + sum(sizes) * (self.n + self.k))


LAWS = ("uniform", "zipf1.1", "zipf2", "lognormal")


def _models():
    """Yields cases: experts of models with 1 to 4,096 tokens."""
    for model, groups, top, shapes in (
        ("mixtral", 8, 2, {"up": (28672, 4096), "down": (4096, 14336)}),
        ("qwen3-30b", 128, 8, {"up": (1536, 2048), "down": (2048, 768)}),
        ("deepseek-v2-lite", 64, 6, {"up": (2816, 2048), "down": (2048, 1408)}),
    ):
        for part, (n, k) in shapes.items():
            for tokens in (1, 16, 256, 4096):
                for law in LAWS[:2] if part == "up" else LAWS[1:2]:
                    yield Case(
                        f"{model}-{part}", groups, top * tokens, n, k, law
                    )


def _given(model, n, k, sizes):
    return Case(model, len(sizes), sum(sizes), n, k, "given", tuple(sizes))


def _around(rows, groups, *seed):
    """Returns sizes from 0.7 to 1.3 times `rows`."""
    generator = random.Random("/".join(map(str, seed)))
    return [int(rows * generator.uniform(0.7, 1.3)) for _ in range(groups)]


CASES = [
    *_models(),
    # Skewed groups.
    *(
        Case(f"skew{groups}", groups, rows, 1536, 2048, law)
        for groups in (8, 32, 128)
        for rows in (64, 512, 4096, 65536)
        for law in LAWS[1:]
    ),
    # Uniform groups, as DeepGEMM is tested.
    *(
        _given(f"deepgemm{groups}x{n}x{k}", n, k, _around(rows, groups, n, k))
        for groups, rows in ((4, 8192), (8, 4096))
        for n, k in ((6144, 7168), (7168, 3072), (4096, 4096), (4096, 2048))
    ),
    # Few rows in each group.
    *(
        Case(f"few{groups}x{size}", groups, groups * size, 4096, 2048)
        for groups in (8, 32)
        for size in (1, 4, 20, 32)
    ),
    # Uneven and even.
    _given("uneven4", 8192, 4096, [1042, 1024, 1018, 1012]),
    _given("even4", 8192, 4096, [1024] * 4),
]


def source(case):
    """Returns the case in MLIR."""
    x = f"tensor<{case.rows}x{case.k}xbf16>"
    w = f"tensor<{case.groups}x{case.n}x{case.k}xbf16>"
    ends = f"tensor<{case.groups}xi32>"
    y = f"tensor<{case.rows}x{case.n}xbf16>"
    return f"""func.func @grouped(%x: {x}, %w: {w}, %ends: {ends}) -> {y} {{
  %0 = tgemm.grouped_matmul %x, %w ends(%ends : {ends}) {{transpose_rhs}}
    : {x}, {w} -> {y}
  return %0 : {y}
}}
"""


class _Inputs:
    """Random tensors of a case, and the products in f64."""

    def __init__(self, torch, case, seed):
        generator = torch.Generator("cuda").manual_seed(seed)

        def make(*shape):
            return torch.randn(
                shape, generator=generator, device="cuda", dtype=torch.bfloat16
            )

        self.sizes = case.draw(seed)
        self.rows = sum(self.sizes)
        self.x = make(case.rows, case.k)
        self.w = make(case.groups, case.n, case.k) / math.sqrt(case.k)
        sizes = torch.tensor(self.sizes, device="cuda")
        self.ends = sizes.cumsum(0).to(torch.int32)

    def parts(self):
        """Yields the rows of each group that has some, and its matrix."""
        begin = 0
        for group, size in enumerate(self.sizes):
            if size:
                yield slice(begin, begin + size), self.w[group].T
            begin += size

    def error(self, y):
        """Returns the largest error of `y`, group by group, because f64 takes
        much memory."""
        return max(
            (y[rows].double() - self.x[rows].double() @ w.double())
            .abs()
            .max()
            .item()
            for rows, w in self.parts()
        )


def _peers(torch, case, inputs):
    """Returns the peers, by name."""
    y = torch.empty(case.rows, case.n, device="cuda", dtype=torch.bfloat16)
    parts = list(inputs.parts())
    streams = [torch.cuda.Stream() for _ in range(STREAMS)]

    def grouped():
        return torch.nn.functional.grouped_mm(
            inputs.x, inputs.w.transpose(1, 2), offs=inputs.ends
        )

    def loop():
        for rows, w in parts:
            torch.mm(inputs.x[rows], w, out=y[rows])
        return y

    def on_streams():
        current = torch.cuda.current_stream()
        for stream in streams:
            stream.wait_stream(current)
        for number, (rows, w) in enumerate(parts):
            with torch.cuda.stream(streams[number % STREAMS]):
                torch.mm(inputs.x[rows], w, out=y[rows])
        for stream in streams:
            current.wait_stream(stream)
        return y

    peers = {"grouped_mm": grouped, "loop": loop, "streams": on_streams}
    longest = max(inputs.sizes)
    if longest * case.groups <= MOST_PADDING * inputs.rows:
        padded = inputs.x.new_zeros(case.groups, longest, case.k)
        # Products of zeros would take less power, and so less time.
        for group, (rows, _) in enumerate(parts):
            padded[group, : rows.stop - rows.start] = inputs.x[rows]
        result = y.new_empty(case.groups, longest, case.n)
        peers["padded"] = lambda: torch.bmm(
            padded, inputs.w.transpose(1, 2), out=result
        )
    return peers


def run_case(torch, device, runtime, case, path, args):
    """Returns a line of the table, whether the result is right, and the time of
    the fastest peer over Grout's."""
    from torch_device import Graph

    inputs = _Inputs(torch, case, args.seed)
    session = runtime.session(path, poison=True)
    output = torch.full(
        (case.rows, case.n), math.nan, device="cuda", dtype=torch.bfloat16
    )

    def call():
        session.run([inputs.x, inputs.w, inputs.ends], [output])
        return output

    call()
    error = inputs.error(output)
    # Rows that are in no group are not written.
    untouched = bool(output[inputs.rows :].isnan().all())
    peers = _peers(torch, case, inputs)
    worst = inputs.error(peers["grouped_mm"]())
    count = timing.iterations(
        case.flops(inputs.sizes), case.bytes(inputs.sizes)
    )
    graphs = {"grout": Graph(torch, call, count)}
    graphs.update(
        (name, Graph(torch, peer, count)) for name, peer in peers.items()
    )
    written = output[: inputs.rows]
    same = cases.check_replays(
        torch, Graph(torch, call, 1), written, args.replays
    )
    samples = timing.cool(
        device, graphs, count, args.bursts, 0.02, random.Random(args.seed)
    )
    times = {
        name: statistics.median(values) for name, values in samples.items()
    }
    best = min(t for name, t in times.items() if name != "grout")
    right = same and untouched and error <= max(1.5 * worst, 1e-3)
    bound = max(
        case.flops(inputs.sizes) / 750e6, case.bytes(inputs.sizes) / 4.2e6
    )
    line = (
        f"{case.name:36} {times['grout']:8.2f} "
        + " ".join(f"{name} {times[name]:8.2f}" for name in peers)
        + f"  error {error:.1e} / {worst:.1e}  ratio "
        f"{best / times['grout']:.2f}  loop {times['loop'] / times['grout']:.2f}"
        f"  {bound / times['grout'] * 100:3.0f} % of the bound"
        + ("" if right else "  WRONG" if same else "  DIFFERS")
    )
    return line, right, best / times["grout"]


def _group(case):
    if case.law == "given":
        return "given sizes"
    if case.model.startswith("few"):
        return "few rows"
    return "uniform" if case.law == "uniform" else "skewed"


if __name__ == "__main__":
    sys.exit(cases.main("grouped", __doc__, CASES, source, run_case, _group))
