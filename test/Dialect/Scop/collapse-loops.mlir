// RUN: grout-opt %s --convert-linalg-to-scop --scop-collapse-loops -split-input-file | FileCheck %s
// RUN: grout-opt %s --convert-linalg-to-scop --scop-collapse-loops --grout-set-target=name=h200 --scop-schedule \
// RUN:   --scop-verify-schedule -split-input-file -o /dev/null

// One loop of all; the result keeps its type.
// CHECK-LABEL: func.func @elementwise
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2, 3]] : tensor<150x160x7x7xf32> into tensor<1176000xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<1176000xf32>
// CHECK: %[[R:.*]] = scop.kernel ins(%[[X]] : {{.*}}) outs(%[[E]] : {{.*}}) -> tensor<1176000xf32>
// CHECK: scop.stmt @S0 domain [1176000] reads(%{{.*}}[(d0) -> (d0)] : memref<1176000xf32>) writes(%{{.*}}[(d0) -> (d0)] : memref<1176000xf32>)
// CHECK: tensor.expand_shape %[[R]] {{\[\[}}0, 1, 2, 3]] output_shape [150, 160, 7, 7]
func.func @elementwise(%x: tensor<150x160x7x7xf32>) -> tensor<150x160x7x7xf32> {
  %e = tensor.empty() : tensor<150x160x7x7xf32>
  %y = linalg.exp ins(%x : tensor<150x160x7x7xf32>) outs(%e : tensor<150x160x7x7xf32>) -> tensor<150x160x7x7xf32>
  return %y : tensor<150x160x7x7xf32>
}

// -----

// The bias is one for each channel. Its dimensions of extent 1 are dropped.
// CHECK-LABEL: func.func @bias
// CHECK-DAG: tensor.collapse_shape %arg0 {{\[\[}}0], [1], [2, 3]]
// CHECK-DAG: tensor.collapse_shape %arg1 {{\[\[}}0, 1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<16xf32>
// CHECK: scop.stmt @S0 domain [8, 16, 36] reads(%{{.*}}[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x16x36xf32>, %{{.*}}[(d0, d1, d2) -> (d1)] : memref<16xf32>)
func.func @bias(%x: tensor<8x16x6x6xf32>, %b: tensor<1x16x1x1xf32>) -> tensor<8x16x6x6xf32> {
  %e = tensor.empty() : tensor<8x16x6x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (0, c, 0, 0)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<8x16x6x6xf32>, tensor<1x16x1x1xf32>) outs(%e : tensor<8x16x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %0 = arith.addf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<8x16x6x6xf32>
  return %y : tensor<8x16x6x6xf32>
}

// -----

// One statement that tells the channels apart is enough for its whole kernel,
// through the arrays that are accessed by several.
// CHECK-LABEL: func.func @propagates
// CHECK: scop.local : memref<8x16x36xf32>
// CHECK: scop.stmt @S0 domain [8, 16, 36]
// CHECK: scop.stmt @S1 domain [8, 16, 36]
func.func @propagates(%x: tensor<8x16x6x6xf32>, %b: tensor<16xf32>) -> tensor<8x16x6x6xf32> {
  %e = tensor.empty() : tensor<8x16x6x6xf32>
  %t = linalg.exp ins(%x : tensor<8x16x6x6xf32>) outs(%e : tensor<8x16x6x6xf32>) -> tensor<8x16x6x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%t, %b : tensor<8x16x6x6xf32>, tensor<16xf32>) outs(%e : tensor<8x16x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %0 = arith.addf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<8x16x6x6xf32>
  return %y : tensor<8x16x6x6xf32>
}

// -----

// Rows of 49 elements have no vectors: the little that is read for a channel is
// found by a division instead.
// CHECK-LABEL: func.func @divided
// CHECK-DAG: tensor.collapse_shape %arg0 {{\[\[}}0], [1, 2, 3]]
// CHECK-DAG: tensor.collapse_shape %arg1 {{\[\[}}0, 1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<16xf32>
// CHECK: scop.stmt @S0 domain [8, 784] reads(%{{.*}}[(d0, d1) -> (d0, d1)] : memref<8x784xf32>, %{{.*}}[(d0, d1) -> (d1 floordiv 49)] : memref<16xf32>)
func.func @divided(%x: tensor<8x16x7x7xf32>, %b: tensor<1x16x1x1xf32>) -> tensor<8x16x7x7xf32> {
  %e = tensor.empty() : tensor<8x16x7x7xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (0, c, 0, 0)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<8x16x7x7xf32>, tensor<1x16x1x1xf32>) outs(%e : tensor<8x16x7x7xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %0 = arith.addf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<8x16x7x7xf32>
  return %y : tensor<8x16x7x7xf32>
}

// -----

// Heads: nothing is walked as one.
// CHECK-LABEL: func.func @transpose
// CHECK-NOT: collapse_shape
// CHECK: scop.stmt @S0 domain [8, 12, 128, 64] reads(%{{.*}}[(d0, d1, d2, d3) -> (d0, d2, d1, d3)] : memref<8x128x12x64xf32>)
func.func @transpose(%x: tensor<8x128x12x64xf32>) -> tensor<8x12x128x64xf32> {
  %e = tensor.empty() : tensor<8x12x128x64xf32>
  %y = linalg.transpose ins(%x : tensor<8x128x12x64xf32>) outs(%e : tensor<8x12x128x64xf32>) permutation = [0, 2, 1, 3]
  return %y : tensor<8x12x128x64xf32>
}

// -----

// Two pairs that change places stay pairs.
// CHECK-LABEL: func.func @swap
// CHECK: scop.stmt @S0 domain [768, 1024] reads(%{{.*}}[(d0, d1) -> (d1, d0)] : memref<1024x768xf32>) writes(%{{.*}}[(d0, d1) -> (d0, d1)] : memref<768x1024xf32>)
func.func @swap(%x: tensor<8x128x12x64xf32>) -> tensor<12x64x8x128xf32> {
  %e = tensor.empty() : tensor<12x64x8x128xf32>
  %y = linalg.transpose ins(%x : tensor<8x128x12x64xf32>) outs(%e : tensor<12x64x8x128xf32>) permutation = [2, 3, 0, 1]
  return %y : tensor<12x64x8x128xf32>
}

// -----

// CHECK-LABEL: func.func @softmax
// CHECK: scop.stmt @S1 domain [49152, 128] reads(%{{.*}}[(d0, d1) -> (d0, d1)] : memref<49152x128xf32>, %{{.*}}[(d0, d1) -> (d0)] : memref<49152xf32>) writes(%{{.*}}[(d0, d1) -> (d0)] : memref<49152xf32>) reductions [1]
// CHECK: scop.stmt @S5 domain [49152, 128]
func.func @softmax(%x: tensor<32x12x128x128xf32>) -> tensor<32x12x128x128xf32> {
  %e = tensor.empty() : tensor<32x12x128x128xf32>
  %y = linalg.softmax dimension(3) ins(%x : tensor<32x12x128x128xf32>) outs(%e : tensor<32x12x128x128xf32>) -> tensor<32x12x128x128xf32>
  return %y : tensor<32x12x128x128xf32>
}

// -----

// A broadcast along the last dimension, of extent 1 in what is read.
// CHECK-LABEL: func.func @broadcast
// CHECK: scop.stmt @S0 domain [49152, 128] reads(%{{.*}}[(d0, d1) -> (d0)] : memref<49152xf32>)
func.func @broadcast(%x: tensor<32x12x128x1xf32>) -> tensor<32x12x128x128xf32> {
  %e = tensor.empty() : tensor<32x12x128x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, 0)>, affine_map<(i, j, k, l) -> (i, j, k, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<32x12x128x1xf32>) outs(%e : tensor<32x12x128x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<32x12x128x128xf32>
  return %y : tensor<32x12x128x128xf32>
}

// -----

// Loops over which is combined, and others, stay two.
// CHECK-LABEL: func.func @channels
// CHECK: scop.stmt @S1 domain [8, 16, 49] reads({{.*}}) writes({{.*}}) reductions [0, 2]
func.func @channels(%x: tensor<8x16x7x7xf32>, %init: tensor<16xf32>) -> (tensor<16xf32>, tensor<8x112xf32>) {
  %f = tensor.empty() : tensor<16xf32>
  %c = linalg.copy ins(%init : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %y = linalg.reduce ins(%x : tensor<8x16x7x7xf32>) outs(%c : tensor<16xf32>) dimensions = [0, 2, 3]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  %g = tensor.empty() : tensor<8x112xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%g : tensor<8x112xf32>) -> tensor<8x112xf32>
  // CHECK: scop.stmt @S{{.*}} domain [896, 7] reads({{.*}}) writes({{.*}}) reductions [1]
  %v = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<8x16x7x7xf32> into tensor<8x112x7xf32>
  %z = linalg.reduce ins(%v : tensor<8x112x7xf32>) outs(%fill : tensor<8x112xf32>) dimensions = [2]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  return %y, %z : tensor<16xf32>, tensor<8x112xf32>
}

// -----

// Two shapes of an array that is one loop for both: no division is left.
// CHECK-LABEL: func.func @reshaped
// CHECK: scop.local : memref<120xf32>
// CHECK: scop.stmt @S0 domain [120] reads(%{{.*}}[(d0) -> (d0)] : memref<120xf32>) writes(%{{.*}}[(d0) -> (d0)] : memref<120xf32>)
// CHECK: scop.stmt @S1 domain [120] reads(%{{.*}}[(d0) -> (d0)] : memref<120xf32>, %{{.*}}[(d0) -> (d0)] : memref<120xf32>)
func.func @reshaped(%x: tensor<2x3x4x5xf32>, %z: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %e = tensor.empty() : tensor<2x3x4x5xf32>
  %y = linalg.exp ins(%x : tensor<2x3x4x5xf32>) outs(%e : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %v = tensor.collapse_shape %y [[0, 1, 2, 3]] : tensor<2x3x4x5xf32> into tensor<120xf32>
  %w = tensor.expand_shape %v [[0, 1]] output_shape [10, 12] : tensor<120xf32> into tensor<10x12xf32>
  %f = tensor.empty() : tensor<10x12xf32>
  %r = linalg.add ins(%w, %z : tensor<10x12xf32>, tensor<10x12xf32>) outs(%f : tensor<10x12xf32>) -> tensor<10x12xf32>
  return %r : tensor<10x12xf32>
}

// -----

// Rows of 8 of what has rows of 4: divisions stay where a loop needs them.
// CHECK-LABEL: func.func @divisions
// CHECK: scop.stmt @S1 domain [3, 8] reads(%{{.*}}[(d0, d1) -> (d0 * 2 + d1 floordiv 4, d1 mod 4)] : memref<6x4xf32>
func.func @divisions(%x: tensor<6x4xf32>, %row: tensor<4xf32>, %column: tensor<8xf32>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<6x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %row : tensor<6x4xf32>, tensor<4xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<6x4xf32>
  %v = tensor.collapse_shape %y [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %w = tensor.expand_shape %v [[0, 1]] output_shape [3, 8] : tensor<24xf32> into tensor<3x8xf32>
  %f = tensor.empty() : tensor<3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%w, %column : tensor<3x8xf32>, tensor<8xf32>) outs(%f : tensor<3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// -----

// The elements of a slice do not follow each other.
// CHECK-LABEL: func.func @slice
// CHECK-NOT: collapse_shape
// CHECK: scop.stmt @S0 domain [4, 4]
func.func @slice(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %s = tensor.extract_slice %x[0, 2] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %y = linalg.exp ins(%s : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// Values of iterators: the one of extent 1 is 0.
// CHECK-LABEL: func.func @index
// CHECK: scop.stmt @S0 domain [64]
// CHECK: %[[I0:.*]] = scop.index 0
// CHECK: %[[C16:.*]] = arith.constant 16
// CHECK: %[[I:.*]] = arith.divui %[[I0]], %[[C16]]
// CHECK: %[[J:.*]] = arith.constant 0 : index
// CHECK: %[[K0:.*]] = scop.index 0
// CHECK: %[[C2:.*]] = arith.constant 2
// CHECK: %[[K1:.*]] = arith.divui %[[K0]], %[[C2]]
// CHECK: %[[C8:.*]] = arith.constant 8
// CHECK: %[[K:.*]] = arith.remui %[[K1]], %[[C8]]
// CHECK: %[[L0:.*]] = scop.index 0
// CHECK: %[[C2:.*]] = arith.constant 2
// CHECK: %[[L:.*]] = arith.remui %[[L0]], %[[C2]]
// CHECK: arith.addi %[[I]], %[[J]]
// CHECK: arith.addi %{{.*}}, %[[K]]
// CHECK: arith.muli %{{.*}}, %[[L]]
func.func @index(%e: tensor<4x1x8x2xf32>) -> tensor<4x1x8x2xf32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : tensor<4x1x8x2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %0 = arith.addi %i, %j : index
    %1 = arith.addi %0, %k : index
    %2 = arith.muli %1, %l : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    linalg.yield %4 : f32
  } -> tensor<4x1x8x2xf32>
  return %y : tensor<4x1x8x2xf32>
}

// -----

// Windows: rows of all images follow each other.
// CHECK-LABEL: func.func @pool
// CHECK: scop.stmt @S1 domain [896, 7, 2, 2] reads(%{{.*}}[(d0, d1, d2, d3) -> (d0 * 2 + d2, d1 * 2 + d3)] : memref<1792x14xf32>
func.func @pool(%x: tensor<8x16x14x14xf32>) -> tensor<8x16x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16x7x7xf32>) -> tensor<8x16x7x7xf32>
  %k = tensor.empty() : tensor<2x2xf32>
  %y = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<8x16x14x14xf32>, tensor<2x2xf32>) outs(%f : tensor<8x16x7x7xf32>) -> tensor<8x16x7x7xf32>
  return %y : tensor<8x16x7x7xf32>
}

// -----

// Nothing but units: no loop at all.
// CHECK-LABEL: func.func @scalar
// CHECK: scop.stmt @S0 domain [] reads(%{{.*}}[() -> ()] : memref<f32>)
// CHECK: tensor.expand_shape %{{.*}} [] output_shape [1, 1]
func.func @scalar(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %e = tensor.empty() : tensor<1x1xf32>
  %y = linalg.exp ins(%x : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// -----

// Who has chosen a schedule wants these loops.
// CHECK-LABEL: func.func @scheduled
// CHECK: scop.stmt @S0 domain [4, 8]
func.func @scheduled(%x: tensor<4x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = scop.kernel ins(%x : tensor<4x8xf32>) outs(%init : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S0 = (d0, d1) -> (d1, d0)> -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    scop.stmt @S0 domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%xe: f32):
      scop.yield %xe : f32
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

// One empty tensor for both results, as after CSE.
// CHECK-LABEL: func.func @one_empty_tensor
// CHECK: scop.kernel {{.*}} -> tensor<12xf32>, tensor<12xf32>
func.func @one_empty_tensor(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %e = tensor.empty() : tensor<3x4xf32>
  %r:2 = scop.kernel ins(%x : tensor<3x4xf32>) outs(%e, %e : tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>, tensor<3x4xf32> {
  ^bb0(%X: memref<3x4xf32>, %Y: memref<3x4xf32>, %Z: memref<3x4xf32>):
    scop.stmt @two domain [3, 4] reads(%X[(d0, d1) -> (d0, d1)] : memref<3x4xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<3x4xf32>, %Z[(d0, d1) -> (d0, d1)] : memref<3x4xf32>) {
    ^bb0(%a: f32):
      %b = arith.negf %a : f32
      scop.yield %a, %b : f32, f32
    }
  }
  return %r#0, %r#1 : tensor<3x4xf32>, tensor<3x4xf32>
}
