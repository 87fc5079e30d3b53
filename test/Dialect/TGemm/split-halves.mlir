// RUN: grout-opt %s --tgemm-split-halves --split-input-file | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: grout-opt %s --tgemm-split-halves --convert-linalg-to-tgemm --split-input-file | FileCheck %s --check-prefixes=CHECK,FUSED

// Gate and up are stacked: one product with two rhs, and no half is stored.

// CHECK-LABEL: func.func @gated(
// SPLIT-DAG: %[[G:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0] [4, 32, 16] [1, 1, 1]
// SPLIT-DAG: %[[U:.*]] = tensor.extract_slice %{{.*}}[0, 32, 0] [4, 32, 16] [1, 1, 1]
// SPLIT-DAG: tgemm.grouped_matmul %{{.*}}, %[[G]] ends
// SPLIT-DAG: tgemm.grouped_matmul %{{.*}}, %[[U]] ends
// FUSED:     tgemm.grouped_matmul %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} ends
// FUSED-NOT: linalg.generic
func.func @gated(%x: tensor<24x16xf16>, %w: tensor<4x64x16xf16>, %ends: tensor<4xi32>) -> tensor<24x32xf16> {
  %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) {transpose_rhs} : tensor<24x16xf16>, tensor<4x64x16xf16> -> tensor<24x64xf16>
  %g = tensor.extract_slice %y[0, 0] [24, 32] [1, 1] : tensor<24x64xf16> to tensor<24x32xf16>
  %u = tensor.extract_slice %y[0, 32] [24, 32] [1, 1] : tensor<24x64xf16> to tensor<24x32xf16>
  %e = tensor.empty() : tensor<24x32xf16>
  %zero = arith.constant 0.0 : f16
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<24x32xf16>) outs(%e : tensor<24x32xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = arith.maximumf %in, %zero : f16
    linalg.yield %0 : f16
  } -> tensor<24x32xf16>
  %p = linalg.mul ins(%r, %u : tensor<24x32xf16>, tensor<24x32xf16>) outs(%e : tensor<24x32xf16>) -> tensor<24x32xf16>
  return %p : tensor<24x32xf16>
}

// -----

// Nothing combines the halves, so one product with wide tiles computes them.

// CHECK-LABEL: func.func @apart(
// SPLIT-COUNT-1: tgemm.grouped_matmul
// SPLIT-NOT:     tgemm.grouped_matmul
func.func @apart(%x: tensor<24x16xf16>, %w: tensor<4x16x64xf16>, %ends: tensor<4xi32>) -> (tensor<24x32xf16>, tensor<24x32xf16>) {
  %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) : tensor<24x16xf16>, tensor<4x16x64xf16> -> tensor<24x64xf16>
  %g = tensor.extract_slice %y[0, 0] [24, 32] [1, 1] : tensor<24x64xf16> to tensor<24x32xf16>
  %u = tensor.extract_slice %y[0, 32] [24, 32] [1, 1] : tensor<24x64xf16> to tensor<24x32xf16>
  return %g, %u : tensor<24x32xf16>, tensor<24x32xf16>
}

// -----

// The product itself is read, too.

// CHECK-LABEL: func.func @whole(
// SPLIT-COUNT-1: tgemm.grouped_matmul
// SPLIT-NOT:     tgemm.grouped_matmul
func.func @whole(%x: tensor<24x16xf16>, %w: tensor<4x16x64xf16>, %ends: tensor<4xi32>) -> (tensor<24x64xf16>, tensor<24x32xf16>) {
  %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) : tensor<24x16xf16>, tensor<4x16x64xf16> -> tensor<24x64xf16>
  %g = tensor.extract_slice %y[0, 0] [24, 32] [1, 1] : tensor<24x64xf16> to tensor<24x32xf16>
  %u = tensor.extract_slice %y[0, 32] [24, 32] [1, 1] : tensor<24x64xf16> to tensor<24x32xf16>
  %e = tensor.empty() : tensor<24x32xf16>
  %p = linalg.mul ins(%g, %u : tensor<24x32xf16>, tensor<24x32xf16>) outs(%e : tensor<24x32xf16>) -> tensor<24x32xf16>
  return %y, %p : tensor<24x64xf16>, tensor<24x32xf16>
}

// -----

// One row more than half: no halves.

// CHECK-LABEL: func.func @uneven(
// SPLIT-COUNT-1: tgemm.grouped_matmul
// SPLIT-NOT:     tgemm.grouped_matmul
func.func @uneven(%x: tensor<24x16xf16>, %w: tensor<4x16x64xf16>, %ends: tensor<4xi32>) -> tensor<24x32xf16> {
  %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) : tensor<24x16xf16>, tensor<4x16x64xf16> -> tensor<24x64xf16>
  %g = tensor.extract_slice %y[0, 0] [24, 32] [1, 1] : tensor<24x64xf16> to tensor<24x32xf16>
  %u = tensor.extract_slice %y[0, 16] [24, 32] [1, 1] : tensor<24x64xf16> to tensor<24x32xf16>
  %e = tensor.empty() : tensor<24x32xf16>
  %p = linalg.mul ins(%g, %u : tensor<24x32xf16>, tensor<24x32xf16>) outs(%e : tensor<24x32xf16>) -> tensor<24x32xf16>
  return %p : tensor<24x32xf16>
}

// -----

// TMA cannot load a slice of the matrices whose rows start at byte 24.

// CHECK-LABEL: func.func @unaligned(
// SPLIT-COUNT-1: tgemm.grouped_matmul
// SPLIT-NOT:     tgemm.grouped_matmul
func.func @unaligned(%x: tensor<256x64xf16>, %w: tensor<4x64x24xf16>, %ends: tensor<4xi32>) -> tensor<256x12xf16> {
  %y = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) : tensor<256x64xf16>, tensor<4x64x24xf16> -> tensor<256x24xf16>
  %g = tensor.extract_slice %y[0, 0] [256, 12] [1, 1] : tensor<256x24xf16> to tensor<256x12xf16>
  %u = tensor.extract_slice %y[0, 12] [256, 12] [1, 1] : tensor<256x24xf16> to tensor<256x12xf16>
  %e = tensor.empty() : tensor<256x12xf16>
  %p = linalg.mul ins(%g, %u : tensor<256x12xf16>, tensor<256x12xf16>) outs(%e : tensor<256x12xf16>) -> tensor<256x12xf16>
  return %p : tensor<256x12xf16>
}
