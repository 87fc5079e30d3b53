"""judge-model.py GROUT-TUNE BENCHMARKS: prints how good the model of this build
is by the times in the repository. Fails where they are not read without a
warning, or lack a shape, or where the model has become worse than the documents
say: within 5 % of the fastest tiling for 96 % of the products."""

import pathlib
import re
import subprocess
import sys

PRODUCTS, CLOSE = 170, 163

tool, benchmarks = map(pathlib.Path, sys.argv[1:3])
configs = [benchmarks / "configs" / name
           for name in ("gemm.json", "mlp.json")]
done = subprocess.run([sys.executable, tool, "report",
                       benchmarks / "data" / "h200.jsonl", *configs],
                      capture_output=True, text=True)
table, _, summary = done.stdout.rpartition("|\n")
print(summary.strip(), done.stderr, sep="\n")
close = re.search(rf"within 5 % of the fastest for (\d+) of {PRODUCTS} products",
                  summary)
if (done.returncode or done.stderr or not close
        or f"{PRODUCTS} shapes" not in summary):
    sys.exit("judge-model: times are missing, or were not read")
if int(close[1]) < CLOSE:
    sys.exit(f"judge-model: {CLOSE} products at least should be within 5 %")
