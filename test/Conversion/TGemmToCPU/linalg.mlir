// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s

// Any linalg op with a tile shape is a tile kernel. Its result is the
// accumulator, first set to what it starts from, which is a constant here.

// CHECK-LABEL: func.func @product_chain0_kernel0
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         memref.store %[[ZERO]], %[[Y:.*]][%{{.*}}, %{{.*}}] : memref<24x40xf32, strided<[40, 1]>>
// CHECK:         scf.for %[[STEP:.*]] =
// CHECK:           scf.for %[[M:.*]] =
// CHECK:             scf.for %[[K:.*]] =
// CHECK:               scf.for %[[N:.*]] =
// CHECK:                 memref.load %[[Y]]
// CHECK:                 arith.mulf
// CHECK:                 memref.store %{{.*}}, %[[Y]]

func.func @product(%a: tensor<24x32xf32>, %b: tensor<32x40xf32>)
    -> tensor<24x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x40xf32>
  %0 = tsync.chain mode(serial) : tensor<24x40xf32> {
    %y = linalg.matmul {grout.tile_sizes = array<i64: 8, 20, 16>}
      ins(%a, %b : tensor<24x32xf32>, tensor<32x40xf32>)
      outs(%zeros : tensor<24x40xf32>) -> tensor<24x40xf32>
    tsync.yield %y : tensor<24x40xf32>
  }
  return %0 : tensor<24x40xf32>
}

// A linalg.fill with a constant is part of the kernel that starts from it, through
// views, too.

// CHECK-LABEL: launch.plan @filled
// CHECK:         launch.kernel "filled_chain0_kernel0"
// CHECK-SAME:      args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
// CHECK-LABEL: func.func @filled_chain0_kernel0
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         memref.store %[[ONE]], %{{.*}}[%{{.*}}, %{{.*}}] : memref<24x40xf32, strided<[40, 1]>>

func.func @filled(%a: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<960xf32>
  %fill = linalg.fill ins(%one : f32) outs(%empty : tensor<960xf32>)
    -> tensor<960xf32>
  %ones = tensor.expand_shape %fill [[0, 1]] output_shape [24, 40]
    : tensor<960xf32> into tensor<24x40xf32>
  %0 = tsync.chain mode(serial) : tensor<24x40xf32> {
    %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"],
      grout.tile_sizes = array<i64: 8, 40>}
        ins(%a : tensor<24x40xf32>) outs(%ones : tensor<24x40xf32>) {
    ^bb0(%v: f32, %w: f32):
      %sum = arith.addf %v, %w : f32
      linalg.yield %sum : f32
    } -> tensor<24x40xf32>
    tsync.yield %y : tensor<24x40xf32>
  }
  return %0 : tensor<24x40xf32>
}

// What the body does not read has no memory: this output starts from nothing.
// linalg.index is the element's coordinate, not the tile's.

// CHECK-LABEL: launch.plan @mask
// CHECK:         launch.kernel "mask_chain0_kernel0"
// CHECK-SAME:      args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
// CHECK-LABEL: func.func @mask_chain0_kernel0
// CHECK:         %[[ROW:.*]] = arith.addi
// CHECK:         %[[COLUMN:.*]] = arith.addi
// CHECK:         arith.cmpi ule, %[[COLUMN]], %[[ROW]] : index

func.func @mask(%a: tensor<24x32xf32>) -> tensor<24x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x32xf32>
  %0 = tsync.chain mode(serial) : tensor<24x32xf32> {
    %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"],
      grout.tile_sizes = array<i64: 7, 32>}
        ins(%a : tensor<24x32xf32>) outs(%empty : tensor<24x32xf32>) {
    ^bb0(%v: f32, %_: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %below = arith.cmpi ule, %j, %i : index
      %masked = arith.select %below, %v, %zero : f32
      linalg.yield %masked : f32
    } -> tensor<24x32xf32>
    tsync.yield %y : tensor<24x32xf32>
  }
  return %0 : tensor<24x32xf32>
}
