// RUN: grout-opt %s --split-input-file --verify-affine-maps --verify-diagnostics
// RUN: not grout-compile %s --target=cpu --no-reference -o %t 2>&1 | FileCheck %s
// RUN: not grout-compile %s --target=h200 -o %t 2>&1 | FileCheck %s

// CHECK: error: 'linalg.generic' op has a map of which

#id = affine_map<(i, j) -> (i, j)>
func.func @indexing(%x: tensor<1x160xf32>, %y: tensor<1x160xf32>) -> tensor<1x160xf32> {
  %e = tensor.empty() : tensor<1x160xf32>
  // expected-error @+1 {{has a map of which 'd0 ceildiv -1' divides by less than 1}}
  %r = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i ceildiv -1, j)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<1x160xf32>, tensor<1x160xf32>) outs(%e : tensor<1x160xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<1x160xf32>
  return %r : tensor<1x160xf32>
}

// -----

func.func @apply(%i: index) -> index {
  // expected-error @+1 {{has a map of which 'd0 mod 0' divides by less than 1}}
  %0 = affine.apply affine_map<(d0) -> (d0 mod 0)>(%i)
  return %0 : index
}

// -----

func.func @right(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 mod 2 + d0 floordiv 3)>(%i)
  return %0 : index
}
