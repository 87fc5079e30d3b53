"""Prints a kernel whose tile goes through shared memory once for each of N reads."""

import sys

count = int(sys.argv[1])
source = f"64x{64 + count}xf64"
reads = ", ".join(
    f"%X[(d0, d1) -> (d1, d0 + {i})] : memref<{source}>" for i in range(count)
)
elements = ", ".join(f"%a{i}: f64" for i in range(count))
sums = "\n".join(
    f"      %s{i} = arith.addf %{f's{i - 1}' if i > 1 else 'a0'}, %a{i} : f64"
    for i in range(1, count)
)
print(f"""func.func @sum(%x: tensor<{source}>) -> tensor<64x64xf64> {{
  %e = tensor.empty() : tensor<64x64xf64>
  %y = scop.kernel ins(%x : tensor<{source}>) outs(%e : tensor<64x64xf64>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_x],
                @S = (d0, d1) -> (d0, d1)> -> tensor<64x64xf64> {{
  ^bb0(%X: memref<{source}>, %Y: memref<64x64xf64>):
    scop.stmt @S domain [64, 64] reads({reads})
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x64xf64>) {{
    ^bb0({elements}):
{sums}
      scop.yield %s{count - 1} : f64
    }}
  }}
  return %y : tensor<64x64xf64>
}}""")
