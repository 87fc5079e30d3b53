// RUN: grout-opt %s --grout-pipeline="target=h200 reference=false" --dump-ptx -o /dev/null \
// RUN:   | FileCheck %s
// RUN: grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   | FileCheck %s --check-prefix=GRID

// Groups have ten elements, so vectors have two. A thread has these of eight
// rows. It loads the weights once, and the elements of all rows before it
// stores any.

// CHECK-LABEL: .entry scale_kernel0
// CHECK-COUNT-9: ld.global.v2.b16
// CHECK-NOT: ld.global.v2.b16
// CHECK: st.global.b32
// CHECK-COUNT-7: st.global.b32
// CHECK-NOT: st.global
func.func @scale(%x: tensor<32768x32x10xf16>, %w: tensor<32x10xf16>, %m: tensor<32768x32xf32>) -> tensor<32768x32x10xf16> {
  %e = tensor.empty() : tensor<32768x32x10xf16>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, g, c) -> (i, g, c)>, affine_map<(i, g, c) -> (g, c)>, affine_map<(i, g, c) -> (i, g)>, affine_map<(i, g, c) -> (i, g, c)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%x, %w, %m : tensor<32768x32x10xf16>, tensor<32x10xf16>, tensor<32768x32xf32>) outs(%e : tensor<32768x32x10xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f32, %o: f16):
    %f = arith.extf %a : f16 to f32
    %g = arith.extf %b : f16 to f32
    %d = arith.subf %f, %c : f32
    %p = arith.mulf %d, %g : f32
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  } -> tensor<32768x32x10xf16>
  return %y : tensor<32768x32x10xf16>
}

// With few rows, each thread has two elements.

// CHECK-LABEL: .entry few_kernel0
// CHECK-COUNT-2: ld.global.v2.b16
// CHECK: st.global.b32
// CHECK-NOT: st.global
func.func @few(%x: tensor<300x32x10xf16>, %w: tensor<32x10xf16>, %m: tensor<300x32xf32>) -> tensor<300x32x10xf16> {
  %e = tensor.empty() : tensor<300x32x10xf16>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, g, c) -> (i, g, c)>, affine_map<(i, g, c) -> (g, c)>, affine_map<(i, g, c) -> (i, g)>, affine_map<(i, g, c) -> (i, g, c)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%x, %w, %m : tensor<300x32x10xf16>, tensor<32x10xf16>, tensor<300x32xf32>) outs(%e : tensor<300x32x10xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f32, %o: f16):
    %f = arith.extf %a : f16 to f32
    %g = arith.extf %b : f16 to f32
    %d = arith.subf %f, %c : f32
    %p = arith.mulf %d, %g : f32
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  } -> tensor<300x32x10xf16>
  return %y : tensor<300x32x10xf16>
}

// Rows have 2,665 vectors, and a tile would have 205 of one row, for 256 threads.
// So blocks have consecutive vectors instead, and are full.

// CHECK-LABEL: .entry long_kernel0
// CHECK: st.global
// CHECK-NOT: st.global
// GRID: launch.kernel "long_kernel0"{{.*}} grids {{\[\[}}3904]]
func.func @long(%x: tensor<375x130x82xf16>, %w: tensor<130x82xf16>, %m: tensor<375x130xf32>) -> tensor<375x130x82xf16> {
  %e = tensor.empty() : tensor<375x130x82xf16>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, g, c) -> (i, g, c)>, affine_map<(i, g, c) -> (g, c)>, affine_map<(i, g, c) -> (i, g)>, affine_map<(i, g, c) -> (i, g, c)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%x, %w, %m : tensor<375x130x82xf16>, tensor<130x82xf16>, tensor<375x130xf32>) outs(%e : tensor<375x130x82xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f32, %o: f16):
    %f = arith.extf %a : f16 to f32
    %g = arith.extf %b : f16 to f32
    %d = arith.subf %f, %c : f32
    %p = arith.mulf %d, %g : f32
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  } -> tensor<375x130x82xf16>
  return %y : tensor<375x130x82xf16>
}

// Tiles of 257 vectors of a row would have two points for each of 256 threads,
// and the second point of all but one thread would be outside.

// CHECK-LABEL: .entry idle_kernel0
// CHECK: st.global
// CHECK-NOT: st.global
// GRID: launch.kernel "idle_kernel0"{{.*}} grids {{\[\[}}7813]]
func.func @idle(%x: tensor<7782x257x2xf16>, %w: tensor<257x2xf16>, %m: tensor<7782x257xf32>) -> tensor<7782x257x2xf16> {
  %e = tensor.empty() : tensor<7782x257x2xf16>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, g, c) -> (i, g, c)>, affine_map<(i, g, c) -> (g, c)>, affine_map<(i, g, c) -> (i, g)>, affine_map<(i, g, c) -> (i, g, c)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%x, %w, %m : tensor<7782x257x2xf16>, tensor<257x2xf16>, tensor<7782x257xf32>) outs(%e : tensor<7782x257x2xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f32, %o: f16):
    %f = arith.extf %a : f16 to f32
    %g = arith.extf %b : f16 to f32
    %d = arith.subf %f, %c : f32
    %p = arith.mulf %d, %g : f32
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  } -> tensor<7782x257x2xf16>
  return %y : tensor<7782x257x2xf16>
}
