#!/usr/bin/env python3
"""MLPs of large models: Grout against cuBLAS, in one run on one GPU.

  mlp.py compile --build build --out DIR [--config mlp.json]
      writes one artifact for each model, M and mode. Needs no GPU.
  mlp.py run --build build --out DIR [--config mlp.json]
      checks and times them. Needs a GPU and PyTorch, and of the build only
      libGroutRuntime.so.

`run` checks every result against f32 on the same data, replays a CUDA graph of
every persistent artifact with poisoned intermediates and compares all results
bit by bit, and prints microseconds next to cuBLAS's (PyTorch's matmul and
activation in a CUDA graph): medians over bursts that are interleaved, with
20 ms of idle before each.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

import mlp_ir

MODES = ("persistent", "serial", "pdl")


def artifact_path(out, model, m, mode):
    return pathlib.Path(out) / f"{model['name']}-{m}-{mode}.grout"


def compile_all(args, models):
    compiler = pathlib.Path(args.build) / "bin" / "grout-compile"
    pathlib.Path(args.out).mkdir(parents=True, exist_ok=True)
    for model in models:
        for m in model["M"]:
            source = mlp_ir.mlp(m, model["hidden"], model["inner"],
                                model["gated"], model["dtype"])
            for mode in MODES:
                path = artifact_path(args.out, model, m, mode)
                start = time.monotonic()
                subprocess.run(
                    [compiler, "-", "--target=h200", f"--mode={mode}",
                     "--no-reference", "-o", path],
                    input=source, text=True, check=True)
                print(f"{path}: {time.monotonic() - start:.2f} s", flush=True)


def capture(torch, body, iterations):
    """A CUDA graph of `iterations` calls of body."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        body()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(iterations):
            body()
    return graph


def time_interleaved(torch, graphs, iterations, bursts):
    """Median and spread of microseconds a call, for each graph."""
    samples = {name: [] for name in graphs}
    for _ in range(bursts):
        for name, graph in graphs.items():
            torch.cuda.synchronize()
            time.sleep(0.02)
            start = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            start.record()
            graph.replay()
            end.record()
            end.synchronize()
            samples[name].append(start.elapsed_time(end) * 1e3 / iterations)
    return {name: (statistics.median(values), min(values), max(values))
            for name, values in samples.items()}


def reference(torch, model, x, weights):
    """The MLP in f32; the intermediate is not rounded."""
    wide = [w.float() for w in weights]
    x = x.float()
    if model["gated"]:
        h = torch.nn.functional.silu(x @ wide[0]) * (x @ wide[1])
    else:
        h = torch.nn.functional.gelu(x @ wide[0], approximate="tanh")
    return h @ wide[-1]


def peer(torch, model, x, weights):
    if model["gated"]:
        h = torch.nn.functional.silu(x @ weights[0]) * (x @ weights[1])
    else:
        h = torch.nn.functional.gelu(x @ weights[0], approximate="tanh")
    return h @ weights[-1]


def fused_peer(torch, model, x, weights):
    """cuBLASLt with GELU in its epilogue, for the plain MLP."""
    bias = torch.zeros(model["inner"], dtype=x.dtype, device=x.device)

    def body():
        h = torch._addmm_activation(bias, x, weights[0], use_gelu=True)
        return h @ weights[-1]
    return body


def run_all(args, models):
    import torch
    import grout_runtime
    torch.backends.cuda.matmul.allow_tf32 = False
    runtime = grout_runtime.Runtime(
        pathlib.Path(args.build) / "lib" / "libGroutRuntime.so")
    torch.manual_seed(args.seed)
    failed = False
    rows = []
    for model in models:
        dtype = {"f16": torch.float16, "bf16": torch.bfloat16}[model["dtype"]]

        def random(rows_, columns, scale):
            values = torch.rand(rows_, columns, device="cuda") * 2 - 1
            return (values * scale).to(dtype)

        hidden, inner = model["hidden"], model["inner"]
        shapes = [(hidden, inner)] * (2 if model["gated"] else 1)
        weights = [random(*shape, shape[0] ** -0.5) for shape in shapes]
        weights.append(random(inner, hidden, inner ** -0.5))
        for m in model["M"]:
            x = random(m, hidden, 1.0)
            want = reference(torch, model, x, weights)
            alive = []  # Graphs use memory that nothing else keeps.
            graphs = {"cuBLAS": capture(
                torch, lambda: peer(torch, model, x, weights),
                args.iterations)}
            if not model["gated"]:
                alive.append(fused_peer(torch, model, x, weights))
                graphs["cuBLAS fused"] = capture(torch, alive[-1],
                                                 args.iterations)
            error = {}
            for mode in MODES:
                path = artifact_path(args.out, model, m, mode)
                if not path.exists():
                    sys.exit(f"{path} is missing; run mlp.py compile first")
                y = torch.full((m, hidden), float("nan"), dtype=dtype,
                               device="cuda")
                session = runtime.session(path)
                alive += [session, y]
                session.run([x, *weights], [y])
                torch.cuda.synchronize()
                error[mode] = ((y.float() - want).norm() /
                               want.norm()).item()
                failed |= not error[mode] < args.tolerance
                graphs[mode] = capture(
                    torch, lambda s=session, y=y: s.run([x, *weights], [y]),
                    args.iterations)
            times = time_interleaved(torch, graphs, args.iterations,
                                     args.bursts)
            best = min(times[name][0] for name in times
                       if name.startswith("cuBLAS"))
            row = {"model": model["name"], "M": m, "error": error,
                   "us": {name: time[0] for name, time in times.items()},
                   "spread": {name: time[1:] for name, time in times.items()},
                   "ratio": best / times["persistent"][0]}
            rows.append(row)
            columns = "  ".join(f"{name} {time[0]:8.1f}"
                                for name, time in times.items())
            print(f"{row['model']:16} M={m:5}  {columns}  cuBLAS/persistent "
                  f"{row['ratio']:.3f}  error "
                  + " ".join(f"{error[mode]:.1e}" for mode in MODES),
                  flush=True)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1))
    if failed:
        sys.exit("a result was wrong")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["compile", "run"])
    parser.add_argument("--build", default="build", help="Grout's build tree")
    parser.add_argument("--out", default="build/benchmarks/mlp",
                        help="where the artifacts are")
    parser.add_argument("--config", type=pathlib.Path,
                        default=pathlib.Path(__file__).with_name("mlp.json"))
    parser.add_argument("--iterations", type=int, default=20,
                        help="calls in one graph")
    parser.add_argument("--bursts", type=int, default=7)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--json", help="write all figures there")
    args = parser.parse_args()
    models = json.loads(args.config.read_text())["mlp"]
    (compile_all if args.command == "compile" else run_all)(args, models)


if __name__ == "__main__":
    main()
