// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-split-f32 --canonicalize | FileCheck %s --check-prefixes=CHECK,F32
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-split-f32=products=exact --canonicalize | FileCheck %s --check-prefixes=CHECK,F32
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-split-f32=products=bf16 --canonicalize | FileCheck %s --check-prefixes=CHECK,ROUNDED
// RUN: grout-opt %s --grout-set-target=name=cpu --tgemm-split-f32 | FileCheck %s --check-prefix=CPU

// Factors that have only been widened are multiplied as they were. Sums are as
// long as those of other products of f32, where these are as good as f32.

// CHECK-LABEL: @plain
// CHECK-NOT:   linalg.generic
// F32:         tgemm.matmul %arg0, %arg1 {sum_depth = 512 : i64} : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf32>
// ROUNDED:     tgemm.matmul %arg0, %arg1 : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x32xf32>
// CPU-LABEL:   @plain
// CPU:         tgemm.matmul %{{.*}} : tensor<128x64xf32>, tensor<64x32xf32>
func.func @plain(%x: tensor<128x64xf16>, %w: tensor<64x32xf16>) -> tensor<128x32xf32> {
  %e0 = tensor.empty() : tensor<128x64xf32>
  %x32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x64xf16>) outs(%e0 : tensor<128x64xf32>) {
  ^bb0(%a: f16, %b: f32):
    %c = arith.extf %a : f16 to f32
    linalg.yield %c : f32
  } -> tensor<128x64xf32>
  %e1 = tensor.empty() : tensor<64x32xf32>
  %w32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x32xf16>) outs(%e1 : tensor<64x32xf32>) {
  ^bb0(%a: f16, %b: f32):
    %c = arith.extf %a : f16 to f32
    linalg.yield %c : f32
  } -> tensor<64x32xf32>
  %0 = tgemm.matmul %x32, %w32 : tensor<128x64xf32>, tensor<64x32xf32> -> tensor<128x32xf32>
  return %0 : tensor<128x32xf32>
}

// What moves elements moves those of 16 bits.

// CHECK-LABEL: @moved
// CHECK-NOT:   linalg.generic
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1], [2]] : tensor<2x64x64xbf16> into tensor<128x64xbf16>
// CHECK:         %[[PART:.*]] = tensor.extract_slice %[[FLAT]][64, 0] [64, 64] [1, 1] : tensor<128x64xbf16> to tensor<64x64xbf16>
// CHECK:         %[[TURNED:.*]] = linalg.transpose ins(%arg1 : tensor<32x64xbf16>) outs(%{{.*}} : tensor<64x32xbf16>) permutation = [1, 0]
// CHECK:         tgemm.matmul %[[PART]], %[[TURNED]]
func.func @moved(%x: tensor<2x64x64xbf16>, %w: tensor<32x64xbf16>) -> tensor<64x32xf32> {
  %e0 = tensor.empty() : tensor<2x64x64xf32>
  %x32 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x64x64xbf16>) outs(%e0 : tensor<2x64x64xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %c = arith.extf %a : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<2x64x64xf32>
  %flat = tensor.collapse_shape %x32 [[0, 1], [2]] : tensor<2x64x64xf32> into tensor<128x64xf32>
  %part = tensor.extract_slice %flat[64, 0] [64, 64] [1, 1] : tensor<128x64xf32> to tensor<64x64xf32>
  %e1 = tensor.empty() : tensor<32x64xf32>
  %w32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<32x64xbf16>) outs(%e1 : tensor<32x64xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %c = arith.extf %a : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<32x64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %turned = linalg.transpose ins(%w32 : tensor<32x64xf32>) outs(%e2 : tensor<64x32xf32>) permutation = [1, 0]
  %0 = tgemm.matmul %part, %turned : tensor<64x64xf32>, tensor<64x32xf32> -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// One factor is f32, or has been computed: both are.

// CHECK-LABEL: @one_of_two
// F32:         tgemm.matmul %{{.*}} -> tensor<128x32xf32>
// CHECK-LABEL: @computed
// CHECK:       arith.extf %{{.*}} : f16 to f32
// CHECK:       arith.negf
func.func @one_of_two(%x: tensor<128x64xf16>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %e0 = tensor.empty() : tensor<128x64xf32>
  %x32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x64xf16>) outs(%e0 : tensor<128x64xf32>) {
  ^bb0(%a: f16, %b: f32):
    %c = arith.extf %a : f16 to f32
    linalg.yield %c : f32
  } -> tensor<128x64xf32>
  %0 = tgemm.matmul %x32, %w : tensor<128x64xf32>, tensor<64x32xf32> -> tensor<128x32xf32>
  return %0 : tensor<128x32xf32>
}

func.func @computed(%x: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %e0 = tensor.empty() : tensor<64x64xf32>
  %x32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf16>) outs(%e0 : tensor<64x64xf32>) {
  ^bb0(%a: f16, %b: f32):
    %c = arith.extf %a : f16 to f32
    %d = arith.negf %c : f32
    linalg.yield %d : f32
  } -> tensor<64x64xf32>
  %0 = tgemm.matmul %x32, %x32 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
