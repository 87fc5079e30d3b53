// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s

// A task has three coordinates. Of a larger grid the outermost dimensions are
// packed into the first one, and the order is of the packed grid.

// CHECK: #[[ORDER:.*]] = affine_map<(d0, d1, d2) -> ((d0 floordiv 3) floordiv 2, (d0 floordiv 3) mod 2, d0 mod 3, d1, d2)>
// CHECK-LABEL: launch.plan @deep
// CHECK:         grids {{\[}}[30, 4, 2]] order [#[[ORDER]]]
// CHECK-LABEL: func.func @deep_chain0_kernel0
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[X:.*]]: i32, %[[Y:.*]]: i32, %[[Z:.*]]: i32
// CHECK:         %[[PACKED:.*]] = arith.index_castui %[[X]] : i32 to index
// CHECK:         %[[C3:.*]] = arith.constant 3 : index
// CHECK:         arith.remui %[[PACKED]], %[[C3]]
// CHECK:         %[[REST:.*]] = arith.divui %[[PACKED]], %[[C3]]
// CHECK:         %[[C2:.*]] = arith.constant 2 : index
// CHECK:         arith.remui %[[REST]], %[[C2]]
// CHECK:         arith.divui %[[REST]], %[[C2]]

#id = affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>

func.func @deep(%x: tensor<5x2x3x4x16xf32>) -> tensor<5x2x3x4x16xf32> {
  %empty = tensor.empty() : tensor<5x2x3x4x16xf32>
  %0 = tsync.chain mode(serial) : tensor<5x2x3x4x16xf32> {
    %y = linalg.generic {
      indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel",
                        "parallel"],
      grout.tile_sizes = array<i64: 1, 1, 1, 1, 8>}
        ins(%x : tensor<5x2x3x4x16xf32>) outs(%empty : tensor<5x2x3x4x16xf32>) {
    ^bb0(%v: f32, %_: f32):
      linalg.yield %v : f32
    } -> tensor<5x2x3x4x16xf32>
    tsync.yield %y : tensor<5x2x3x4x16xf32>
  }
  return %0 : tensor<5x2x3x4x16xf32>
}
