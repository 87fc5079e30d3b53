// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=POLYNOMIALS < %t.ptx

// The error function: two polynomials, of six coefficients each, a power of 2,
// and a choice. Neither a division nor a table of coefficients to choose from.
// What is no number stays none.

// CHECK-LABEL: .entry erf_kernel0(
// CHECK-DAG:     abs.f32
// CHECK-DAG:     min.NaN.f32
// CHECK-DAG:     ex2.approx.ftz.f32
// CHECK-DAG:     copysign.f32
// CHECK:         selp.f32
// CHECK-NOT:     {{div|selp|ex2}}
// CHECK:         st.global

// POLYNOMIALS-LABEL: .entry erf_kernel0(
// POLYNOMIALS-NOT: {{div|selp}}
// POLYNOMIALS-COUNT-10: fma.rn.f32
// POLYNOMIALS-NOT: fma.rn.f32
// POLYNOMIALS-LABEL: .entry gelu_kernel0(
func.func @erf(%x: tensor<7xf32>) -> tensor<7xf32> {
  %empty = tensor.empty() : tensor<7xf32>
  %y = linalg.erf ins(%x : tensor<7xf32>) outs(%empty : tensor<7xf32>)
      -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// Of 16 bits and with 1 added, as in GELU, it is one polynomial, and no choice. The
// products with it are one operation.

// CHECK-LABEL: .entry gelu_kernel0(
// CHECK:         abs.f32
// CHECK-COUNT-4: fma.rn.f32
// CHECK-NOT:     fma
// CHECK:         ex2.approx.ftz.f32
// CHECK:         copysign.f32
// CHECK:         fma.rn.f32
// CHECK-NOT:     {{fma|div|selp|ex2}}
// CHECK:         st.global
func.func @gelu(%x: tensor<7xf16>) -> tensor<7xf16> {
  %empty = tensor.empty() : tensor<7xf16>
  %y = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<7xf16>) outs(%empty : tensor<7xf16>) {
  ^bb0(%in: f16, %out: f16):
    %half = arith.constant 0.5 : f32
    %root = arith.constant 0.707106769 : f32
    %one = arith.constant 1.0 : f32
    %a = arith.extf %in : f16 to f32
    %b = arith.mulf %a, %half : f32
    %c = arith.mulf %a, %root : f32
    %d = math.erf %c : f32
    %e = arith.addf %d, %one : f32
    %f = arith.mulf %b, %e : f32
    %r = arith.truncf %f : f32 to f16
    linalg.yield %r : f16
  } -> tensor<7xf16>
  return %y : tensor<7xf16>
}
