// RUN: grout-opt %s --grout-set-target=name=h200 -tsync-select-edge-modes=modes=serial 2>&1 | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 -tsync-select-edge-modes=modes=pdl 2>&1 | FileCheck %s --check-prefix=SAME --implicit-check-not=remark

// A dependence of the input keeps its mode, and that is said.

// CHECK: remark: the dependence stays as it is in the input: mode serial is for those without mode and policy
// CHECK: tsync.dependence {{.*}} mode(pdl)
// SAME: tsync.dependence {{.*}} mode(pdl)
func.func @given(%x: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %0 = tsync.chain mode(overlap) : tensor<256x256xf16> {
    %h = tgemm.matmul %x, %x : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16>
    %y = tgemm.matmul %x, %h : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf16>
    tsync.dependence %h -> %y operand 1 mode(pdl) : tensor<256x256xf16>, tensor<256x256xf16>
    tsync.yield %y : tensor<256x256xf16>
  }
  return %0 : tensor<256x256xf16>
}
