// RUN: grout-opt %s --grout-pipeline="target=h200" --dump-ptx -o /dev/null \
// RUN:   | FileCheck %s --implicit-check-not=global.b32

// An access to 64 bits is one instruction, in a kernel and in the reference
// that it is checked against.

// CHECK-LABEL: .entry transpose_kernel0
// CHECK: ld.global.b64
// CHECK: st.global.b64
// CHECK-LABEL: .entry transpose_reference_kernel0
// CHECK: ld.global.b64
// CHECK: st.global.b64
func.func @transpose(%x: tensor<641x765xi64>) -> tensor<765x641xi64> {
  %empty = tensor.empty() : tensor<765x641xi64>
  %y = linalg.transpose ins(%x : tensor<641x765xi64>)
    outs(%empty : tensor<765x641xi64>) permutation = [1, 0]
  return %y : tensor<765x641xi64>
}
