// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference -split-input-file | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-reference --launch-schedule --convert-tiles-to-kernels --launch-place-buffers -split-input-file | FileCheck %s --check-prefix=GPU

// The reference exchanges data by the same op. Sums are f32, in between the f64
// of the reference.

// CHECK-LABEL: launch.plan @part_reference inputs 1 reference of @part
// CHECK: ^bb0(%[[X:.*]]: memref<4x6xf64>, %[[RESULT:.*]]: memref<4x3xf64>):
// CHECK: %[[GIVEN:.*]] = launch.buffer "reference0" : memref<4x6xf32>
// CHECK: %[[T0:.*]] = launch.kernel "part_reference_kernel0" {{.*}}(%[[X]], %[[GIVEN]])
// CHECK: %[[SUM:.*]] = launch.buffer "reference1" : memref<4x3xf32>
// CHECK: %[[T1:.*]] = launch.tiles "part_reference_kernel1" ins(%[[GIVEN]]) outs(%[[SUM]]) after full(%[[T0]])
// CHECK: collective.reduce_scatter %{{.*}} ranks 2 dim 1 channel 5 : tensor<4x6xf32> -> tensor<4x3xf32>
// CHECK: launch.kernel "part_reference_kernel2" {{.*}} after full(%[[T1]])

// GPU-LABEL: launch.plan @part_reference
// GPU: launch.kernel "part_reference_kernel1" {{.*}} exchange <ranks = 2, bytes = {{[0-9]+}}, offset = 0, cleared = true>
func.func @part(%x: tensor<4x6xf16>) -> tensor<4x3xf16> {
  %0 = collective.reduce_scatter %x ranks 2 dim 1 channel 5 : tensor<4x6xf16> -> tensor<4x3xf16>
  return %0 : tensor<4x3xf16>
}

// -----

// A single rank has the sum.

// CHECK-LABEL: launch.plan @alone_reference
// CHECK-NOT: launch.tiles
func.func @alone(%x: tensor<4x6xf16>) -> tensor<4x6xf16> {
  %0 = collective.all_reduce %x ranks 1 channel 0 : tensor<4x6xf16>
  return %0 : tensor<4x6xf16>
}

// -----

// A matmul that sums its tiles over ranks is a matmul and a sum.

// CHECK-LABEL: launch.plan @product_reference
// CHECK: launch.tiles
// CHECK: collective.all_reduce %{{.*}} ranks 4 channel 2 : tensor<64x64xf32>
func.func @product(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tgemm.matmul %x, %w {sum_ranks = 4, sum_channel = 2} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}

// -----

// Gathered elements keep the type of the reference, and integers theirs.

// CHECK-LABEL: launch.plan @columns_reference
// CHECK: collective.all_gather %{{.*}} ranks 3 dim 1 : tensor<2x5xf64> -> tensor<2x15xf64>
// CHECK: collective.all_gather %{{.*}} ranks 3 dim 0 : tensor<2x5xi8> -> tensor<6x5xi8>
func.func @columns(%x: tensor<2x5xbf16>, %y: tensor<2x5xi8>)
    -> (tensor<2x15xbf16>, tensor<6x5xi8>) {
  %0 = collective.all_gather %x ranks 3 dim 1 : tensor<2x5xbf16> -> tensor<2x15xbf16>
  %1 = collective.all_gather %y ranks 3 dim 0 : tensor<2x5xi8> -> tensor<6x5xi8>
  return %0, %1 : tensor<2x15xbf16>, tensor<6x5xi8>
}
