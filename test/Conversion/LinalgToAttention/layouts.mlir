// RUN: grout-opt %s -grout-set-target=name=cpu -convert-linalg-to-attention -split-input-file | FileCheck %s
// Where queries, keys, values and the result are in memory.

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#three = affine_map<(b, i, j) -> (b, i, j)>
#few = affine_map<(b, g, r, i, d) -> (b, g, i, d)>
#many = affine_map<(b, g, r, i, d) -> (b, g, r, i, d)>

// As torch-mlir makes it of a layer: heads are split off the products' columns,
// and merged with the batch; the result has them side by side again.
// CHECK-DAG: #[[HEADS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// CHECK-LABEL: func.func @layer
// CHECK-SAME: %[[X:.*]]: tensor<32x32xf16>, %[[Y:.*]]: tensor<32x32xf16>, %[[Z:.*]]: tensor<32x32xf16>
// CHECK-DAG: %[[Q:.*]] = tensor.expand_shape %[[X]] {{.*}} into tensor<2x16x4x8xf16>
// CHECK-DAG: %[[K:.*]] = tensor.expand_shape %[[Y]] {{.*}} into tensor<2x16x4x8xf16>
// CHECK-DAG: %[[V:.*]] = tensor.expand_shape %[[Z]] {{.*}} into tensor<2x16x4x8xf16>
// CHECK: %[[O:.*]] = tgemm.attention %[[Q]], %[[K]], %[[V]] {layouts = [#[[HEADS]], #[[HEADS]], #[[HEADS]], #[[HEADS]]], scale = 2.500000e-01 : f32}
// CHECK-SAME: -> tensor<2x16x4x8xf16>
// CHECK-NEXT: tensor.collapse_shape %[[O]] {{.*}} into tensor<32x32xf16>
// CHECK-NEXT: return
func.func @layer(%qc: tensor<32x32xf16>, %kc: tensor<32x32xf16>, %vc: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %qx = tensor.expand_shape %qc [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf16> into tensor<2x16x4x8xf16>
  %kx = tensor.expand_shape %kc [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf16> into tensor<2x16x4x8xf16>
  %vx = tensor.expand_shape %vc [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf16> into tensor<2x16x4x8xf16>
  %qe = tensor.empty() : tensor<2x4x16x8xf16>
  %q = linalg.transpose ins(%qx : tensor<2x16x4x8xf16>) outs(%qe : tensor<2x4x16x8xf16>) permutation = [0, 2, 1, 3]
  %ke = tensor.empty() : tensor<2x4x8x16xf16>
  %k = linalg.transpose ins(%kx : tensor<2x16x4x8xf16>) outs(%ke : tensor<2x4x8x16xf16>) permutation = [0, 2, 3, 1]
  %ve = tensor.empty() : tensor<2x4x16x8xf16>
  %v = linalg.transpose ins(%vx : tensor<2x16x4x8xf16>) outs(%ve : tensor<2x4x16x8xf16>) permutation = [0, 2, 1, 3]
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x4x16x8xf16> into tensor<8x16x8xf16>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x4x8x16xf16> into tensor<8x8x16xf16>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x4x16x8xf16> into tensor<8x16x8xf16>
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i64
  %se = tensor.empty() : tensor<8x16x16xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %s3 = linalg.batch_matmul ins(%q3, %k3 : tensor<8x16x8xf16>, tensor<8x8x16xf16>) outs(%sz : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %sn3e = tensor.empty() : tensor<8x16x16xf16>
  %sn3 = linalg.generic {indexing_maps = [#three, #three], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s3 : tensor<8x16x16xf32>) outs(%sn3e : tensor<8x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x16x16xf16>
  %sn = tensor.expand_shape %sn3 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf16> into tensor<2x4x16x16xf16>
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sn : tensor<2x4x16x16xf16>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %out: f32):
    %w = arith.extf %x : f16 to f32
    %c = arith.constant 0.25 : f32
    %r = arith.mulf %w, %c : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %ie = tensor.empty() : tensor<2x4x16xi64>
  %iz = linalg.fill ins(%c0 : i64) outs(%ie : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
  %max:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x4x16x16xf32>) outs(%minf, %iz : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
  ^bb0(%x: f32, %acc: f32, %at: i64):
    %j = linalg.index 3 : index
    %n = arith.index_cast %j : index to i64
    %r = arith.maximumf %x, %acc : f32
    %c = arith.cmpf ogt, %x, %acc : f32
    %i = arith.select %c, %n, %at : i64
    linalg.yield %r, %i : f32, i64
  } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
  %maxk = tensor.expand_shape %max#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
  %exp = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %maxk : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %kse = tensor.empty() : tensor<2x4x16x1xf32>
  %kz = linalg.fill ins(%zero : f32) outs(%kse : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #keep], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%kz : tensor<2x4x16x1xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x1xf32>
  %p = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
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
  %p3 = tensor.collapse_shape %pn [[0, 1], [2], [3]] : tensor<2x4x16x16xf16> into tensor<8x16x16xf16>
  %oe = tensor.empty() : tensor<8x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %o3 = linalg.batch_matmul ins(%p3, %v3 : tensor<8x16x16xf16>, tensor<8x16x8xf16>) outs(%oz : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %on3e = tensor.empty() : tensor<8x16x8xf16>
  %on3 = linalg.generic {indexing_maps = [#three, #three], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o3 : tensor<8x16x8xf32>) outs(%on3e : tensor<8x16x8xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x16x8xf16>
  %o4 = tensor.expand_shape %on3 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf16> into tensor<2x4x16x8xf16>
  %ote = tensor.empty() : tensor<2x16x4x8xf16>
  %ot = linalg.transpose ins(%o4 : tensor<2x4x16x8xf16>) outs(%ote : tensor<2x16x4x8xf16>) permutation = [0, 2, 1, 3]
  %o = tensor.collapse_shape %ot [[0, 1], [2, 3]] : tensor<2x16x4x8xf16> into tensor<32x32xf16>
  return %o : tensor<32x32xf16>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#three = affine_map<(b, i, j) -> (b, i, j)>
#few = affine_map<(b, g, r, i, d) -> (b, g, i, d)>
#many = affine_map<(b, g, r, i, d) -> (b, g, r, i, d)>

// Heads of keys and values are repeated. The result is f32: nothing rounds it.
// CHECK-LABEL: func.func @grouped
// CHECK-SAME: %[[Q:.*]]: tensor<2x4x16x8xf16>, %[[K:.*]]: tensor<2x2x16x8xf16>, %[[V:.*]]: tensor<2x2x16x8xf16>
// CHECK-NEXT: %[[O:.*]] = tgemm.attention %[[Q]], %[[K]], %[[V]] {scale = 2.500000e-01 : f32} : tensor<2x4x16x8xf16>, tensor<2x2x16x8xf16>, tensor<2x2x16x8xf16> -> tensor<2x4x16x8xf32>
// CHECK-NEXT: tensor.collapse_shape %[[O]] {{.*}} into tensor<8x16x8xf32>
// CHECK-NEXT: return
func.func @grouped(%q: tensor<2x4x16x8xf16>, %kg: tensor<2x2x16x8xf16>, %vg: tensor<2x2x16x8xf16>) -> tensor<8x16x8xf32> {
  %ge = tensor.empty() : tensor<2x2x2x16x8xf16>
  %kr = linalg.generic {indexing_maps = [#few, #many], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%kg : tensor<2x2x16x8xf16>) outs(%ge : tensor<2x2x2x16x8xf16>) {
  ^bb0(%x: f16, %out: f16):
    linalg.yield %x : f16
  } -> tensor<2x2x2x16x8xf16>
  %vr = linalg.generic {indexing_maps = [#few, #many], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%vg : tensor<2x2x16x8xf16>) outs(%ge : tensor<2x2x2x16x8xf16>) {
  ^bb0(%x: f16, %out: f16):
    linalg.yield %x : f16
  } -> tensor<2x2x2x16x8xf16>
  %kx = tensor.collapse_shape %kr [[0], [1, 2], [3], [4]] : tensor<2x2x2x16x8xf16> into tensor<2x4x16x8xf16>
  %ke = tensor.empty() : tensor<2x4x8x16xf16>
  %k = linalg.transpose ins(%kx : tensor<2x4x16x8xf16>) outs(%ke : tensor<2x4x8x16xf16>) permutation = [0, 1, 3, 2]
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x4x16x8xf16> into tensor<8x16x8xf16>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x4x8x16xf16> into tensor<8x8x16xf16>
  %v3 = tensor.collapse_shape %vr [[0, 1, 2], [3], [4]] : tensor<2x2x2x16x8xf16> into tensor<8x16x8xf16>
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i64
  %se = tensor.empty() : tensor<8x16x16xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %s3 = linalg.batch_matmul ins(%q3, %k3 : tensor<8x16x8xf16>, tensor<8x8x16xf16>) outs(%sz : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %sn3e = tensor.empty() : tensor<8x16x16xf16>
  %sn3 = linalg.generic {indexing_maps = [#three, #three], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s3 : tensor<8x16x16xf32>) outs(%sn3e : tensor<8x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x16x16xf16>
  %sn = tensor.expand_shape %sn3 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf16> into tensor<2x4x16x16xf16>
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sn : tensor<2x4x16x16xf16>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %out: f32):
    %w = arith.extf %x : f16 to f32
    %c = arith.constant 0.25 : f32
    %r = arith.mulf %w, %c : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %ie = tensor.empty() : tensor<2x4x16xi64>
  %iz = linalg.fill ins(%c0 : i64) outs(%ie : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
  %max:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x4x16x16xf32>) outs(%minf, %iz : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
  ^bb0(%x: f32, %acc: f32, %at: i64):
    %j = linalg.index 3 : index
    %n = arith.index_cast %j : index to i64
    %r = arith.maximumf %x, %acc : f32
    %c = arith.cmpf ogt, %x, %acc : f32
    %i = arith.select %c, %n, %at : i64
    linalg.yield %r, %i : f32, i64
  } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
  %maxk = tensor.expand_shape %max#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
  %exp = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %maxk : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %kse = tensor.empty() : tensor<2x4x16x1xf32>
  %kz = linalg.fill ins(%zero : f32) outs(%kse : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #keep], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%kz : tensor<2x4x16x1xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x1xf32>
  %p = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
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
  %p3 = tensor.collapse_shape %pn [[0, 1], [2], [3]] : tensor<2x4x16x16xf16> into tensor<8x16x16xf16>
  %oe = tensor.empty() : tensor<8x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %o3 = linalg.batch_matmul ins(%p3, %v3 : tensor<8x16x16xf16>, tensor<8x16x8xf16>) outs(%oz : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  return %o3 : tensor<8x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#three = affine_map<(b, i, j) -> (b, i, j)>
#few = affine_map<(b, g, r, i, d) -> (b, g, i, d)>
#many = affine_map<(b, g, r, i, d) -> (b, g, r, i, d)>

// Heads of a batch are one dimension, and split where scores split them.
// CHECK-LABEL: func.func @rank_3
// CHECK-COUNT-3: tensor.expand_shape %{{.*}} into tensor<2x4x16x8xf16>
// CHECK: tgemm.attention {{.*}} -> tensor<2x4x16x8xf16>
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: return
func.func @rank_3(%q3: tensor<8x16x8xf16>, %k: tensor<8x16x8xf16>, %v3: tensor<8x16x8xf16>) -> tensor<8x16x8xf16> {
  %k3e = tensor.empty() : tensor<8x8x16xf16>
  %k3 = linalg.transpose ins(%k : tensor<8x16x8xf16>) outs(%k3e : tensor<8x8x16xf16>) permutation = [0, 2, 1]
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i64
  %se = tensor.empty() : tensor<8x16x16xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %s3 = linalg.batch_matmul ins(%q3, %k3 : tensor<8x16x8xf16>, tensor<8x8x16xf16>) outs(%sz : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %sn3e = tensor.empty() : tensor<8x16x16xf16>
  %sn3 = linalg.generic {indexing_maps = [#three, #three], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s3 : tensor<8x16x16xf32>) outs(%sn3e : tensor<8x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x16x16xf16>
  %sn = tensor.expand_shape %sn3 [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf16> into tensor<2x4x16x16xf16>
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sn : tensor<2x4x16x16xf16>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %out: f32):
    %w = arith.extf %x : f16 to f32
    %c = arith.constant 0.25 : f32
    %r = arith.mulf %w, %c : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %ie = tensor.empty() : tensor<2x4x16xi64>
  %iz = linalg.fill ins(%c0 : i64) outs(%ie : tensor<2x4x16xi64>) -> tensor<2x4x16xi64>
  %max:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x4x16x16xf32>) outs(%minf, %iz : tensor<2x4x16xf32>, tensor<2x4x16xi64>) {
  ^bb0(%x: f32, %acc: f32, %at: i64):
    %j = linalg.index 3 : index
    %n = arith.index_cast %j : index to i64
    %r = arith.maximumf %x, %acc : f32
    %c = arith.cmpf ogt, %x, %acc : f32
    %i = arith.select %c, %n, %at : i64
    linalg.yield %r, %i : f32, i64
  } -> (tensor<2x4x16xf32>, tensor<2x4x16xi64>)
  %maxk = tensor.expand_shape %max#0 [[0], [1], [2, 3]] output_shape [2, 4, 16, 1] : tensor<2x4x16xf32> into tensor<2x4x16x1xf32>
  %exp = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %maxk : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %kse = tensor.empty() : tensor<2x4x16x1xf32>
  %kz = linalg.fill ins(%zero : f32) outs(%kse : tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #keep], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%kz : tensor<2x4x16x1xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x1xf32>
  %p = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16x1xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
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
  %p3 = tensor.collapse_shape %pn [[0, 1], [2], [3]] : tensor<2x4x16x16xf16> into tensor<8x16x16xf16>
  %oe = tensor.empty() : tensor<8x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %o3 = linalg.batch_matmul ins(%p3, %v3 : tensor<8x16x16xf16>, tensor<8x16x8xf16>) outs(%oz : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %on3e = tensor.empty() : tensor<8x16x8xf16>
  %on3 = linalg.generic {indexing_maps = [#three, #three], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o3 : tensor<8x16x8xf32>) outs(%on3e : tensor<8x16x8xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x16x8xf16>
  return %on3 : tensor<8x16x8xf16>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#three = affine_map<(b, i, j) -> (b, i, j)>
#few = affine_map<(b, g, r, i, d) -> (b, g, i, d)>
#many = affine_map<(b, g, r, i, d) -> (b, g, r, i, d)>

// One head, in f32, with queries and keys scaled before their product.
// CHECK-LABEL: func.func @scaled_queries
// CHECK: tgemm.attention %{{.*}}, %{{.*}}, %{{.*}} {scale = 1.250000e-01 : f32} : tensor<1x1x16x8xf32>
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: return
func.func @scaled_queries(%q: tensor<16x8xf32>, %k: tensor<16x8xf32>, %v: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %half = arith.constant dense<0.5> : tensor<16x8xf32>
  %quarter = arith.constant dense<0.25> : tensor<16x8xf32>
  %e = tensor.empty() : tensor<16x8xf32>
  %qs = linalg.mul ins(%q, %half : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %ks = linalg.mul ins(%quarter, %k : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (j, d)>, affine_map<(i, j, d) -> (i, j)>]
      ins(%qs, %ks : tensor<16x8xf32>, tensor<16x8xf32>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %pe = tensor.empty() : tensor<16x16xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<16x16xf32>) outs(%pe : tensor<16x16xf32>) -> tensor<16x16xf32>
  %oz = arith.constant dense<0.0> : tensor<16x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<16x16xf32>, tensor<16x8xf32>) outs(%oz : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#three = affine_map<(b, i, j) -> (b, i, j)>
#few = affine_map<(b, g, r, i, d) -> (b, g, i, d)>
#many = affine_map<(b, g, r, i, d) -> (b, g, r, i, d)>

// Rows are queries of two heads, as JAX computes grouped heads, and the product
// with the values comes transposed.
// CHECK-DAG: #[[HEADS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// CHECK-LABEL: func.func @heads_in_rows
// CHECK-SAME: %[[Q:.*]]: tensor<16x4x8xf16>, %[[K:.*]]: tensor<2x16x8xf16>, %[[V:.*]]: tensor<2x16x8xf16>
// CHECK-DAG: %[[Q4:.*]] = tensor.expand_shape %[[Q]] {{.*}} into tensor<1x16x4x8xf16>
// CHECK-DAG: %[[K4:.*]] = tensor.expand_shape %[[K]] {{.*}} into tensor<1x2x16x8xf16>
// CHECK-DAG: %[[V4:.*]] = tensor.expand_shape %[[V]] {{.*}} into tensor<1x2x16x8xf16>
// CHECK: tgemm.attention %[[Q4]], %[[K4]], %[[V4]] {causal = 0 : i64, layouts = [#[[HEADS]], #{{.*}}, #{{.*}}, #[[HEADS]]]
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT: return
func.func @heads_in_rows(%q: tensor<16x4x8xf16>, %k: tensor<2x16x8xf16>, %v: tensor<2x16x8xf16>) -> tensor<16x4x8xf16> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %qx = tensor.expand_shape %q [[0], [1, 2], [3]] output_shape [16, 2, 2, 8] : tensor<16x4x8xf16> into tensor<16x2x2x8xf16>
  %qte = tensor.empty() : tensor<2x16x2x8xf16>
  %qt = linalg.transpose ins(%qx : tensor<16x2x2x8xf16>) outs(%qte : tensor<2x16x2x8xf16>) permutation = [1, 0, 2, 3]
  %q3 = tensor.collapse_shape %qt [[0], [1, 2], [3]] : tensor<2x16x2x8xf16> into tensor<2x32x8xf16>
  %se = tensor.empty() : tensor<2x32x16xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
  %s3 = linalg.batch_matmul
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q3, %k : tensor<2x32x8xf16>, tensor<2x16x8xf16>) outs(%sz : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
  %s = tensor.expand_shape %s3 [[0], [1, 2], [3]] output_shape [2, 16, 2, 16] : tensor<2x32x16xf32> into tensor<2x16x2x16xf32>
  %e = tensor.empty() : tensor<2x16x2x16xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x16x2x16xf32>) outs(%e : tensor<2x16x2x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi sge, %i, %j : index
    %r = arith.select %c, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x16x2x16xf32>
  %p = linalg.softmax dimension(3) ins(%u : tensor<2x16x2x16xf32>) outs(%e : tensor<2x16x2x16xf32>) -> tensor<2x16x2x16xf32>
  %p3 = tensor.collapse_shape %p [[0], [1, 2], [3]] : tensor<2x16x2x16xf32> into tensor<2x32x16xf32>
  %pe = tensor.empty() : tensor<2x32x16xf16>
  %pn = linalg.generic {indexing_maps = [#three, #three], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p3 : tensor<2x32x16xf32>) outs(%pe : tensor<2x32x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x32x16xf16>
  %oz = arith.constant dense<0.0> : tensor<2x8x32xf16>
  %o = linalg.batch_matmul
      indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%v, %pn : tensor<2x16x8xf16>, tensor<2x32x16xf16>) outs(%oz : tensor<2x8x32xf16>) -> tensor<2x8x32xf16>
  %ox = tensor.expand_shape %o [[0], [1], [2, 3]] output_shape [2, 8, 16, 2] : tensor<2x8x32xf16> into tensor<2x8x16x2xf16>
  %ote = tensor.empty() : tensor<16x2x2x8xf16>
  %ot = linalg.transpose ins(%ox : tensor<2x8x16x2xf16>) outs(%ote : tensor<16x2x2x8xf16>) permutation = [2, 0, 3, 1]
  %r = tensor.collapse_shape %ot [[0], [1, 2], [3]] : tensor<16x2x2x8xf16> into tensor<16x4x8xf16>
  return %r : tensor<16x4x8xf16>
}
