"""Compiles a function under odd names for every target, and runs those for the
CPU: function_names.py COMPILER RUNNER FOLDER."""

import pathlib
import subprocess
import sys

NAMES = [
    "a-b",
    "a b",
    "a/b",
    "a,b",
    "a@b",
    "a.b",
    "$",
    "_",
    "1a",
    "9",
    "kernel",
    "größe",
    "名",
    "'",
    "%x",
    "a" * 900,
]

PROGRAM = """
func.func @"{name}"(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>)
    -> tensor<64x64xf16> {{
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x64xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<64x64xf16>)
    -> tensor<64x64xf16>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>)
    outs(%z : tensor<64x64xf16>) -> tensor<64x64xf16>
  %r = linalg.exp ins(%p : tensor<64x64xf16>) outs(%e : tensor<64x64xf16>)
    -> tensor<64x64xf16>
  return %r : tensor<64x64xf16>
}}
"""


def main(compiler, runner, folder):
    source = pathlib.Path(folder) / "source.mlir"
    artifact = pathlib.Path(folder) / "artifact.grout"
    for name in NAMES:
        source.write_text(PROGRAM.format(name=name))
        for target in "cpu", "h200":
            subprocess.run(
                [compiler, source, f"--target={target}", "-o", artifact],
                check=True,
            )
            info = subprocess.run(
                [runner, artifact, "--info"],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            if name not in info:
                sys.exit(
                    f"the artifact for {target} does not name {name!r}:\n{info}"
                )
            if target == "cpu":
                subprocess.run(
                    [runner, artifact, "--device=cpu", "--check"],
                    check=True,
                    stdout=subprocess.DEVNULL,
                )


if __name__ == "__main__":
    main(*sys.argv[1:])
