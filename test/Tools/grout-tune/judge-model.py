"""judge-model.py GROUT-TUNE BENCHMARKS: prints how good the model of this build
is by the times in the repository. Fails where they are not read without a
warning, or lack a shape, or where the model has become worse than the documents
say: within 5 % of the fastest tiling for 95 % of the products of four models,
and for 88 % of those of twelve others; and for 80 chains of both."""

import pathlib
import re
import subprocess
import sys

tool, benchmarks = map(pathlib.Path, sys.argv[1:3])


def report(data, configs):
    return subprocess.run(
        [sys.executable, tool, "report", benchmarks / "data" / data,
         *(benchmarks / "configs" / name for name in configs)],
        capture_output=True, text=True)


def judge(data, configs, products, least):
    done = report(data, configs)
    table, _, summary = done.stdout.rpartition("|\n")
    print(summary.strip(), done.stderr, sep="\n", flush=True)
    close = re.search(
        rf"within 5 % of the fastest for (\d+) of {products} products", summary)
    if (done.returncode or done.stderr or not close
            or f"{products} shapes" not in summary):
        sys.exit(f"judge-model: {data} lacks times, or they were not read")
    if int(close[1]) < least:
        sys.exit(f"judge-model: {least} products of {data} at least should be "
                 "within 5 %")


def judge_chains(data, configs, chains, least):
    done = report(data, configs)
    summary = done.stdout.rpartition("|\n")[2]
    print(summary.strip(), done.stderr, sep="\n", flush=True)
    close = re.search(r"within 5 % of the fastest for (\d+) of (\d+) chains",
                      summary)
    if (done.returncode or done.stderr or not close
            or f"{chains} shapes" not in summary):
        sys.exit(f"judge-model: {data} lacks times, or they were not read")
    if int(close[1]) < least:
        sys.exit(f"judge-model: {least} chains of {data} at least should be "
                 "within 5 %")


judge("h200.jsonl", ["gemm.json", "mlp.json"], 170, 163)
judge("h200_models.jsonl", ["mlp_models.json"], 116, 103)
judge_chains("h200_chains.jsonl",
             ["mlp.json", "mlp_small.json", "mlp_models.json"], 132, 80)
