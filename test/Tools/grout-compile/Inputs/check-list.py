"""check-list.py LIST FOLDER GROUT-COMPILE: every product of a list of tilings,
with every tiling that is listed, compiles to MLIR, and has the key under which
it is listed."""

import json
import pathlib
import subprocess
import sys

functions = json.loads(pathlib.Path(sys.argv[1]).read_text())["functions"]
folder, program = pathlib.Path(sys.argv[2]), sys.argv[3]
folder.mkdir(exist_ok=True)


def run(path, *options):
    return subprocess.run(
        [program, path, "--target=h200", *options],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


compiled = 0
for function in functions:
    for product in function["products"]:
        for candidate in product["candidates"]:
            path = folder / f"{compiled}.mlir"
            path.write_text(
                "module attributes {tgemm.tilings = [#tgemm.tiling"
                f"{candidate['tiling']}]}} {{\n"
                f"{product['source']}\n}}\n"
            )
            (only,) = json.loads(run(path, "--list-tilings=1"))["functions"]
            assert only["key"] == product["key"], (only, product)
            assert only["inputs"] == product["inputs"]
            (given,) = only["products"]
            assert given["choice"] == candidate["tiling"], given
            # A tiling that is given refines none.
            candidate.pop("refines", None)
            assert given["candidates"] == [candidate], given
            run(path, "--emit=mlir", "--no-reference")
            compiled += 1
assert compiled == 5, compiled
