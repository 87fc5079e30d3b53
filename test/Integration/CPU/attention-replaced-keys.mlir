// RUN: grout-compile %s --target=cpu -o %t.grout
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s
// RUN: grout-opt %s -grout-set-target=name=cpu -convert-linalg-to-attention | FileCheck %s --check-prefix=OP

// A causal mask by minus infinity, of which a number replaces some keys: these
// are not hidden, and all that the first two queries have.

// CHECK: relative error {{.*}} passes

// OP: tgemm.attention {{.*}} bias(%{{.*}} : tensor<4x4xf32>)
// OP-NOT: causal

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>
func.func @f(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x4x8xf32>, %v: tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %mask = arith.constant dense<[[[[true, true, false, false]]]]> : tensor<1x1x1x4xi1>
  %e0 = tensor.empty() : tensor<1x1x4x4xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) outs(%z0 : tensor<1x1x4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<1x1x4x4xf32>
  %low = arith.constant -3.0e38 : f32
  %infinity = arith.constant 0xFF800000 : f32
  %u = linalg.generic {indexing_maps = [#id, affine_map<(b, h, i, j) -> (b, 0, 0, j)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<1x1x4x4xf32>, tensor<1x1x1x4xi1>) outs(%e0 : tensor<1x1x4x4xf32>) {
  ^bb0(%x: f32, %c: i1, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %ok = arith.cmpi sle, %j, %i : index
    %r = arith.select %ok, %x, %infinity : f32
    %t = arith.select %c, %low, %r : f32
    linalg.yield %t : f32
  } -> tensor<1x1x4x4xf32>
  %w = linalg.softmax dimension(3) ins(%u : tensor<1x1x4x4xf32>) outs(%e0 : tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %oe = tensor.empty() : tensor<1x1x4x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %v : tensor<1x1x4x4xf32>, tensor<1x1x4x8xf32>) outs(%oz : tensor<1x1x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x4x8xf32>
  return %o : tensor<1x1x4x8xf32>
}
