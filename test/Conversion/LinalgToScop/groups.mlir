// RUN: grout-opt %s --convert-linalg-to-scop -split-input-file | FileCheck %s
// RUN: grout-opt %s --convert-linalg-to-scop=max-statements=1 -split-input-file | FileCheck %s --check-prefix=SINGLE
// RUN: grout-opt %s --convert-linalg-to-scop=max-statements=3 -split-input-file | FileCheck %s --check-prefix=THREE

// An op that is not converted between two that are: they cannot be one kernel.
// CHECK-LABEL: func.func @detour
func.func @detour(%x: tensor<4x4xf32>, %i: index) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // CHECK: %[[A:.*]] = scop.kernel
  // CHECK: math.exp
  %0 = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[V:.*]] = tensor.extract %[[A]]
  %v = tensor.extract %0[%i, %i] : tensor<4x4xf32>
  // CHECK: scop.kernel ins(%[[A]], %[[V]] : tensor<4x4xf32>, f32)
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %v : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// What uses a kernel's first result moves behind the kernel.
// CHECK-LABEL: func.func @moved
func.func @moved(%x: tensor<4x4xf32>, %i: index) -> (tensor<4x4xf32>, f32) {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NOT: tensor.extract
  %v = tensor.extract %0[%i, %i] : tensor<4x4xf32>
  // CHECK: %[[K:.*]]:2 = scop.kernel
  // CHECK: math.exp
  // CHECK: arith.mulf
  %1 = linalg.mul ins(%0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: tensor.extract %[[K]]#0
  return %1, %v : tensor<4x4xf32>, f32
}

// -----

// Ops that share only a fill, or an input, are no group.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-2: scop.kernel
func.func @apart(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.addf } ins(%y : tensor<4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A call may do anything; kernels do not reach across it.
func.func private @call()
// CHECK-LABEL: func.func @barrier
// CHECK: scop.kernel
// CHECK: call @call
// CHECK: scop.kernel
func.func @barrier(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  call @call() : () -> ()
  %1 = linalg.negf ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Reshapes become part of the accesses. One that is used elsewhere stays.
// CHECK-LABEL: func.func @views
// SINGLE-LABEL: func.func @views
// SINGLE-COUNT-3: scop.kernel
func.func @views(%x: tensor<6x4xf32>) -> (tensor<2x4x3xf32>, tensor<24xf32>) {
  %e = tensor.empty() : tensor<6x4xf32>
  // CHECK: %[[K:.*]]:2 = scop.kernel
  // CHECK: scop.stmt @S0 domain [6, 4] {{.*}} writes(%[[A:.*]][(d0, d1) -> (d0, d1)] : memref<6x4xf32>)
  %0 = linalg.exp ins(%x : tensor<6x4xf32>) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %e1 = tensor.empty() : tensor<24xf32>
  // CHECK: scop.stmt @S1 domain [24] reads(%[[A]][(d0) -> (d0 floordiv 4, d0 mod 4)] : memref<6x4xf32>) writes(%[[B:.*]][(d0) -> (d0)] : memref<24xf32>)
  %2 = linalg.negf ins(%1 : tensor<24xf32>) outs(%e1 : tensor<24xf32>) -> tensor<24xf32>
  %3 = tensor.expand_shape %2 [[0, 1, 2]] output_shape [2, 3, 4] : tensor<24xf32> into tensor<2x3x4xf32>
  %e2 = tensor.empty() : tensor<2x4x3xf32>
  // CHECK: scop.stmt @S2 domain [2, 4, 3] reads(%[[B]][(d0, d1, d2) -> (d0 * 12 + d2 * 4 + d1)] : memref<24xf32>)
  %4 = linalg.transpose ins(%3 : tensor<2x3x4xf32>) outs(%e2 : tensor<2x4x3xf32>) permutation = [0, 2, 1]
  // CHECK: %[[V:.*]] = tensor.collapse_shape %[[K]]#0
  // CHECK: return %[[K]]#1, %[[V]]
  return %4, %1 : tensor<2x4x3xf32>, tensor<24xf32>
}

// -----

// Kernels move ops behind themselves, members of others among them.
// CHECK-LABEL: func.func @moved_members
// CHECK: %[[A:.*]]:2 = scop.kernel
// CHECK: %[[M:.*]] = tensor.concat dim(0) %[[A]]#0
// CHECK: scop.kernel ins({{.*}}%[[M]]
func.func @moved_members(%s: tensor<4xf32>, %t: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = tensor.concat dim(0) %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %p = linalg.exp ins(%t : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %x = linalg.add ins(%p, %m : tensor<8xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.abs ins(%p : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %b, %x, %y : tensor<4xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Weights that a depthwise convolution reads for each of its 18 pixels are
// turned once, in a kernel of their own.
// CHECK-LABEL: func.func @turned_weights
// CHECK: %[[W:.*]] = scop.kernel ins(%arg1 : tensor<8x3x5xf32>)
// CHECK: scop.stmt @S0 domain [3, 5, 8]
// CHECK: scop.kernel ins({{.*}}%[[W]]
// CHECK: scop.stmt @S0 domain [1, 2, 9, 8]
// CHECK: scop.stmt @S1 domain [1, 2, 9, 8, 3, 5]
func.func @turned_weights(%x: tensor<1x4x13x8xf32>, %w: tensor<8x3x5xf32>) -> tensor<1x2x9x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<3x5x8xf32>
  %turned = linalg.transpose ins(%w : tensor<8x3x5xf32>) outs(%ew : tensor<3x5x8xf32>) permutation = [1, 2, 0]
  %e = tensor.empty() : tensor<1x2x9x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x9x8xf32>) -> tensor<1x2x9x8xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %turned : tensor<1x4x13x8xf32>, tensor<3x5x8xf32>)
    outs(%init : tensor<1x2x9x8xf32>) -> tensor<1x2x9x8xf32>
  return %r : tensor<1x2x9x8xf32>
}

// -----

// With few pixels each weight is read seldom, and the turn is part of the kernel.
// So it is if the innermost dimension stays innermost.
// CHECK-LABEL: func.func @weights_read_seldom
// CHECK-COUNT-1: scop.kernel
// CHECK-NOT: scop.kernel
// CHECK-LABEL: func.func @weights_in_order
// CHECK-COUNT-1: scop.kernel
// CHECK-NOT: scop.kernel
func.func @weights_read_seldom(%x: tensor<1x3x5x8xf32>, %w: tensor<8x3x5xf32>) -> tensor<1x1x1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<3x5x8xf32>
  %turned = linalg.transpose ins(%w : tensor<8x3x5xf32>) outs(%ew : tensor<3x5x8xf32>) permutation = [1, 2, 0]
  %e = tensor.empty() : tensor<1x1x1x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %turned : tensor<1x3x5x8xf32>, tensor<3x5x8xf32>)
    outs(%init : tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  return %r : tensor<1x1x1x8xf32>
}

func.func @weights_in_order(%x: tensor<1x4x13x8xf32>, %w: tensor<5x3x8xf32>) -> tensor<1x2x9x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<3x5x8xf32>
  %turned = linalg.transpose ins(%w : tensor<5x3x8xf32>) outs(%ew : tensor<3x5x8xf32>) permutation = [1, 0, 2]
  %e = tensor.empty() : tensor<1x2x9x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x9x8xf32>) -> tensor<1x2x9x8xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %turned : tensor<1x4x13x8xf32>, tensor<3x5x8xf32>)
    outs(%init : tensor<1x2x9x8xf32>) -> tensor<1x2x9x8xf32>
  return %r : tensor<1x2x9x8xf32>
}

// -----

// If there would be too many statements, a sum takes along the elementwise
// operand that nothing else uses: @sum takes the square, which need not be
// stored, but not the exponential.
// CHECK-LABEL: func.func @own_operand
// SINGLE-LABEL: func.func @own_operand
// THREE-LABEL: func.func @own_operand
// THREE: %[[E:.*]]:2 = scop.kernel
// THREE-SAME: -> tensor<4x4xf32>, tensor<4x4xf32>
// THREE: arith.negf
// THREE: math.exp
// THREE-NOT: arith.mulf
// THREE: scop.kernel ins(%[[E]]#{{[01]}} : tensor<4x4xf32>)
// THREE: arith.mulf
// THREE: arith.addf
func.func @own_operand(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %es = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%es : tensor<4xf32>) -> tensor<4xf32>
  %n = linalg.negf ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.exp ins(%n : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.square ins(%n : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<4x4xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %0, %2 : tensor<4x4xf32>, tensor<4xf32>
}

// -----

// A view stays with its source: the square of the view moves to the sum, but
// the view stays with the exponential.
// CHECK-LABEL: func.func @view_of_operand
// SINGLE-LABEL: func.func @view_of_operand
// THREE-LABEL: func.func @view_of_operand
// THREE: %[[E:.*]] = scop.kernel
// THREE: math.exp
// THREE-NOT: arith.mulf
// THREE: %[[V:.*]] = tensor.collapse_shape %[[E]]
// THREE: scop.kernel ins(%[[V]] : tensor<16xf32>)
// THREE: arith.mulf
// THREE: arith.addf
func.func @view_of_operand(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %e16 = tensor.empty() : tensor<16xf32>
  %es = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%es : tensor<f32>) -> tensor<f32>
  %n = linalg.negf ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.exp ins(%n : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %v = tensor.collapse_shape %0 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %1 = linalg.square ins(%v : tensor<16xf32>) outs(%e16 : tensor<16xf32>) -> tensor<16xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<16xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %0, %2 : tensor<4x4xf32>, tensor<f32>
}
