"""Compiles ops that run over no elements, and runs them on the CPU: results are what outputs start as."""

import array
import math
import pathlib
import struct
import subprocess
import sys

# Each has %x, of 8x8, %z, zero, %e, of undefined elements, and %r, a row; %y is the result.
CASES = {
    "matmul_k": """
  %a = tensor.extract_slice %x[0, 0] [8, 0] [1, 1] : tensor<8x8xf32> to tensor<8x0xf32>
  %b = tensor.extract_slice %x[0, 0] [0, 8] [1, 1] : tensor<8x8xf32> to tensor<0x8xf32>
  %y = linalg.matmul ins(%a, %b : tensor<8x0xf32>, tensor<0x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "matmul_k_onto_argument": """
  %a = tensor.extract_slice %x[0, 0] [8, 0] [1, 1] : tensor<8x8xf32> to tensor<8x0xf32>
  %b = tensor.extract_slice %x[0, 0] [0, 8] [1, 1] : tensor<8x8xf32> to tensor<0x8xf32>
  %y = linalg.matmul ins(%a, %b : tensor<8x0xf32>, tensor<0x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "matmul_k_with_epilogue": """
  %a = tensor.extract_slice %x[0, 0] [8, 0] [1, 1] : tensor<8x8xf32> to tensor<8x0xf32>
  %b = tensor.extract_slice %x[0, 0] [0, 8] [1, 1] : tensor<8x8xf32> to tensor<0x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x0xf32>, tensor<0x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.add ins(%p, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "matmul_m": """
  %a = tensor.extract_slice %x[0, 0] [0, 8] [1, 1] : tensor<8x8xf32> to tensor<0x8xf32>
  %o = tensor.empty() : tensor<0x8xf32>
  %p = linalg.matmul ins(%a, %x : tensor<0x8xf32>, tensor<8x8xf32>) outs(%o : tensor<0x8xf32>) -> tensor<0x8xf32>
  %y = tensor.insert_slice %p into %x[0, 0] [0, 8] [1, 1] : tensor<0x8xf32> into tensor<8x8xf32>""",
    "matmul_n": """
  %b = tensor.extract_slice %x[0, 0] [8, 0] [1, 1] : tensor<8x8xf32> to tensor<8x0xf32>
  %o = tensor.empty() : tensor<8x0xf32>
  %p = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x0xf32>) outs(%o : tensor<8x0xf32>) -> tensor<8x0xf32>
  %c = arith.constant 2.0 : f32
  %y = tensor.pad %p low[0, 3] high[0, 5] { ^bb0(%i: index, %j: index): tensor.yield %c : f32 } : tensor<8x0xf32> to tensor<8x8xf32>""",
    "batch_k": """
  %v = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 8, 1] : tensor<8x8xf32> into tensor<8x8x1xf32>
  %a = tensor.extract_slice %v[0, 0, 0] [8, 8, 0] [1, 1, 1] : tensor<8x8x1xf32> to tensor<8x8x0xf32>
  %b = tensor.extract_slice %v[0, 0, 0] [8, 0, 1] [1, 1, 1] : tensor<8x8x1xf32> to tensor<8x0x1xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<8x8x0xf32>, tensor<8x0x1xf32>) outs(%v : tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
  %q = tensor.collapse_shape %p [[0], [1, 2]] : tensor<8x8x1xf32> into tensor<8x8xf32>
  %y = linalg.exp ins(%q : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>""",
    "batch_batch": """
  %a = tensor.empty() : tensor<0x8x8xf32>
  %p = linalg.batch_matmul ins(%a, %a : tensor<0x8x8xf32>, tensor<0x8x8xf32>) outs(%a : tensor<0x8x8xf32>) -> tensor<0x8x8xf32>
  %y = linalg.reduce ins(%p : tensor<0x8x8xf32>) outs(%z : tensor<8x8xf32>) dimensions = [0]
    (%s: f32, %t: f32) { %u = arith.addf %s, %t : f32 linalg.yield %u : f32 }""",
    "elementwise": """
  %a = tensor.extract_slice %x[0, 0] [0, 8] [1, 1] : tensor<8x8xf32> to tensor<0x8xf32>
  %o = tensor.empty() : tensor<0x8xf32>
  %p = linalg.exp ins(%a : tensor<0x8xf32>) outs(%o : tensor<0x8xf32>) -> tensor<0x8xf32>
  %y = tensor.insert_slice %p into %z[3, 0] [0, 8] [1, 1] : tensor<0x8xf32> into tensor<8x8xf32>""",
    "reduction": """
  %a = tensor.extract_slice %x[0, 0] [8, 0] [1, 1] : tensor<8x8xf32> to tensor<8x0xf32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<8x0xf32>) outs(%r : tensor<8xf32>) dimensions = [1]
  %y = linalg.broadcast ins(%s : tensor<8xf32>) outs(%e : tensor<8x8xf32>) dimensions = [0]""",
    "softmax": """
  %a = tensor.extract_slice %x[0, 0] [8, 0] [1, 1] : tensor<8x8xf32> to tensor<8x0xf32>
  %o = tensor.empty() : tensor<8x0xf32>
  %p = linalg.softmax dimension(1) ins(%a : tensor<8x0xf32>) outs(%o : tensor<8x0xf32>) -> tensor<8x0xf32>
  %s = linalg.reduce { arith.maximumf } ins(%p : tensor<8x0xf32>) outs(%r : tensor<8xf32>) dimensions = [1]
  %y = linalg.broadcast ins(%s : tensor<8xf32>) outs(%e : tensor<8x8xf32>) dimensions = [1]""",
    "convolution": """
  %a = tensor.empty() : tensor<1x8x8x0xf32>
  %w = tensor.empty() : tensor<1x1x0x1xf32>
  %i = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [1, 8, 8, 1] : tensor<8x8xf32> into tensor<1x8x8x1xf32>
  %p = linalg.conv_2d_nhwc_hwcf ins(%a, %w : tensor<1x8x8x0xf32>, tensor<1x1x0x1xf32>) outs(%i : tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
  %q = tensor.collapse_shape %p [[0, 1], [2, 3]] : tensor<1x8x8x1xf32> into tensor<8x8xf32>
  %y = linalg.abs ins(%q : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>""",
}

FUNCTION = """func.func @{name}(%x: tensor<8x8xf32>, %r: tensor<8xf32>) -> tensor<8x8xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>{body}
  return %y : tensor<8x8xf32>
}}
"""


X = [i / 16 - 2 for i in range(64)]
ROW = list(range(8))
EXPECTED = {
    "matmul_k": [0] * 64,
    "matmul_k_onto_argument": X,
    "matmul_k_with_epilogue": X,
    "matmul_m": X,
    "matmul_n": [2] * 64,
    "batch_k": [math.exp(x) for x in X],
    "batch_batch": [0] * 64,
    "elementwise": [0] * 64,
    "reduction": ROW * 8,
    "softmax": [i for i in ROW for _ in ROW],
    "convolution": [abs(x) for x in X],
}


def write_array(path, values, shape):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(117) + "\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + array.array("f", values).tobytes()
    )


def read_array(path):
    data = path.read_bytes()
    return array.array("f", data[10 + struct.unpack_from("<H", data, 8)[0] :])


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command} exits with {done.returncode}: {done.stderr}")


def check(name, compiler, runner, folder):
    source, artifact, output = (
        folder / f"{name}.{end}" for end in ("mlir", "grout", "npy")
    )
    source.write_text(FUNCTION.format(name=name, body=CASES[name]))
    run(compiler, source, "--target=h200", "-o", artifact)
    run(compiler, source, "--target=cpu", "-o", artifact)
    run(
        runner,
        artifact,
        "--check",
        f"--input=x={folder / 'x.npy'}",
        f"--input=r={folder / 'r.npy'}",
        f"--output=result0={output}",
    )
    found = read_array(output)
    if not all(
        math.isclose(a, b, rel_tol=1e-5)
        for a, b in zip(found, EXPECTED[name], strict=True)
    ):
        sys.exit(f"{name} is {found}")


def main():
    compiler, runner, folder = sys.argv[1:]
    path = pathlib.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    write_array(path / "x.npy", X, (8, 8))
    write_array(path / "r.npy", ROW, (8,))
    for name in CASES:
        check(name, compiler, runner, path)


if __name__ == "__main__":
    main()
