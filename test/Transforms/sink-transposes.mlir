// RUN: grout-opt %s --linalg-sink-transposes -split-input-file | FileCheck %s
// RUN: grout-opt %s --linalg-sink-transposes --linalg-sink-transposes -split-input-file | FileCheck %s

// Elementwise ops on convolutions have channels last.

#id = affine_map<(n, f, p, q) -> (n, f, p, q)>

// CHECK-LABEL: func.func @relu
// CHECK:         %[[I:.*]] = tensor.expand_shape
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[I]] : tensor<2x8x6x16xf32>) outs(%{{.*}} : tensor<2x8x6x16xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      arith.maximumf %[[IN]], %{{.*}}
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[Y]] : tensor<2x8x6x16xf32>) outs(%{{.*}} : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[T]]
func.func @relu(%x: tensor<2x8x6x4xf32>, %w: tensor<16x3x3x4xf32>) -> tensor<2x16x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x8x6xf32>
  %cm = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<2x8x6x4xf32>, tensor<16x3x3x4xf32> -> tensor<96x16xf32>
  %ci = tensor.expand_shape %cm [[0, 1, 2], [3]] output_shape [2, 8, 6, 16] : tensor<96x16xf32> into tensor<2x8x6x16xf32>
  %c = linalg.transpose ins(%ci : tensor<2x8x6x16xf32>) outs(%e : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x16x8x6xf32>) outs(%e : tensor<2x16x8x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x16x8x6xf32>
  return %y : tensor<2x16x8x6xf32>
}

// -----

#id = affine_map<(n, f, p, q) -> (n, f, p, q)>

// Two transposes meet that of the input of the next convolution, and cancel; ops
// in between may be several.
// CHECK-LABEL: func.func @chain
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[A:.*]] = linalg.generic
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<2x8x6x16xf32>)
// CHECK-NOT:     linalg.transpose
// CHECK:         tgemm.conv2d %[[B]], %{{.*}}
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @chain(%x: tensor<2x8x6x4xf32>, %w: tensor<16x3x3x4xf32>, %v: tensor<8x3x3x16xf32>) -> tensor<96x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x8x6xf32>
  %cm = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<2x8x6x4xf32>, tensor<16x3x3x4xf32> -> tensor<96x16xf32>
  %ci = tensor.expand_shape %cm [[0, 1, 2], [3]] output_shape [2, 8, 6, 16] : tensor<96x16xf32> into tensor<2x8x6x16xf32>
  %c = linalg.transpose ins(%ci : tensor<2x8x6x16xf32>) outs(%e : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x16x8x6xf32>) outs(%e : tensor<2x16x8x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x16x8x6xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y : tensor<2x16x8x6xf32>) outs(%e : tensor<2x16x8x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.absf %a : f32
    linalg.yield %m : f32
  } -> tensor<2x16x8x6xf32>
  %el = tensor.empty() : tensor<2x8x6x16xf32>
  %last = linalg.transpose ins(%z : tensor<2x16x8x6xf32>) outs(%el : tensor<2x8x6x16xf32>) permutation = [0, 2, 3, 1]
  %d = tgemm.conv2d %last, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : tensor<2x8x6x16xf32>, tensor<8x3x3x16xf32> -> tensor<96x8xf32>
  return %d : tensor<96x8xf32>
}

// -----

#id = affine_map<(n, f, p, q) -> (n, f, p, q)>

// Both operands of a sum are transposes: neither is left.
// CHECK-LABEL: func.func @residual
// CHECK:         %[[A:.*]] = tensor.expand_shape
// CHECK:         %[[B:.*]] = tensor.expand_shape
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<2x8x6x16xf32>, tensor<2x8x6x16xf32>)
// CHECK:         linalg.transpose ins(%[[Y]] {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @residual(%x: tensor<2x8x6x4xf32>, %w: tensor<16x3x3x4xf32>, %v: tensor<16x3x3x4xf32>) -> tensor<2x16x8x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x6xf32>
  %cm = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<2x8x6x4xf32>, tensor<16x3x3x4xf32> -> tensor<96x16xf32>
  %ci = tensor.expand_shape %cm [[0, 1, 2], [3]] output_shape [2, 8, 6, 16] : tensor<96x16xf32> into tensor<2x8x6x16xf32>
  %c = linalg.transpose ins(%ci : tensor<2x8x6x16xf32>) outs(%e : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %dm = tgemm.conv2d %x, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<2x8x6x4xf32>, tensor<16x3x3x4xf32> -> tensor<96x16xf32>
  %di = tensor.expand_shape %dm [[0, 1, 2], [3]] output_shape [2, 8, 6, 16] : tensor<96x16xf32> into tensor<2x8x6x16xf32>
  %d = linalg.transpose ins(%di : tensor<2x8x6x16xf32>) outs(%e : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %d : tensor<2x16x8x6xf32>, tensor<2x16x8x6xf32>) outs(%e : tensor<2x16x8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x16x8x6xf32>
  return %y : tensor<2x16x8x6xf32>
}

// -----

#id = affine_map<(n, f, p, q) -> (n, f, p, q)>

// What has channels first is transposed before; where the op reads what it
// overwrites, that too.
// CHECK-LABEL: func.func @other_operand
// CHECK-SAME:    %[[R:[a-z0-9]+]]: tensor<2x16x8x6xf32>, %[[O:[a-z0-9]+]]: tensor<2x16x8x6xf32>
// CHECK-DAG:     %[[I:.*]] = tensor.expand_shape
// CHECK-DAG:     %[[RT:.*]] = linalg.transpose ins(%[[R]] : tensor<2x16x8x6xf32>) outs(%{{.*}} : tensor<2x8x6x16xf32>) permutation = [0, 2, 3, 1]
// CHECK-DAG:     %[[OT:.*]] = linalg.transpose ins(%[[O]] : tensor<2x16x8x6xf32>) outs(%{{.*}} : tensor<2x8x6x16xf32>) permutation = [0, 2, 3, 1]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[RT]], %[[I]] : {{.*}}) outs(%[[OT]] : tensor<2x8x6x16xf32>)
// CHECK:         linalg.transpose ins(%[[Y]] {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return
func.func @other_operand(%x: tensor<2x8x6x4xf32>, %w: tensor<16x3x3x4xf32>, %r: tensor<2x16x8x6xf32>, %out: tensor<2x16x8x6xf32>) -> tensor<2x16x8x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x6xf32>
  %cm = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<2x8x6x4xf32>, tensor<16x3x3x4xf32> -> tensor<96x16xf32>
  %ci = tensor.expand_shape %cm [[0, 1, 2], [3]] output_shape [2, 8, 6, 16] : tensor<96x16xf32> into tensor<2x8x6x16xf32>
  %c = linalg.transpose ins(%ci : tensor<2x8x6x16xf32>) outs(%e : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r, %c : tensor<2x16x8x6xf32>, tensor<2x16x8x6xf32>) outs(%out : tensor<2x16x8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    %p = arith.mulf %m, %o : f32
    linalg.yield %p : f32
  } -> tensor<2x16x8x6xf32>
  return %y : tensor<2x16x8x6xf32>
}

// -----

#id = affine_map<(n, f, p, q) -> (n, f, p, q)>

// What is broadcast is read where it is, by the dimensions as they are now: a
// bias by features, one by columns and rows, and one for each image.
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[FEATURE:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG: #[[PLACE:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d1)>
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, 0)>
// CHECK-LABEL: func.func @broadcast
// CHECK-SAME:    %[[B:[a-z0-9]+]]: tensor<16xf32>, %[[P:[a-z0-9]+]]: tensor<6x8xf32>, %[[N:[a-z0-9]+]]: tensor<2x1xf32>
// CHECK:         %[[I:.*]] = tensor.expand_shape
// CHECK:         linalg.generic {indexing_maps = [#[[FEATURE]], #[[ALL]], #[[PLACE]], #[[IMAGE]], #[[ALL]]]
// CHECK-SAME:      ins(%[[B]], %[[I]], %[[P]], %[[N]] : tensor<16xf32>, tensor<2x8x6x16xf32>, tensor<6x8xf32>, tensor<2x1xf32>)
func.func @broadcast(%x: tensor<2x8x6x4xf32>, %w: tensor<16x3x3x4xf32>, %b: tensor<16xf32>, %p: tensor<6x8xf32>, %n: tensor<2x1xf32>) -> tensor<2x16x8x6xf32> {
  %e = tensor.empty() : tensor<2x16x8x6xf32>
  %cm = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<2x8x6x4xf32>, tensor<16x3x3x4xf32> -> tensor<96x16xf32>
  %ci = tensor.expand_shape %cm [[0, 1, 2], [3]] output_shape [2, 8, 6, 16] : tensor<96x16xf32> into tensor<2x8x6x16xf32>
  %c = linalg.transpose ins(%ci : tensor<2x8x6x16xf32>) outs(%e : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, p, q) -> (f)>, #id, affine_map<(n, f, p, q) -> (q, p)>, affine_map<(n, f, p, q) -> (n, 0)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b, %c, %p, %n : tensor<16xf32>, tensor<2x16x8x6xf32>, tensor<6x8xf32>, tensor<2x1xf32>) outs(%e : tensor<2x16x8x6xf32>) {
  ^bb0(%a: f32, %b0: f32, %c0: f32, %d0: f32, %o: f32):
    %m = arith.addf %a, %b0 : f32
    %l = arith.addf %m, %c0 : f32
    %k = arith.addf %l, %d0 : f32
    linalg.yield %k : f32
  } -> tensor<2x16x8x6xf32>
  return %y : tensor<2x16x8x6xf32>
}

// -----

#id = affine_map<(n, f, p, q) -> (n, f, p, q)>

// What knows indices, sums up, reads the transpose in another order, or is on
// what is no convolution's stays as it is.
// CHECK-LABEL: func.func @stays
// CHECK:         %[[T:.*]] = linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         linalg.generic {{.*}} ins(%[[T]] : tensor<2x16x8x6xf32>)
// CHECK:           linalg.index 1
// CHECK:         linalg.generic {{.*}} "reduction"{{.*}} ins(%[[T]] : tensor<2x16x8x6xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[T]] : tensor<2x16x8x6xf32>) outs(%{{.*}} : tensor<2x8x6x16xf32>)
// CHECK:         %[[U:.*]] = linalg.transpose ins(%{{[a-z0-9]+}} :
// CHECK:         linalg.generic {{.*}} ins(%[[U]] : tensor<2x16x6x8xf32>)
// CHECK-NOT:     linalg.transpose
func.func @stays(%x: tensor<2x8x6x4xf32>, %w: tensor<16x3x3x4xf32>, %r: tensor<2x8x6x16xf32>) -> (tensor<2x16x8x6xf32>, tensor<2x16xf32>, tensor<2x8x6x16xf32>, tensor<2x16x6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16x8x6xf32>
  %cm = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<2x8x6x4xf32>, tensor<16x3x3x4xf32> -> tensor<96x16xf32>
  %ci = tensor.expand_shape %cm [[0, 1, 2], [3]] output_shape [2, 8, 6, 16] : tensor<96x16xf32> into tensor<2x8x6x16xf32>
  %c = linalg.transpose ins(%ci : tensor<2x8x6x16xf32>) outs(%e : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %i = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x16x8x6xf32>) outs(%e : tensor<2x16x8x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %l = arith.sitofp %k : i32 to f32
    %m = arith.addf %a, %l : f32
    linalg.yield %m : f32
  } -> tensor<2x16x8x6xf32>
  %se = tensor.empty() : tensor<2x16xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x16xf32>) -> tensor<2x16xf32>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(n, f, p, q) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%c : tensor<2x16x8x6xf32>) outs(%sz : tensor<2x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<2x16xf32>
  %el = tensor.empty() : tensor<2x8x6x16xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(n, p, q, f) -> (n, f, p, q)>, affine_map<(n, p, q, f) -> (n, p, q, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x16x8x6xf32>) outs(%el : tensor<2x8x6x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x8x6x16xf32>
  %eu = tensor.empty() : tensor<2x16x6x8xf32>
  %u = linalg.transpose ins(%r : tensor<2x8x6x16xf32>) outs(%eu : tensor<2x16x6x8xf32>) permutation = [0, 3, 2, 1]
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u : tensor<2x16x6x8xf32>) outs(%eu : tensor<2x16x6x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x16x6x8xf32>
  return %i, %s, %l, %v : tensor<2x16x8x6xf32>, tensor<2x16xf32>, tensor<2x8x6x16xf32>, tensor<2x16x6x8xf32>
}

// -----

#id = affine_map<(n, f, p, q) -> (n, f, p, q)>

// Pooling by slices, of what nobody convolves: channels stay last up to the end.
// CHECK-LABEL: func.func @pooled
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x6x16xf32>
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 0, 0] high[0, 1, 0, 0]
// CHECK-NOT:     linalg.transpose
// CHECK-DAG:     %[[A:.*]] = tensor.extract_slice %[[P]][0, 0, 0, 0] [2, 5, 6, 16] [1, 2, 1, 1]
// CHECK-DAG:     %[[B:.*]] = tensor.extract_slice %[[P]][0, 1, 0, 0] [2, 4, 6, 16] [1, 2, 1, 1]
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic
// CHECK:         linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
func.func @pooled(%x: tensor<2x8x6x16xf32>) -> (tensor<2x16x4x6xf32>, tensor<2x16x5x6xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x16x8x6xf32>
  %t = linalg.transpose ins(%x : tensor<2x8x6x16xf32>) outs(%e : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %p = tensor.pad %t low[0, 0, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%n: index, %f: index, %r: index, %c: index):
    tensor.yield %low : f32
  } : tensor<2x16x8x6xf32> to tensor<2x16x10x6xf32>
  %a = tensor.extract_slice %p[0, 0, 0, 0] [2, 16, 5, 6] [1, 1, 2, 1] : tensor<2x16x10x6xf32> to tensor<2x16x5x6xf32>
  %b = tensor.extract_slice %p[0, 0, 1, 0] [2, 16, 4, 6] [1, 1, 2, 1] : tensor<2x16x10x6xf32> to tensor<2x16x4x6xf32>
  %me = tensor.empty() : tensor<2x16x4x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b, %b : tensor<2x16x4x6xf32>, tensor<2x16x4x6xf32>) outs(%me : tensor<2x16x4x6xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %w = arith.maximumf %u, %v : f32
    linalg.yield %w : f32
  } -> tensor<2x16x4x6xf32>
  return %m, %a : tensor<2x16x4x6xf32>, tensor<2x16x5x6xf32>
}

// -----

#id = affine_map<(n, f, p, q) -> (n, f, p, q)>

// Two convolutions that are transposed differently: one transpose moves, and the
// other, which would transpose what the first was of, stays.
// CHECK-LABEL: func.func @opposed
// CHECK:         %[[I:.*]] = tensor.expand_shape
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[I]] {{.*}} permutation = [0, 2, 1, 3]
// CHECK:         linalg.generic {{.*}} ins(%[[I]], %[[T]] :
// CHECK:         linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NOT:     linalg.transpose
func.func @opposed(%x: tensor<2x8x8x4xf32>, %w: tensor<16x3x3x4xf32>) -> tensor<2x16x8x8xf32> {
  %e = tensor.empty() : tensor<2x16x8x8xf32>
  %am = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<2x8x8x4xf32>, tensor<16x3x3x4xf32> -> tensor<128x16xf32>
  %ai = tensor.expand_shape %am [[0, 1, 2], [3]] output_shape [2, 8, 8, 16] : tensor<128x16xf32> into tensor<2x8x8x16xf32>
  %a = linalg.transpose ins(%ai : tensor<2x8x8x16xf32>) outs(%e : tensor<2x16x8x8xf32>) permutation = [0, 3, 1, 2]
  %b = linalg.transpose ins(%ai : tensor<2x8x8x16xf32>) outs(%e : tensor<2x16x8x8xf32>) permutation = [0, 3, 1, 2]
  %c = linalg.transpose ins(%b : tensor<2x16x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) permutation = [0, 1, 3, 2]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %c : tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32>) outs(%e : tensor<2x16x8x8xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  } -> tensor<2x16x8x8xf32>
  return %y : tensor<2x16x8x8xf32>
}

// -----

// A convolution of each channel alone has channels last, too, with what is
// before and behind it.
// CHECK-LABEL: func.func @depthwise
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x6x16xf16>, %[[W:.*]]: tensor<16x3x3xf16>
// CHECK-DAG:     %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK-DAG:     %[[V:.*]] = linalg.transpose ins(%[[W]] : tensor<16x3x3xf16>) outs(%{{.*}} : tensor<3x3x16xf16>) permutation = [1, 2, 0]
// CHECK-DAG:     %[[Z:.*]] = linalg.fill {{.*}} -> tensor<2x8x3x16xf32>
// CHECK:         %[[C:.*]] = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<[1, 2]> : vector<2xi64>} ins(%[[P]], %[[V]] : tensor<2x10x8x16xf16>, tensor<3x3x16xf16>) outs(%[[Z]] : tensor<2x8x3x16xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[C]] : tensor<2x8x3x16xf32>)
// CHECK:         linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NOT:     linalg.transpose
#nfpq = affine_map<(n, f, p, q) -> (n, f, p, q)>
func.func @depthwise(%x: tensor<2x8x6x16xf16>, %w: tensor<16x3x3xf16>) -> tensor<2x16x8x3xf16> {
  %zero = arith.constant 0.0 : f16
  %sum = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<2x16x8x6xf16>
  %t = linalg.transpose ins(%x : tensor<2x8x6x16xf16>) outs(%te : tensor<2x16x8x6xf16>) permutation = [0, 3, 1, 2]
  %p = tensor.pad %t low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %i: index, %j: index):
    tensor.yield %zero : f16
  } : tensor<2x16x8x6xf16> to tensor<2x16x10x8xf16>
  %ce = tensor.empty() : tensor<2x16x8x3xf32>
  %z = linalg.fill ins(%sum : f32) outs(%ce : tensor<2x16x8x3xf32>) -> tensor<2x16x8x3xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<[1, 2]> : vector<2xi64>}
      ins(%p, %w : tensor<2x16x10x8xf16>, tensor<16x3x3xf16>) outs(%z : tensor<2x16x8x3xf32>) -> tensor<2x16x8x3xf32>
  %ye = tensor.empty() : tensor<2x16x8x3xf16>
  %y = linalg.generic {indexing_maps = [#nfpq, #nfpq], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<2x16x8x3xf32>) outs(%ye : tensor<2x16x8x3xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x16x8x3xf16>
  return %y : tensor<2x16x8x3xf16>
}

// -----

// To what it is added is transposed. Without a transpose that says so, images
// have channels first.
// CHECK-LABEL: func.func @added
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x6x16xf32>, %[[F:.*]]: tensor<2x16x8x6xf32>, %[[W:.*]]: tensor<16x3x3xf32>
// CHECK-DAG:     %[[V:.*]] = linalg.transpose ins(%[[W]] {{.*}} permutation = [1, 2, 0]
// CHECK-DAG:     %[[I:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x16x6x4xf32>) outs(%{{.*}} : tensor<2x6x4x16xf32>) permutation = [0, 2, 3, 1]
// CHECK:         linalg.depthwise_conv_2d_nhwc_hwc {{.*}} ins(%[[X]], %[[V]] : {{.*}} outs(%[[I]] :
// CHECK:         linalg.depthwise_conv_2d_nchw_chw {{.*}} ins(%[[F]], %[[W]] :
func.func @added(%x: tensor<2x8x6x16xf32>, %f: tensor<2x16x8x6xf32>, %w: tensor<16x3x3xf32>, %i: tensor<2x16x6x4xf32>) -> (tensor<2x16x6x4xf32>, tensor<2x16x6x4xf32>) {
  %te = tensor.empty() : tensor<2x16x8x6xf32>
  %t = linalg.transpose ins(%x : tensor<2x8x6x16xf32>) outs(%te : tensor<2x16x8x6xf32>) permutation = [0, 3, 1, 2]
  %c = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%t, %w : tensor<2x16x8x6xf32>, tensor<16x3x3xf32>) outs(%i : tensor<2x16x6x4xf32>) -> tensor<2x16x6x4xf32>
  %d = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%f, %w : tensor<2x16x8x6xf32>, tensor<16x3x3xf32>) outs(%i : tensor<2x16x6x4xf32>) -> tensor<2x16x6x4xf32>
  return %c, %d : tensor<2x16x6x4xf32>, tensor<2x16x6x4xf32>
}

// -----

// What moves is not there.
// CHECK-LABEL: func.func @units
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[A:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2, 3]] : tensor<24x16x1x1xf16> into tensor<24x16xf16>
// CHECK:         tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2, 3]] {{.*}} into tensor<24x1x1x16xf16>
// CHECK:         tensor.expand_shape %{{.*}} into tensor<8x1x6xf16>
// CHECK:         tensor.collapse_shape %{{.*}} into tensor<8x6xf16>
// CHECK:         linalg.transpose {{.*}} permutation = [1, 0, 2]
func.func @units(%w: tensor<24x16x1x1xf16>, %m: tensor<1x8x6xf16>, %t: tensor<2x3x1xf16>) -> (tensor<24x1x1x16xf16>, tensor<8x1x6xf16>, tensor<8x6x1xf16>, tensor<3x2x1xf16>) {
  %we = tensor.empty() : tensor<24x1x1x16xf16>
  %v = linalg.transpose ins(%w : tensor<24x16x1x1xf16>) outs(%we : tensor<24x1x1x16xf16>) permutation = [0, 2, 3, 1]
  %me = tensor.empty() : tensor<8x1x6xf16>
  %n = linalg.transpose ins(%m : tensor<1x8x6xf16>) outs(%me : tensor<8x1x6xf16>) permutation = [1, 0, 2]
  %le = tensor.empty() : tensor<8x6x1xf16>
  %l = linalg.transpose ins(%m : tensor<1x8x6xf16>) outs(%le : tensor<8x6x1xf16>) permutation = [1, 2, 0]
  %te = tensor.empty() : tensor<3x2x1xf16>
  %u = linalg.transpose ins(%t : tensor<2x3x1xf16>) outs(%te : tensor<3x2x1xf16>) permutation = [1, 0, 2]
  return %v, %n, %l, %u : tensor<24x1x1x16xf16>, tensor<8x1x6xf16>, tensor<8x6x1xf16>, tensor<3x2x1xf16>
}

// -----

// Nothing is in it, so it may be transposed.
// CHECK-LABEL: func.func @empty
// CHECK:         linalg.transpose
func.func @empty(%w: tensor<0x16x1x1xf16>) -> tensor<0x1x1x16xf16> {
  %we = tensor.empty() : tensor<0x1x1x16xf16>
  %v = linalg.transpose ins(%w : tensor<0x16x1x1xf16>) outs(%we : tensor<0x1x1x16xf16>) permutation = [0, 2, 3, 1]
  return %v : tensor<0x1x1x16xf16>
}

// -----

// Branches with channels last are concatenated so, unless one is not.
// CHECK-LABEL: func.func @branches
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x8x8x40xf16>
// CHECK:         %[[A:.*]] = tensor.insert_slice %arg0 into %[[E]][0, 0, 0, 0] [2, 8, 8, 16] [1, 1, 1, 1]
// CHECK:         %[[B:.*]] = tensor.insert_slice %arg1 into %[[A]][0, 0, 0, 16] [2, 8, 8, 24] [1, 1, 1, 1]
// CHECK:         %[[ALL:.*]] = linalg.transpose ins(%[[B]] : tensor<2x8x8x40xf16>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1]
// CHECK:         %[[MIXED:.*]] = tensor.insert_slice %arg2 into %{{.*}}[0, 16, 0, 0] [2, 24, 8, 8] [1, 1, 1, 1]
// CHECK:         return %[[ALL]], %[[MIXED]]
func.func @branches(%a: tensor<2x8x8x16xf16>, %b: tensor<2x8x8x24xf16>, %c: tensor<2x24x8x8xf16>) -> (tensor<2x40x8x8xf16>, tensor<2x40x8x8xf16>) {
  %ae = tensor.empty() : tensor<2x16x8x8xf16>
  %at = linalg.transpose ins(%a : tensor<2x8x8x16xf16>) outs(%ae : tensor<2x16x8x8xf16>) permutation = [0, 3, 1, 2]
  %be = tensor.empty() : tensor<2x24x8x8xf16>
  %bt = linalg.transpose ins(%b : tensor<2x8x8x24xf16>) outs(%be : tensor<2x24x8x8xf16>) permutation = [0, 3, 1, 2]
  %e = tensor.empty() : tensor<2x40x8x8xf16>
  %0 = tensor.insert_slice %at into %e[0, 0, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1] : tensor<2x16x8x8xf16> into tensor<2x40x8x8xf16>
  %1 = tensor.insert_slice %bt into %0[0, 16, 0, 0] [2, 24, 8, 8] [1, 1, 1, 1] : tensor<2x24x8x8xf16> into tensor<2x40x8x8xf16>
  %2 = tensor.insert_slice %at into %e[0, 0, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1] : tensor<2x16x8x8xf16> into tensor<2x40x8x8xf16>
  %3 = tensor.insert_slice %c into %2[0, 16, 0, 0] [2, 24, 8, 8] [1, 1, 1, 1] : tensor<2x24x8x8xf16> into tensor<2x40x8x8xf16>
  return %1, %3 : tensor<2x40x8x8xf16>, tensor<2x40x8x8xf16>
}

// -----

// CHECK-LABEL: func.func @dynamic_branches
// CHECK:         linalg.transpose
// CHECK:         tensor.insert_slice
func.func @dynamic_branches(%a: tensor<2x8x8x16xf16>, %n: index) -> tensor<?x16x8x8xf16> {
  %ae = tensor.empty() : tensor<2x16x8x8xf16>
  %at = linalg.transpose ins(%a : tensor<2x8x8x16xf16>) outs(%ae : tensor<2x16x8x8xf16>) permutation = [0, 3, 1, 2]
  %e = tensor.empty(%n) : tensor<?x16x8x8xf16>
  %0 = tensor.insert_slice %at into %e[0, 0, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1] : tensor<2x16x8x8xf16> into tensor<?x16x8x8xf16>
  return %0 : tensor<?x16x8x8xf16>
}

// -----

// What is returned, too, stays, and so what is inserted into it.
// CHECK-LABEL: func.func @partly_returned
// CHECK-COUNT-2: linalg.transpose
// CHECK:         tensor.insert_slice %{{.*}}[0, 0, 0, 0] [2, 16, 8, 8]
// CHECK:         tensor.insert_slice %{{.*}}[0, 16, 0, 0] [2, 16, 8, 8]
// CHECK-NEXT:    return
func.func @partly_returned(%a: tensor<2x8x8x16xf16>, %b: tensor<2x8x8x16xf16>) -> (tensor<2x32x8x8xf16>, tensor<2x32x8x8xf16>) {
  %ae = tensor.empty() : tensor<2x16x8x8xf16>
  %at = linalg.transpose ins(%a : tensor<2x8x8x16xf16>) outs(%ae : tensor<2x16x8x8xf16>) permutation = [0, 3, 1, 2]
  %bt = linalg.transpose ins(%b : tensor<2x8x8x16xf16>) outs(%ae : tensor<2x16x8x8xf16>) permutation = [0, 3, 1, 2]
  %e = tensor.empty() : tensor<2x32x8x8xf16>
  %0 = tensor.insert_slice %at into %e[0, 0, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1] : tensor<2x16x8x8xf16> into tensor<2x32x8x8xf16>
  %1 = tensor.insert_slice %bt into %0[0, 16, 0, 0] [2, 16, 8, 8] [1, 1, 1, 1] : tensor<2x16x8x8xf16> into tensor<2x32x8x8xf16>
  return %0, %1 : tensor<2x32x8x8xf16>, tensor<2x32x8x8xf16>
}

// -----

// Rows and columns are taken together, and images of one row lose it, with
// channels last; so do extents beside channels that are 1.
// CHECK-LABEL: func.func @collapse
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x6x16xf16>, %[[LINE:.*]]: tensor<2x1x9x16xf16>
// CHECK:         %[[PIXELS:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2], [3]] : tensor<2x8x6x16xf16> into tensor<2x48x16xf16>
// CHECK:         %[[TURNED:.*]] = linalg.transpose ins(%[[PIXELS]] : tensor<2x48x16xf16>) {{.*}} permutation = [0, 2, 1]
// CHECK:         %[[ROW:.*]] = tensor.collapse_shape %[[LINE]] {{.*}} : tensor<2x1x9x16xf16> into tensor<2x9x16xf16>
// CHECK:         return %[[TURNED]], %[[ROW]]
func.func @collapse(%x: tensor<2x8x6x16xf16>, %line: tensor<2x1x9x16xf16>) -> (tensor<2x16x48xf16>, tensor<2x9x16xf16>) {
  %xe = tensor.empty() : tensor<2x16x8x6xf16>
  %xt = linalg.transpose ins(%x : tensor<2x8x6x16xf16>) outs(%xe : tensor<2x16x8x6xf16>) permutation = [0, 3, 1, 2]
  %pixels = tensor.collapse_shape %xt [[0], [1], [2, 3]] : tensor<2x16x8x6xf16> into tensor<2x16x48xf16>
  %le = tensor.empty() : tensor<2x16x1x9xf16>
  %lt = linalg.transpose ins(%line : tensor<2x1x9x16xf16>) outs(%le : tensor<2x16x1x9xf16>) permutation = [0, 3, 1, 2]
  %row = tensor.collapse_shape %lt [[0], [1, 2], [3]] : tensor<2x16x1x9xf16> into tensor<2x16x9xf16>
  %re = tensor.empty() : tensor<2x9x16xf16>
  %rt = linalg.transpose ins(%row : tensor<2x16x9xf16>) outs(%re : tensor<2x9x16xf16>) permutation = [0, 2, 1]
  return %pixels, %rt : tensor<2x16x48xf16>, tensor<2x9x16xf16>
}

// -----

// Channels that are taken together with pixels stay where they are.
// CHECK-LABEL: func.func @collapse_channels
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         tensor.collapse_shape %[[T]]
func.func @collapse_channels(%x: tensor<2x8x6x16xf16>) -> tensor<2x768xf16> {
  %e = tensor.empty() : tensor<2x16x8x6xf16>
  %t = linalg.transpose ins(%x : tensor<2x8x6x16xf16>) outs(%e : tensor<2x16x8x6xf16>) permutation = [0, 3, 1, 2]
  %all = tensor.collapse_shape %t [[0], [1, 2, 3]] : tensor<2x16x8x6xf16> into tensor<2x768xf16>
  return %all : tensor<2x768xf16>
}

// -----

// Images are planes of several volumes, and lines are images of one row.
// CHECK-LABEL: func.func @expand
// CHECK-SAME:    %[[X:.*]]: tensor<6x8x7x16xf16>, %[[LINE:.*]]: tensor<2x9x16xf16>
// CHECK:         %[[PLANES:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1], [2], [3], [4]] {{.*}} : tensor<6x8x7x16xf16> into tensor<2x3x8x7x16xf16>
// CHECK:         %[[ROW:.*]] = tensor.expand_shape %[[LINE]] {{.*}} : tensor<2x9x16xf16> into tensor<2x1x9x16xf16>
// CHECK:         return %[[PLANES]], %[[ROW]]
func.func @expand(%x: tensor<6x8x7x16xf16>, %line: tensor<2x9x16xf16>) -> (tensor<2x3x8x7x16xf16>, tensor<2x1x9x16xf16>) {
  %xe = tensor.empty() : tensor<6x16x8x7xf16>
  %xt = linalg.transpose ins(%x : tensor<6x8x7x16xf16>) outs(%xe : tensor<6x16x8x7xf16>) permutation = [0, 3, 1, 2]
  %planes = tensor.expand_shape %xt [[0, 1], [2], [3], [4]] output_shape [2, 3, 16, 8, 7] : tensor<6x16x8x7xf16> into tensor<2x3x16x8x7xf16>
  %pe = tensor.empty() : tensor<2x3x8x7x16xf16>
  %pt = linalg.transpose ins(%planes : tensor<2x3x16x8x7xf16>) outs(%pe : tensor<2x3x8x7x16xf16>) permutation = [0, 1, 3, 4, 2]
  %le = tensor.empty() : tensor<2x16x9xf16>
  %lt = linalg.transpose ins(%line : tensor<2x9x16xf16>) outs(%le : tensor<2x16x9xf16>) permutation = [0, 2, 1]
  %row = tensor.expand_shape %lt [[0], [1, 2], [3]] output_shape [2, 16, 1, 9] : tensor<2x16x9xf16> into tensor<2x16x1x9xf16>
  %re = tensor.empty() : tensor<2x1x9x16xf16>
  %rt = linalg.transpose ins(%row : tensor<2x16x1x9xf16>) outs(%re : tensor<2x1x9x16xf16>) permutation = [0, 2, 3, 1]
  return %pt, %rt : tensor<2x3x8x7x16xf16>, tensor<2x1x9x16xf16>
}

// -----

// Groups of channels stay.
// CHECK-LABEL: func.func @expand_channels
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         tensor.expand_shape %[[T]]
func.func @expand_channels(%x: tensor<2x8x6x16xf16>) -> tensor<2x4x4x8x6xf16> {
  %e = tensor.empty() : tensor<2x16x8x6xf16>
  %t = linalg.transpose ins(%x : tensor<2x8x6x16xf16>) outs(%e : tensor<2x16x8x6xf16>) permutation = [0, 3, 1, 2]
  %groups = tensor.expand_shape %t [[0], [1, 2], [3], [4]] output_shape [2, 4, 4, 8, 6] : tensor<2x16x8x6xf16> into tensor<2x4x4x8x6xf16>
  return %groups : tensor<2x4x4x8x6xf16>
}
