// Text is one module, which assemblers take: the kernels of all functions, and
// none of the reference plans.

// RUN: split-file %s %t
// RUN: grout-compile %t/two.mlir --emit=asm -o %t/host.s
// RUN: %cc -c %t/host.s -o %t/host.o
// RUN: FileCheck %t/two.mlir --input-file=%t/host.s --implicit-check-not=_reference_
// RUN: grout-compile %t/two.mlir --emit=llvm -o %t/host.ll
// RUN: llc %t/host.ll -o /dev/null
// RUN: FileCheck %t/two.mlir --input-file=%t/host.ll --implicit-check-not=_reference_
// RUN: grout-compile %t/two.mlir --target=h200 --emit=llvm -o %t/device.ll
// RUN: llc -mcpu=sm_90a -mattr=+ptx81 %t/device.ll -o /dev/null
// RUN: FileCheck %t/two.mlir --input-file=%t/device.ll --implicit-check-not=_reference_
// RUN: grout-compile %t/two.mlir --target=h200 --emit=ptx -o %t/device.ptx
// RUN: FileCheck %t/two.mlir --input-file=%t/device.ptx --implicit-check-not=_reference_
// RUN: %if ptxas %{ %ptxas -arch=sm_90a %t/device.ptx -o /dev/null %}
// RUN: grout-compile %t/assertions.mlir --target=h200 --emit=ptx -o %t/assertions.ptx
// RUN: FileCheck %t/assertions.mlir --input-file=%t/assertions.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a %t/assertions.ptx -o /dev/null %}

//--- two.mlir
// CHECK-DAG: rows_{{[a-z]+}}0
// CHECK-DAG: columns_{{[a-z]+}}0
func.func @rows(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %e = tensor.empty() : tensor<64x32xf32>
  %y = linalg.exp ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
func.func @columns(%x: tensor<64x32xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %y = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  return %y : tensor<32x64xf32>
}

//--- assertions.mlir
// Both functions assert, and both modules declare what is called then.
// CHECK: .version
// CHECK: .extern .func __assertfail
// CHECK-NOT: .version
// CHECK-NOT: .extern .func __assertfail
// CHECK: .entry rows_kernel0(
// CHECK-NOT: .version
// CHECK-NOT: .extern .func __assertfail
// CHECK: .entry columns_kernel0(
func.func @rows(%x: tensor<3x8xf32>, %n: tensor<3x1xi64>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %r = tensor.scatter %x into %z[%n] scatter_dims([0]) unique
      {grout.assert = "row outside"}
      : (tensor<3x8xf32>, tensor<16x8xf32>, tensor<3x1xi64>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
func.func @columns(%x: tensor<3x8xf32>, %n: tensor<3x1xi64>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = tensor.scatter %x into %z[%n] scatter_dims([1]) unique
      {grout.assert = "column outside"}
      : (tensor<3x8xf32>, tensor<8x16xf32>, tensor<3x1xi64>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
