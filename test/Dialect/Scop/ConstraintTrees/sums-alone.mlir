// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-schedule{tree=auto},scop-explain))' -o /dev/null | FileCheck %s

// A thread sums up few points alone, if there are enough threads.

// CHECK:      memory-bound kernel 0
// CHECK-NEXT: loop 0 64, blocks
// CHECK-NEXT: loop 1 1024, neighbouring threads, 4 at once
// CHECK-NEXT: loop 2 49, in each thread
func.func @alone(%x: tensor<64x49x1024xf16>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<64x49x1024xf16>) outs(%z : tensor<64x1024xf32>) {
  ^bb0(%a: f16, %s: f32):
    %f = arith.extf %a : f16 to f32
    %next = arith.addf %s, %f : f32
    linalg.yield %next : f32
  } -> tensor<64x1024xf32>
  return %y : tensor<64x1024xf32>
}

// -----

// There are fewer threads than processors have warps.
// CHECK:      memory-bound kernel 0
// CHECK-NEXT: loop 0 8, blocks
// CHECK-NEXT: loop 1 1024, neighbouring threads, 4 at once
// CHECK-NEXT: loop 2 49, other threads of a block
func.func @few(%x: tensor<8x49x1024xf16>) -> tensor<8x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<8x49x1024xf16>) outs(%z : tensor<8x1024xf32>) {
  ^bb0(%a: f16, %s: f32):
    %f = arith.extf %a : f16 to f32
    %next = arith.addf %s, %f : f32
    linalg.yield %next : f32
  } -> tensor<8x1024xf32>
  return %y : tensor<8x1024xf32>
}

// -----

// CHECK:      memory-bound kernel 0
// CHECK:      loop 2 65, other threads of a block
func.func @more(%x: tensor<64x65x1024xf16>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<64x65x1024xf16>) outs(%z : tensor<64x1024xf32>) {
  ^bb0(%a: f16, %s: f32):
    %f = arith.extf %a : f16 to f32
    %next = arith.addf %s, %f : f32
    linalg.yield %next : f32
  } -> tensor<64x1024xf32>
  return %y : tensor<64x1024xf32>
}

// -----

// What is read fits into registers.
// CHECK:      memory-bound kernel 0
// CHECK-NEXT: loop 0 64, blocks
// CHECK-NEXT: loop 1 1024, neighbouring threads, 2 at once
// CHECK-NEXT: loop 2 49, in each thread
func.func @wide(%x: tensor<64x49x1024xf64>) -> tensor<64x1024xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<64x1024xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<64x1024xf64>) -> tensor<64x1024xf64>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<64x49x1024xf64>) outs(%z : tensor<64x1024xf64>) {
  ^bb0(%a: f64, %s: f64):
    %next = arith.addf %s, %a : f64
    linalg.yield %next : f64
  } -> tensor<64x1024xf64>
  return %y : tensor<64x1024xf64>
}

// -----

// The points are gone through again.
// CHECK:      memory-bound kernel 0
// CHECK:      loop 2 16, other threads of a block
func.func @again(%x: tensor<64x16x1024xf32>) -> tensor<64x16x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<64x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%se : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<64x16x1024xf32>) outs(%z : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %next = arith.addf %sum, %a : f32
    linalg.yield %next : f32
  } -> tensor<64x1024xf32>
  %e = tensor.empty() : tensor<64x16x1024xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, j)>, affine_map<(n, i, j) -> (n, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<64x16x1024xf32>, tensor<64x1024xf32>) outs(%e : tensor<64x16x1024xf32>) {
  ^bb0(%a: f32, %sum: f32, %o: f32):
    %q = arith.divf %a, %sum : f32
    linalg.yield %q : f32
  } -> tensor<64x16x1024xf32>
  return %y : tensor<64x16x1024xf32>
}

// -----

// What is read once for all 49 rows takes few registers: four points at once,
// not two.
// CHECK:      memory-bound kernel 0
// CHECK-NEXT: loop 0 64, blocks
// CHECK-NEXT: loop 1 1024, neighbouring threads, 4 at once
// CHECK-NEXT: loop 2 49, in each thread
func.func @constants(%x: tensor<64x49x1024xf16>, %scale: tensor<1024xf32>, %bias: tensor<1024xf32>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (j)>, affine_map<(n, i, j) -> (j)>, affine_map<(n, i, j) -> (n, j)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x, %scale, %bias : tensor<64x49x1024xf16>, tensor<1024xf32>, tensor<1024xf32>) outs(%z : tensor<64x1024xf32>) {
  ^bb0(%a: f16, %b: f32, %c: f32, %s: f32):
    %f = arith.extf %a : f16 to f32
    %m = arith.mulf %f, %b : f32
    %p = arith.addf %m, %c : f32
    %r = arith.maximumf %p, %zero : f32
    %next = arith.addf %s, %r : f32
    linalg.yield %next : f32
  } -> tensor<64x1024xf32>
  return %y : tensor<64x1024xf32>
}
