// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s

// The function stays; beside it is the same in f64, a kernel for each op. The
// f16 in between are f64, too, rounded to f16 where the function does.

// CHECK-LABEL: func.func @product
// CHECK:         linalg.matmul
// CHECK-LABEL: module @product_reference_kernels

// An element of the fill at a time.
// CHECK-LABEL: func.func @product_reference_kernel0(%{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK:         arith.constant 0.000000e+00 : f64
// CHECK:         llvm.store %{{.*}}, %{{.*}} : f64, !llvm.ptr

// A row of the product at a time: first what it starts from, then for every k a
// pass over the row.
// CHECK-LABEL: func.func @product_reference_kernel1
// CHECK:         scf.for %[[M:.*]] =
// CHECK:           scf.for %[[N0:.*]] =
// CHECK:             llvm.store %{{.*}} : f64, !llvm.ptr
// CHECK:           scf.for %[[K:.*]] =
// CHECK:             scf.for %[[N:.*]] =
// CHECK-NOT:           arith.extf
// CHECK:               arith.mulf %{{.*}} : f64
// CHECK:               arith.addf %{{.*}} : f64
// CHECK:               llvm.store %{{.*}} : f64, !llvm.ptr

// CHECK-LABEL: func.func @product_reference_kernel2
// CHECK-NOT:     arith.truncf
// CHECK:         %[[TANH:.*]] = math.tanh %{{.*}} : f64
// CHECK:         %[[KEPT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[TANH]] : f64
// CHECK-NEXT:    %[[ROUNDED:.*]] = arith.truncf %[[KEPT]] : f64 to f16
// CHECK-NEXT:    %[[RESULT:.*]] = arith.extf %[[ROUNDED]] : f16 to f64
// CHECK:         llvm.store %[[RESULT]]

// CHECK-LABEL: launch.plan @product_reference inputs 2 reference
// CHECK-NEXT:  ^bb0(%[[A:.*]]: memref<24x32xf64>, %[[B:.*]]: memref<32x40xf64>, %[[OUT:.*]]: memref<24x40xf64>):
// CHECK:         launch.kernel "product_reference_kernel0" @product_reference_kernels [@product_reference_kernel0]
// CHECK-SAME:      grids {{\[}}[24, 10]]
// CHECK:         launch.kernel "product_reference_kernel1"
// CHECK:         launch.kernel "product_reference_kernel2"

func.func @product(%a: tensor<24x32xf16>, %b: tensor<32x40xf16>)
    -> tensor<24x40xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x40xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x40xf32>)
    -> tensor<24x40xf32>
  %p = linalg.matmul ins(%a, %b : tensor<24x32xf16>, tensor<32x40xf16>)
    outs(%z : tensor<24x40xf32>) -> tensor<24x40xf32>
  %eh = tensor.empty() : tensor<24x40xf16>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<24x40xf32>) outs(%eh : tensor<24x40xf16>) {
  ^bb0(%v: f32, %_: f16):
    %t = math.tanh %v : f32
    %h = arith.truncf %t : f32 to f16
    linalg.yield %h : f16
  } -> tensor<24x40xf16>
  return %y : tensor<24x40xf16>
}

// A sum over contiguous elements is kept in a register, beyond the range of f32
// until it is complete.

// CHECK-LABEL: func.func @sum_reference_kernel0
// CHECK:         scf.for %{{.*}} =
// CHECK:           %[[SUM:.*]] = scf.for %{{.*}} iter_args(%[[PART:.*]] = %{{.*}}) -> (f64)
// CHECK:             %[[NEXT:.*]] = arith.addf %[[PART]], %{{.*}} : f64
// CHECK:             scf.yield %[[NEXT]] : f64
// CHECK:           %[[KEPT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[SUM]] : f64
// CHECK:           llvm.store %[[KEPT]]

func.func @sum(%a: tensor<24x32xf32>, %init: tensor<24xf32>) -> tensor<24xf32> {
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<24x32xf32>) outs(%init : tensor<24xf32>) {
  ^bb0(%v: f32, %part: f32):
    %t = arith.addf %part, %v : f32
    linalg.yield %t : f32
  } -> tensor<24xf32>
  return %s : tensor<24xf32>
}

// A private function gets no reference.

// CHECK-NOT: @helper_reference

func.func private @helper(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
