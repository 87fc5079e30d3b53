// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 reference=false" | FileCheck %s

// Six heads, of which each two read the same keys, with a
// causal mask, as an einsum and a mask say it: the heads of a group are a loop
// of their own. If they were collapsed with the queries, the mask would be a
// bias of each head.

// CHECK-LABEL: func.func @attention(
// CHECK: tgemm.attention
// CHECK-NOT: bias(
// CHECK-SAME: causal = 0
// CHECK-SAME: tensor<1x301x6x64xf16>, tensor<1x301x3x64xf16>, tensor<1x301x3x64xf16> -> tensor<1x301x6x64xf16>
func.func @attention(%q: tensor<1x301x3x2x64xf16>, %k: tensor<1x301x3x64xf16>, %v: tensor<1x301x3x64xf16>) -> tensor<1x301x3x2x64xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %scale = arith.constant 1.250000e-01 : f32
  %se = tensor.empty() : tensor<1x3x2x301x301xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x3x2x301x301xf32>) -> tensor<1x3x2x301x301xf32>
  %s = linalg.generic {
    indexing_maps = [affine_map<(b, g, r, i, j, d) -> (b, i, g, r, d)>, affine_map<(b, g, r, i, j, d) -> (b, j, g, d)>, affine_map<(b, g, r, i, j, d) -> (b, g, r, i, j)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]
  } ins(%q, %k : tensor<1x301x3x2x64xf16>, tensor<1x301x3x64xf16>) outs(%sz : tensor<1x3x2x301x301xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %ab = arith.mulf %aw, %bw : f32
    %r = arith.addf %sum, %ab : f32
    linalg.yield %r : f32
  } -> tensor<1x3x2x301x301xf32>
  %score = linalg.generic {
    indexing_maps = [affine_map<(b, g, r, i, j) -> (b, g, r, i, j)>, affine_map<(b, g, r, i, j) -> (b, g, r, i, j)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
  } ins(%s : tensor<1x3x2x301x301xf32>) outs(%se : tensor<1x3x2x301x301xf32>) {
  ^bb0(%a: f32, %out: f32):
    %scaled = arith.mulf %a, %scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %allowed = arith.cmpi sle, %j, %i : index
    %t = arith.select %allowed, %scaled, %none : f32
    linalg.yield %t : f32
  } -> tensor<1x3x2x301x301xf32>
  %p = linalg.softmax dimension(4) ins(%score : tensor<1x3x2x301x301xf32>) outs(%se : tensor<1x3x2x301x301xf32>) -> tensor<1x3x2x301x301xf32>
  %we = tensor.empty() : tensor<1x3x2x301x301xf16>
  %w = linalg.generic {
    indexing_maps = [affine_map<(b, g, r, i, j) -> (b, g, r, i, j)>, affine_map<(b, g, r, i, j) -> (b, g, r, i, j)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
  } ins(%p : tensor<1x3x2x301x301xf32>) outs(%we : tensor<1x3x2x301x301xf16>) {
  ^bb0(%a: f32, %out: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x3x2x301x301xf16>
  %oe = tensor.empty() : tensor<1x301x3x2x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x301x3x2x64xf32>) -> tensor<1x301x3x2x64xf32>
  %o = linalg.generic {
    indexing_maps = [affine_map<(b, i, g, r, e, j) -> (b, g, r, i, j)>, affine_map<(b, i, g, r, e, j) -> (b, j, g, e)>, affine_map<(b, i, g, r, e, j) -> (b, i, g, r, e)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]
  } ins(%w, %v : tensor<1x3x2x301x301xf16>, tensor<1x301x3x64xf16>) outs(%oz : tensor<1x301x3x2x64xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %ab = arith.mulf %aw, %bw : f32
    %r = arith.addf %sum, %ab : f32
    linalg.yield %r : f32
  } -> tensor<1x301x3x2x64xf32>
  %ae = tensor.empty() : tensor<1x301x3x2x64xf16>
  %a = linalg.generic {
    indexing_maps = [affine_map<(b, i, g, r, e) -> (b, i, g, r, e)>, affine_map<(b, i, g, r, e) -> (b, i, g, r, e)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]
  } ins(%o : tensor<1x301x3x2x64xf32>) outs(%ae : tensor<1x301x3x2x64xf16>) {
  ^bb0(%x: f32, %out: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x301x3x2x64xf16>
  return %a : tensor<1x301x3x2x64xf16>
}
