// A policy that takes too long to find becomes a simpler one, and the user is
// told: a batch is flattened between kernels whose tiles straddle its rows.

// RUN: grout-compile %s --target=cpu --granularity=auto -o %t.grout 2>&1 | FileCheck %s
// RUN: grout-run %t.grout --device=cpu --workers=4 --repeat=3 --check

// CHECK: :[[#@LINE + 10]]:{{[0-9]+}}: remark: each of its tiles waits for all tiles that make operand 0, since it takes too long to find which of them it needs; granularity row tries five times as long
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<3x197x64xf32>, %w: tensor<3x64x65xf32>) -> tensor<591x65xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x197x65xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<3x197x65xf32>) -> tensor<3x197x65xf32>
  %p = linalg.batch_matmul ins(%a, %w : tensor<3x197x64xf32>, tensor<3x64x65xf32>)
    outs(%z : tensor<3x197x65xf32>) -> tensor<3x197x65xf32>
  %q = tensor.collapse_shape %p [[0, 1], [2]] : tensor<3x197x65xf32> into tensor<591x65xf32>
  %e2 = tensor.empty() : tensor<591x65xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<591x65xf32>) outs(%e2 : tensor<591x65xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<591x65xf32>
  %s = linalg.exp ins(%r : tensor<591x65xf32>) outs(%e2 : tensor<591x65xf32>) -> tensor<591x65xf32>
  return %s : tensor<591x65xf32>
}
