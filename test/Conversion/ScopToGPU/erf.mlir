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
func.func @erf(%x: tensor<7xf32>) -> tensor<7xf32> {
  %empty = tensor.empty() : tensor<7xf32>
  %y = linalg.erf ins(%x : tensor<7xf32>) outs(%empty : tensor<7xf32>)
      -> tensor<7xf32>
  return %y : tensor<7xf32>
}
