// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx | FileCheck %s

// Special units are exact enough for results of 16 bits. For f32 they get the
// fraction of an exponent only, and no logarithms, which are inexact near 1.

// CHECK-LABEL: .entry singles_kernel0(
// CHECK:         fma.rn.sat.f32
// CHECK:         ex2.approx.ftz.f32
// CHECK-NOT:     lg2.approx
// CHECK:         st.global
// CHECK-LABEL: .entry halves_kernel0(
// CHECK-NOT:     .sat
// CHECK:         ex2.approx.ftz.f32
// CHECK-NOT:     .f64
// CHECK:         lg2.approx.f32
// CHECK:         st.global
// CHECK-LABEL: .entry softmax_kernel0(
// CHECK-NOT:     .sat
// CHECK:         ex2.approx.ftz.f32
// CHECK:         st.global
#map = affine_map<(d0) -> (d0)>
func.func @singles(%x: tensor<7xf32>) -> tensor<7xf32> {
  %empty = tensor.empty() : tensor<7xf32>
  %y = linalg.generic {indexing_maps = [#map, #map],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<7xf32>) outs(%empty : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %exp = math.exp %in : f32
    %log = math.log %exp : f32
    linalg.yield %log : f32
  } -> tensor<7xf32>
  return %y : tensor<7xf32>
}

func.func @halves(%x: tensor<7xf16>) -> tensor<7xf16> {
  %empty = tensor.empty() : tensor<7xf16>
  %y = linalg.generic {indexing_maps = [#map, #map],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<7xf16>) outs(%empty : tensor<7xf16>) {
  ^bb0(%in: f16, %out: f16):
    %exp = math.exp %in : f16
    %log = math.log %exp : f16
    linalg.yield %log : f16
  } -> tensor<7xf16>
  return %y : tensor<7xf16>
}

// The sum is f32, and the result has 16 bits.
func.func @softmax(%x: tensor<7x8xf16>) -> tensor<7x8xf16> {
  %empty = tensor.empty() : tensor<7x8xf16>
  %y = linalg.softmax dimension(1) ins(%x : tensor<7x8xf16>)
      outs(%empty : tensor<7x8xf16>) -> tensor<7x8xf16>
  return %y : tensor<7x8xf16>
}
