// RUN: grout-opt %s --convert-linalg-to-scop | FileCheck %s
// RUN: grout-opt %s --convert-linalg-to-scop --scop-collapse-loops | FileCheck %s --check-prefix=COLLAPSED

#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

// The table is computed by another kernel than what takes rows of it, which
// waits for all of its tiles; what is done with the rows is in one kernel with
// that. The table keeps its shape when loops become one.

// CHECK-LABEL:     @rows
// CHECK:             %[[TABLE:.*]] = scop.kernel
// CHECK:             scop.kernel ins({{.*}}%[[TABLE]]{{.*}})
// CHECK-NEXT:        ^bb0(%{{.*}}: memref<3xi64>, %[[T:.*]]: memref<10x8xf32>, %{{.*}}: memref<3x8xf32>):
// CHECK:               %[[I:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK-NEXT:          %[[J:.*]] = scop.index 1 : index
// CHECK-NEXT:          scop.gather %[[T]][%[[I]], %[[J]]] : memref<10x8xf32>
// CHECK:             scop.stmt
// CHECK:               arith.negf
// CHECK-NOT:         scop.kernel
// COLLAPSED-LABEL: @rows
// COLLAPSED:         scop.stmt @S0 domain [80]
// COLLAPSED:         scop.gather %{{.*}}[%{{.*}}, %{{.*}}] : memref<10x8xf32>
func.func @rows(%x: tensor<10x8xf32>, %n: tensor<3xi64>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<10x8xf32>
  %table = linalg.exp ins(%x : tensor<10x8xf32>) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
  %f = tensor.empty() : tensor<3x8xf32>
  %rows = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<3xi64>) outs(%f : tensor<3x8xf32>) {
  ^bb0(%at: i64, %_: f32):
    %i = arith.index_cast %at : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<10x8xf32>
    linalg.yield %v : f32
  } -> tensor<3x8xf32>
  %y = linalg.negf ins(%rows : tensor<3x8xf32>) outs(%f : tensor<3x8xf32>) -> tensor<3x8xf32>
  return %y : tensor<3x8xf32>
}

// Of every other row of a part: what is taken is in the part, and then in the
// whole.

// CHECK-LABEL: @part
// CHECK:         %[[LOW:.*]] = arith.maxsi %{{.*}}, %c0{{.*}} : index
// CHECK:         %[[I:.*]] = arith.minsi %[[LOW]], %c3{{.*}} : index
// CHECK:         %[[TWICE:.*]] = arith.muli %[[I]], %c2{{.*}} : index
// CHECK:         %[[ROW:.*]] = arith.addi %[[TWICE]], %c1{{.*}} : index
// CHECK:         scop.gather %{{.*}}[%[[ROW]], %{{.*}}] : memref<10x8xf32>
func.func private @part(%x: tensor<10x8xf32>, %n: tensor<3xi64>) -> tensor<3x8xf32> {
  %part = tensor.extract_slice %x[1, 0] [4, 8] [2, 1] : tensor<10x8xf32> to tensor<4x8xf32>
  %f = tensor.empty() : tensor<3x8xf32>
  %rows = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<3xi64>) outs(%f : tensor<3x8xf32>) {
  ^bb0(%at: i64, %_: f32):
    %i = arith.index_cast %at : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %part[%i, %j] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<3x8xf32>
  return %rows : tensor<3x8xf32>
}
