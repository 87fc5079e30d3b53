"""judge-model.py GROUT-TUNE BENCHMARKS: prints how good the model of this build
is by the times in the repository. Fails where they are not read without a
warning, or lack a shape, or where the model has become worse than the documents
say: within 5 % of the fastest tiling for 95 % of the products of four models,
and for 89 % of those of twelve others; for 71 chains of both; and, on an H100,
for 11 products."""

import pathlib
import re
import subprocess
import sys

tool, benchmarks = map(pathlib.Path, sys.argv[1:3])


def report(data, configs, target):
    return subprocess.run(
        [
            sys.executable,
            tool,
            "report",
            f"--target={target}",
            benchmarks / "data" / data,
            *(benchmarks / "configs" / name for name in configs),
        ],
        capture_output=True,
        text=True,
    )


def judge(data, configs, kind, shapes, least, target="h200"):
    """At least `least` of a kind must be within 5 %; the file has `shapes`."""
    done = report(data, configs, target)
    summary = done.stdout.rpartition("|\n")[2]
    print(summary.strip(), done.stderr, sep="\n", flush=True)
    close = re.search(
        rf"within 5 % of the fastest for (\d+) of \d+ {kind}", summary
    )
    if (
        done.returncode
        or done.stderr
        or not close
        or f"{shapes} shapes" not in summary
    ):
        sys.exit(f"judge-model: {data} lacks times, or they were not read")
    if int(close[1]) < least:
        sys.exit(
            f"judge-model: {least} {kind} of {data} at least should be "
            "within 5 %"
        )


judge("h200.jsonl", ["gemm.json", "mlp.json"], "products", 170, 163)
judge("h200_models.jsonl", ["mlp_models.json"], "products", 116, 104)
judge("h100.jsonl", ["mlp_small.json"], "products", 44, 11, target="h100")
judge(
    "h200_chains.jsonl",
    ["mlp.json", "mlp_small.json", "mlp_models.json"],
    "chains",
    132,
    71,
)
