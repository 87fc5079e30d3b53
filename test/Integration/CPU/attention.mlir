// RUN: grout-opt %s -grout-set-target=name=cpu -convert-linalg-to-attention | FileCheck %s --check-prefix=OP
// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=5 | FileCheck %s
// RUN: grout-compile %s --mode=persistent -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=5 | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=tile -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=1 --check --repeat=2 | FileCheck %s
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=5 --inject-delays=7 | FileCheck %s

// A layer of attention between two products: 4 heads of queries and 2 of keys,
// which are parts of one product's columns, a bias, and a causal mask that
// leaves the first three queries without keys: guards make them 0. The
// reference is made from what is below, in which there is no attention.

// CHECK: runs: all bitwise equal
// CHECK: relative error {{.*}} passes

// OP: tgemm.attention {{.*}} bias(%{{.*}} : tensor<4x77x77xf16>)
// OP-SAME: causal = -3 : i64
// OP-SAME: zero_without_keys}
// OP-SAME: tensor<1x77x4x8xf16>, tensor<1x77x2x8xf16>, tensor<1x77x2x8xf16> -> tensor<1x77x4x8xf16>

#q = affine_map<(g, r, i, j, d) -> (i, g, r, d)>
#k = affine_map<(g, r, i, j, d) -> (j, g, d)>
#s = affine_map<(g, r, i, j, d) -> (g, r, i, j)>
#id = affine_map<(g, r, i, j) -> (g, r, i, j)>
#row = affine_map<(g, r, i, j) -> (g, r, i)>
#p = affine_map<(g, r, i, e, j) -> (g, r, i, j)>
#v = affine_map<(g, r, i, e, j) -> (j, g, e)>
#o = affine_map<(g, r, i, e, j) -> (i, g, r, e)>

func.func @attention(%x: tensor<77x96xf16>, %w: tensor<96x64xf16>, %bias: tensor<4x77x77xf16>, %u: tensor<32x96xf16>) -> tensor<77x96xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.375 : f32
  %three = arith.constant 3 : index

  %he = tensor.empty() : tensor<77x64xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<77x64xf32>) -> tensor<77x64xf32>
  %hw = linalg.matmul ins(%x, %w : tensor<77x96xf16>, tensor<96x64xf16>) outs(%hz : tensor<77x64xf32>) -> tensor<77x64xf32>
  %hn = tensor.empty() : tensor<77x64xf16>
  %h = linalg.map { arith.truncf } ins(%hw : tensor<77x64xf32>) outs(%hn : tensor<77x64xf16>)
  %q0 = tensor.extract_slice %h[0, 0] [77, 32] [1, 1] : tensor<77x64xf16> to tensor<77x32xf16>
  %k0 = tensor.extract_slice %h[0, 32] [77, 16] [1, 1] : tensor<77x64xf16> to tensor<77x16xf16>
  %v0 = tensor.extract_slice %h[0, 48] [77, 16] [1, 1] : tensor<77x64xf16> to tensor<77x16xf16>
  %q = tensor.expand_shape %q0 [[0], [1, 2, 3]] output_shape [77, 2, 2, 8] : tensor<77x32xf16> into tensor<77x2x2x8xf16>
  %k = tensor.expand_shape %k0 [[0], [1, 2]] output_shape [77, 2, 8] : tensor<77x16xf16> into tensor<77x2x8xf16>
  %v = tensor.expand_shape %v0 [[0], [1, 2]] output_shape [77, 2, 8] : tensor<77x16xf16> into tensor<77x2x8xf16>
  %b = tensor.expand_shape %bias [[0, 1], [2], [3]] output_shape [2, 2, 77, 77] : tensor<4x77x77xf16> into tensor<2x2x77x77xf16>

  %se = tensor.empty() : tensor<2x2x77x77xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x2x77x77xf32>) -> tensor<2x2x77x77xf32>
  %products = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<77x2x2x8xf16>, tensor<77x2x8xf16>) outs(%sz : tensor<2x2x77x77xf32>) {
  ^bb0(%y: f16, %z: f16, %acc: f32):
    %yw = arith.extf %y : f16 to f32
    %zw = arith.extf %z : f16 to f32
    %m = arith.mulf %yw, %zw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x2x77x77xf32>
  %scores = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%products, %b : tensor<2x2x77x77xf32>, tensor<2x2x77x77xf16>) outs(%se : tensor<2x2x77x77xf32>) {
  ^bb0(%y: f32, %z: f16, %out: f32):
    %scaled = arith.mulf %y, %scale : f32
    %zw = arith.extf %z : f16 to f32
    %sum = arith.addf %scaled, %zw : f32
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %last = arith.subi %i, %three : index
    %c = arith.cmpi sle, %j, %last : index
    %score = arith.select %c, %sum, %lowest : f32
    linalg.yield %score : f32
  } -> tensor<2x2x77x77xf32>

  %re = tensor.empty() : tensor<2x2x77xf32>
  %rl = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x2x77xf32>) -> tensor<2x2x77xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x2x77xf32>) -> tensor<2x2x77xf32>
  %max = linalg.reduce { arith.maximumf } ins(%scores : tensor<2x2x77x77xf32>) outs(%rl : tensor<2x2x77xf32>) dimensions = [3]
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %max : tensor<2x2x77x77xf32>, tensor<2x2x77xf32>) outs(%se : tensor<2x2x77x77xf32>) {
  ^bb0(%y: f32, %m: f32, %out: f32):
    %c = arith.cmpf oeq, %m, %lowest : f32
    %origin = arith.select %c, %zero, %m : f32
    %d = arith.subf %y, %origin : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x2x77x77xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<2x2x77x77xf32>) outs(%rz : tensor<2x2x77xf32>) dimensions = [3]
  %pe = tensor.empty() : tensor<2x2x77x77xf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x2x77x77xf32>, tensor<2x2x77xf32>) outs(%pe : tensor<2x2x77x77xf16>) {
  ^bb0(%y: f32, %m: f32, %out: f16):
    %c = arith.cmpf oeq, %m, %zero : f32
    %divisor = arith.select %c, %one, %m : f32
    %d = arith.divf %y, %divisor : f32
    %n = arith.truncf %d : f32 to f16
    linalg.yield %n : f16
  } -> tensor<2x2x77x77xf16>

  %oe = tensor.empty() : tensor<77x2x2x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<77x2x2x8xf32>) -> tensor<77x2x2x8xf32>
  %ow = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<2x2x77x77xf16>, tensor<77x2x8xf16>) outs(%oz : tensor<77x2x2x8xf32>) {
  ^bb0(%y: f16, %z: f16, %acc: f32):
    %yw = arith.extf %y : f16 to f32
    %zw = arith.extf %z : f16 to f32
    %m = arith.mulf %yw, %zw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<77x2x2x8xf32>
  %on = tensor.empty() : tensor<77x2x2x8xf16>
  %o = linalg.map { arith.truncf } ins(%ow : tensor<77x2x2x8xf32>) outs(%on : tensor<77x2x2x8xf16>)
  %a = tensor.collapse_shape %o [[0], [1, 2, 3]] : tensor<77x2x2x8xf16> into tensor<77x32xf16>
  %ye = tensor.empty() : tensor<77x96xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<77x96xf32>) -> tensor<77x96xf32>
  %y = linalg.matmul ins(%a, %u : tensor<77x32xf16>, tensor<32x96xf16>) outs(%yz : tensor<77x96xf32>) -> tensor<77x96xf32>
  return %y : tensor<77x96xf32>
}
