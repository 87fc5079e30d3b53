// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-reference | FileCheck %s --check-prefixes=CHECK,GPU

// Integers stay what they are; floats get wider. A truth value takes a byte.

// CHECK-LABEL: @count_reference_kernel0
// CHECK:         arith.constant 0 : i32
// CHECK:         llvm.store %{{.*}} : i32, !llvm.ptr

// CHECK-LABEL: @count_reference_kernel1
// CPU-DAG:       llvm.load %{{.*}} : !llvm.ptr -> f64
// GPU-DAG:       llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK-DAG:     %[[ADDRESS:.*]] = llvm.getelementptr inbounds|nuw %{{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-DAG:     %[[BYTE:.*]] = llvm.load %[[ADDRESS]] : !llvm.ptr -> i8
// CHECK-DAG:     arith.cmpi ne, %[[BYTE]], %{{.*}} : i8
// CPU:           arith.fptosi %{{.*}} : f64 to i32
// GPU:           arith.fptosi %{{.*}} : f32 to i32
// CHECK:         arith.addi %{{.*}} : i32
// CHECK:         llvm.store %{{.*}} : i32, !llvm.ptr

// CHECK-LABEL: @count_reference_kernel2
// CHECK:         %[[ODD:.*]] = arith.trunci %{{.*}} : i32 to i1
// CHECK:         %[[BYTE:.*]] = arith.extui %[[ODD]] : i1 to i8
// CHECK:         llvm.store %[[BYTE]], %{{.*}} : i8, !llvm.ptr

// CHECK-LABEL: launch.plan @count_reference inputs 2 reference
// CPU-NEXT:    ^bb0(%{{.*}}: memref<4x6xf64>, %{{.*}}: memref<4x6xi1>, %{{.*}}: memref<4xi1>):
// GPU-NEXT:    ^bb0(%{{.*}}: memref<4x6xf32>, %{{.*}}: memref<4x6xi1>, %{{.*}}: memref<4xi1>):
// CHECK:         launch.buffer {{.*}} : memref<4xi32>

func.func @count(%x: tensor<4x6xf16>, %mask: tensor<4x6xi1>) -> tensor<4xi1> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%e : tensor<4xi32>)
    -> tensor<4xi32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %mask : tensor<4x6xf16>, tensor<4x6xi1>)
      outs(%zeros : tensor<4xi32>) {
  ^bb0(%v: f16, %m: i1, %s: i32):
    %i = arith.fptosi %v : f16 to i32
    %c = arith.select %m, %i, %zero : i32
    %t = arith.addi %s, %c : i32
    linalg.yield %t : i32
  } -> tensor<4xi32>
  %f = tensor.empty() : tensor<4xi1>
  %odd = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%sum : tensor<4xi32>) outs(%f : tensor<4xi1>) {
  ^bb0(%s: i32, %_: i1):
    %o = arith.trunci %s : i32 to i1
    linalg.yield %o : i1
  } -> tensor<4xi1>
  return %odd : tensor<4xi1>
}
