// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-tgemm | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-tgemm | FileCheck %s --check-prefix=CPU

// A GPU copies rows that start at multiples of 16 bytes. Those of %x, of 196
// elements, do not, and those of its transpose do: it is transposed in memory.

// CHECK-LABEL: func.func @unaligned(
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<512x196xf16>)
// CHECK: tgemm.matmul %[[T]], %arg1 : tensor<196x512xf16>, tensor<512x64xf16>
// CPU-LABEL: func.func @unaligned(
// CPU: tgemm.matmul %arg0, %arg1 {transpose_lhs} : tensor<512x196xf16>
func.func @unaligned(%x: tensor<512x196xf16>, %w: tensor<512x64xf16>) -> tensor<196x64xf32> {
  %e = tensor.empty() : tensor<196x512xf16>
  %t = linalg.transpose ins(%x : tensor<512x196xf16>) outs(%e : tensor<196x512xf16>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<196x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<196x64xf32>) -> tensor<196x64xf32>
  %0 = linalg.matmul ins(%t, %w : tensor<196x512xf16>, tensor<512x64xf16>) outs(%init : tensor<196x64xf32>) -> tensor<196x64xf32>
  return %0 : tensor<196x64xf32>
}

// Where both are aligned, the product reads %x.

// CHECK-LABEL: func.func @aligned(
// CHECK: tgemm.matmul %arg0, %arg1 {transpose_lhs} : tensor<512x200xf16>
func.func @aligned(%x: tensor<512x200xf16>, %w: tensor<512x64xf16>) -> tensor<200x64xf32> {
  %e = tensor.empty() : tensor<200x512xf16>
  %t = linalg.transpose ins(%x : tensor<512x200xf16>) outs(%e : tensor<200x512xf16>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<200x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<200x64xf32>) -> tensor<200x64xf32>
  %0 = linalg.matmul ins(%t, %w : tensor<200x512xf16>, tensor<512x64xf16>) outs(%init : tensor<200x64xf32>) -> tensor<200x64xf32>
  return %0 : tensor<200x64xf32>
}
