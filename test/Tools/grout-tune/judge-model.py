"""judge-model.py GROUT-TUNE BENCHMARKS: prints how good the model of this build
is by the times in the repository. Fails where they are not read without a
warning, or lack a shape."""

import pathlib
import re
import subprocess
import sys

tool, benchmarks = map(pathlib.Path, sys.argv[1:3])
configs = [benchmarks / "configs" / name
           for name in ("gemm.json", "mlp.json")]
done = subprocess.run([sys.executable, tool, "report",
                       benchmarks / "data" / "h200.jsonl", *configs],
                      capture_output=True, text=True)
table, _, summary = done.stdout.rpartition("|\n")
print(summary.strip(), done.stderr, sep="\n")
complete = (re.search(r"within 5 % of the fastest for \d+ of 170 products",
                      summary) and "170 shapes" in summary)
sys.exit(0 if done.returncode == 0 and not done.stderr and complete else 1)
