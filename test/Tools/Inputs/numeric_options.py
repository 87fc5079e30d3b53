"""Gives the numeric options of Grout's passes numbers that are too small or too
large: each is taken or refused, and none crashes grout-opt.

usage: numeric_options.py GROUT-OPT SOURCE-FOLDER INPUT.mlir...
"""

import pathlib
import re
import subprocess
import sys

NUMBERS = [
    "-9223372036854775808",
    "-1",
    "0",
    "9223372036854775807",
    "18446744073709551616",
]
# What passes work on: linalg, kernels without and with a schedule, chains.
TARGET = "--grout-set-target=name=h200"
BEFORE = [
    [TARGET],
    [TARGET, "--convert-linalg-to-scop"],
    [TARGET, "--convert-linalg-to-scop", "--scop-schedule"],
    [
        TARGET,
        "--convert-linalg-to-tgemm",
        "--tgemm-assign-tiling",
        "--tsync-form-chains=mode=persistent",
        "--tsync-derive-dependences",
    ],
]


def numeric_options(source):
    """(pass, option) of all that take a number, as their definitions say."""
    for path in sorted(pathlib.Path(source, "include").rglob("Passes.td")):
        for part in re.split(r"\ndef ", path.read_text())[1:]:
            name = re.search(r'Pass<"([^"]+)"', part)
            for option in re.finditer(
                r'Option<"\w+",\s*"([^"]+)",\s*"(?:u?int64_t|unsigned)"', part
            ):
                yield name[1], option[1]


def main():
    program, source, *inputs = sys.argv[1:]
    options = list(numeric_options(source))
    if len(options) < 10:
        sys.exit(f"found only {options}")
    for path in inputs:
        for before in BEFORE:
            prepared = subprocess.run(
                [program, path, *before], capture_output=True
            )
            if prepared.returncode != 0:
                continue
            for name, option in options:
                for number in NUMBERS:
                    argument = f"--{name}={option}={number}"
                    done = subprocess.run(
                        [program, "-", argument],
                        input=prepared.stdout,
                        capture_output=True,
                        timeout=60,
                    )
                    if done.returncode not in (0, 1):
                        sys.exit(
                            f"{path} {before} {argument}: exit status "
                            f"{done.returncode}"
                        )


if __name__ == "__main__":
    main()
