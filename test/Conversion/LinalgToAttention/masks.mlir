// RUN: grout-opt %s -grout-set-target=name=cpu -convert-linalg-to-attention -split-input-file | FileCheck %s
// What scores are replaced by, and what is added to them.

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// Within one body.
// CHECK-LABEL: func.func @causal
// CHECK-NEXT: tgemm.attention %{{.*}}, %{{.*}}, %{{.*}} {causal = 0 : i64, scale = 2.500000e-01 : f32} : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16> -> tensor<2x4x16x8xf32>
// CHECK-NEXT: return
func.func @causal(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %c = arith.constant 0.25 : f32
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x4x16x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.mulf %x, %c : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%t : tensor<2x4x16x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c2 = arith.cmpi sle, %j, %i : index
    %r = arith.select %c2, %x, %lowest : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// As frameworks compute it, with an offset, and a number in place of minus
// infinity: each row has a key, so that this is as good.
// CHECK-LABEL: func.func @causal_tensor
// CHECK-NEXT: tgemm.attention %{{.*}}, %{{.*}}, %{{.*}} {causal = 3 : i64, scale = 1.000000e+00 : f32} : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16> -> tensor<2x4x16x8xf32>
// CHECK-NEXT: return
func.func @causal_tensor(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> tensor<2x4x16x8xf32> {
  %ae = tensor.empty() : tensor<16xi64>
  %arange = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ae : tensor<16xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i64
    linalg.yield %r : i64
  } -> tensor<16xi64>
  %three = arith.constant 3 : i64
  %true = arith.constant true
  %rows = tensor.expand_shape %arange [[0, 1]] output_shape [16, 1] : tensor<16xi64> into tensor<16x1xi64>
  %columns = tensor.expand_shape %arange [[0, 1]] output_shape [1, 16] : tensor<16xi64> into tensor<1x16xi64>
  %me = tensor.empty() : tensor<16x16xi1>
  %mask = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>],
                          iterator_types = ["parallel", "parallel"]}
      ins(%rows, %columns : tensor<16x1xi64>, tensor<1x16xi64>) outs(%me : tensor<16x16xi1>) {
  ^bb0(%i: i64, %j: i64, %out: i1):
    %d = arith.subi %j, %three : i64
    %c = arith.cmpi sgt, %d, %i : i64
    %r = arith.xori %c, %true : i1
    linalg.yield %r : i1
  } -> tensor<16x16xi1>
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %low = arith.constant -1.0e9 : f32
  %u = linalg.generic {indexing_maps = [#id, affine_map<(b, h, i, j) -> (i, j)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<2x4x16x16xf32>, tensor<16x16xi1>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %c: i1, %out: f32):
    %r = arith.select %c, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// Rows of masked keys only have equal weights, and not NaN.
// CHECK-LABEL: func.func @padding
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x4x16x8xf16>, %[[K:[^:]*]]: tensor<2x4x16x8xf16>, %[[V:[^:]*]]: tensor<2x4x16x8xf16>, %[[MASK:[^:]*]]: tensor<2x1x1x16xi1>
// CHECK: %[[VIEW:.*]] = tensor.collapse_shape %[[MASK]] {{.*}} into tensor<2x16xi1>
// CHECK: %[[BIAS:.*]] = linalg.generic {{.*}} ins(%[[VIEW]] : tensor<2x16xi1>)
// CHECK: %[[LOW:.*]] = arith.constant -3.000000e+38 : f32
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[LOW]] : f32
// CHECK: tgemm.attention %[[Q]], %[[K]], %[[V]] bias(%[[BIAS]] : tensor<2x16xf32>) {bias_map = #{{.*}}, scale
// CHECK-NEXT: return
func.func @padding(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>, %mask: tensor<2x1x1x16xi1>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %low = arith.constant -3.0e38 : f32
  %u = linalg.generic {indexing_maps = [#id, affine_map<(b, h, i, j) -> (b, 0, 0, j)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<2x4x16x16xf32>, tensor<2x1x1x16xi1>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %c: i1, %out: f32):
    %r = arith.select %c, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// Minus infinity lets each condition be a mask of its own.
// CHECK-LABEL: func.func @causal_and_padding
// CHECK: %[[BIAS:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<2x16xi1>)
// CHECK: tgemm.attention {{.*}} bias(%[[BIAS]] : tensor<2x16xf32>) {bias_map = #{{.*}}, causal = 0 : i64
func.func @causal_and_padding(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>, %mask: tensor<2x16xi1>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %u = linalg.generic {indexing_maps = [#id, affine_map<(b, h, i, j) -> (b, j)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<2x4x16x16xf32>, tensor<2x16xi1>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %c: i1, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c2 = arith.cmpi sge, %i, %j : index
    %both = arith.andi %c2, %c : i1
    %r = arith.select %both, %x, %lowest : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// A row of masked keys has equal weights for all keys, later ones too.
// CHECK-LABEL: func.func @causal_and_padding_by_numbers
// CHECK: tgemm.attention {{.*}} bias(%{{.*}} : tensor<2x16x16xf32>)
// CHECK-NOT: causal
// CHECK: return
func.func @causal_and_padding_by_numbers(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>, %mask: tensor<2x16xi1>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %low = arith.constant -1.0e9 : f32
  %u = linalg.generic {indexing_maps = [#id, affine_map<(b, h, i, j) -> (b, j)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<2x4x16x16xf32>, tensor<2x16xi1>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %c: i1, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c2 = arith.cmpi sge, %i, %j : index
    %both = arith.andi %c2, %c : i1
    %r = arith.select %both, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// The mask is added, as is a bias that is there already: positions of T5.
// CHECK-LABEL: func.func @additive_causal
// CHECK-NEXT: tgemm.attention {{.*}} bias(%{{.*}} : tensor<4x16x16xf16>) {bias_map = #{{.*}}, causal = 0 : i64, scale
// CHECK-NEXT: return
func.func @additive_causal(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>, %bias: tensor<4x16x16xf16>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %u = linalg.generic {indexing_maps = [#id, affine_map<(b, h, i, j) -> (h, i, j)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %bias : tensor<2x4x16x16xf32>, tensor<4x16x16xf16>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %y: f16, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi sgt, %j, %i : index
    %m = arith.select %c, %lowest, %zero : f32
    %yw = arith.extf %y : f16 to f32
    %n = arith.addf %yw, %m : f32
    %r = arith.addf %n, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// CHECK-LABEL: func.func @scaled_bias
// CHECK: %[[BIAS:.*]] = linalg.generic
// CHECK: %[[FACTOR:.*]] = arith.constant -1.250000e-01 : f32
// CHECK: arith.mulf %{{.*}}, %[[FACTOR]] : f32
// CHECK: tgemm.attention {{.*}} bias(%[[BIAS]] : tensor<2x16x16xf32>) {bias_map = #{{.*}}, scale = 1.250000e-01
func.func @scaled_bias(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>, %bias: tensor<2x1x16x16xf32>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %c = arith.constant 0.125 : f32
  %u = linalg.generic {indexing_maps = [#id, affine_map<(b, h, i, j) -> (b, 0, i, j)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %bias : tensor<2x4x16x16xf32>, tensor<2x1x16x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %n = arith.subf %x, %y : f32
    %r = arith.mulf %n, %c : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// A sliding window.
// CHECK-LABEL: func.func @window
// CHECK: %[[BIAS:.*]] = linalg.generic
// CHECK: linalg.index
// CHECK: tgemm.attention {{.*}} bias(%[[BIAS]] : tensor<16x16xf32>) {bias_map = #{{.*}}, causal = 0 : i64
func.func @window(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x4x16x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi sle, %j, %i : index
    %four = arith.constant 4 : index
    %end = arith.addi %j, %four : index
    %c2 = arith.cmpi sgt, %end, %i : index
    %both = arith.andi %c, %c2 : i1
    %r = arith.select %both, %x, %lowest : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}
