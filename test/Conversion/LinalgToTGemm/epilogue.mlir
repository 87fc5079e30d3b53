// RUN: grout-opt %s -convert-linalg-to-tgemm -split-input-file -verify-diagnostics | FileCheck %s

#element = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Bias and ReLU in one generic, with a constant from outside.
// CHECK: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @bias_relu
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8x16xf16>, %[[B:[a-z0-9]+]]: tensor<16x32xf16>, %[[BIAS:[a-z0-9]+]]: tensor<32xf16>)
// CHECK-NEXT: %[[R:.*]] = tgemm.matmul %[[A]], %[[B]] epilogue(%[[BIAS]] : tensor<32xf16>) {epilogue_maps = [#[[COLUMN]]]} : tensor<8x16xf16>, tensor<16x32xf16> -> tensor<8x32xf16>
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[C:.*]]: f16):
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[WIDE:.*]] = arith.extf %[[C]] : f16 to f32
// CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[WIDE]] : f32
// CHECK-NEXT: %[[MAX:.*]] = arith.maximumf %[[SUM]], %[[ZERO]] : f32
// CHECK-NEXT: %[[OUT:.*]] = arith.truncf %[[MAX]] : f32 to f16
// CHECK-NEXT: tgemm.yield %[[OUT]] : f16
// CHECK: return %[[R]]
func.func @bias_relu(%a: tensor<8x16xf16>, %b: tensor<16x32xf16>, %bias: tensor<32xf16>) -> tensor<8x32xf16> {
  %zero = arith.constant 0.0 : f32
  %e32 = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e32 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf16>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %e16 = tensor.empty() : tensor<8x32xf16>
  %1 = linalg.generic {indexing_maps = [#element, #column, #element], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<8x32xf32>, tensor<32xf16>) outs(%e16 : tensor<8x32xf16>) {
  ^bb0(%x: f32, %c: f16, %out: f16):
    %wide = arith.extf %c : f16 to f32
    %sum = arith.addf %x, %wide : f32
    %max = arith.maximumf %sum, %zero : f32
    %narrow = arith.truncf %max : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<8x32xf16>
  return %1 : tensor<8x32xf16>
}

// -----

// Named ops have bodies, too. The product is used by two ops of the chain, which
// meet again: SiLU, scaled by a splat, with a residual whose cast moves in.
// CHECK-LABEL: func.func @named
// CHECK-SAME: %[[RES:[a-z0-9]+]]: tensor<8x32xf16>)
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} epilogue(%[[RES]] : tensor<8x32xf16>)
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[R:.*]]: f16):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[R]] : f16 to f32
// CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[ACC]]
// CHECK-NEXT: %[[EXP:.*]] = math.exp %[[NEG]]
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.0
// CHECK-NEXT: %[[DEN:.*]] = arith.addf %[[EXP]], %[[ONE]]
// CHECK-NEXT: %[[SILU:.*]] = arith.divf %[[ACC]], %[[DEN]]
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.0
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[SILU]], %[[TWO]]
// CHECK-NEXT: %[[OUT:.*]] = arith.addf %[[SCALED]], %[[WIDE]]
// CHECK-NEXT: tgemm.yield %[[OUT]] : f32
// CHECK-NOT: linalg
func.func @named(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %res: tensor<8x32xf16>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %one = arith.constant dense<1.0> : tensor<8x32xf32>
  %two = arith.constant dense<2.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %neg = linalg.negf ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %exp = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%neg : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %den = linalg.add ins(%exp, %one : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %silu = linalg.div ins(%0, %den : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %scaled = linalg.map { arith.mulf } ins(%silu, %two : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>)
  %wide = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%res : tensor<8x32xf16>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%in: f16, %out: f32):
    %w = arith.extf %in : f16 to f32
    linalg.yield %w : f32
  } -> tensor<8x32xf32>
  // The output is only a shape here: it is no second use of the product.
  %1 = linalg.add ins(%scaled, %wide : tensor<8x32xf32>, tensor<8x32xf32>) outs(%0 : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// -----

// GELU by tanh and by erf, on rounded products: every cast stays as written.
// CHECK-LABEL: func.func @gelu
// CHECK: %[[H:.*]] = tgemm.matmul {{.*}} -> tensor<8x16xf16> {
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32):
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[ACC]] : f32 to f16
// CHECK: %[[X:.*]] = arith.extf %[[ROUNDED]] : f16 to f32
// CHECK: math.tanh
// CHECK: tgemm.yield %{{.*}} : f16
// CHECK: tgemm.matmul %[[H]]
// CHECK: math.erf
// CHECK-NOT: linalg
func.func @gelu(%a: tensor<8x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf16>) -> tensor<8x16xf16> {
  %init = arith.constant dense<0.0> : tensor<8x16xf16>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %k0 = arith.constant 0.797884583 : f32
  %k1 = arith.constant 4.471500e-02 : f32
  %k2 = arith.constant 0.707106769 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x16xf16>) outs(%init : tensor<8x16xf16>) -> tensor<8x16xf16>
  %e = tensor.empty() : tensor<8x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x16xf16>) outs(%e : tensor<8x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    %x = arith.extf %in : f16 to f32
    %x2 = arith.mulf %x, %x : f32
    %x3 = arith.mulf %x2, %x : f32
    %p = arith.mulf %x3, %k1 : f32
    %q = arith.addf %x, %p : f32
    %r = arith.mulf %q, %k0 : f32
    %t = math.tanh %r : f32
    %u = arith.addf %t, %one : f32
    %v = arith.mulf %x, %u : f32
    %w = arith.mulf %v, %half : f32
    %y = arith.truncf %w : f32 to f16
    linalg.yield %y : f16
  } -> tensor<8x16xf16>
  %1 = linalg.matmul ins(%h, %c : tensor<8x16xf16>, tensor<16x16xf16>) outs(%init : tensor<8x16xf16>) -> tensor<8x16xf16>
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<8x16xf16>) outs(%e : tensor<8x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    %x = arith.extf %in : f16 to f32
    %s = arith.mulf %x, %k2 : f32
    %t = math.erf %s : f32
    %u = arith.addf %t, %one : f32
    %v = arith.mulf %x, %u : f32
    %w = arith.mulf %v, %half : f32
    %y = arith.truncf %w : f32 to f16
    linalg.yield %y : f16
  } -> tensor<8x16xf16>
  return %o : tensor<8x16xf16>
}

// -----

// A bias that is broadcast in an op of its own, onto which the sum accumulates.
// CHECK: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @broadcast_init
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<32xf32>)
// CHECK-NEXT: tgemm.matmul %{{.*}}, %{{.*}} epilogue(%[[BIAS]] : tensor<32xf32>) {epilogue_maps = [#[[COLUMN]]]}
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: arith.addf %[[ACC]], %[[B]] : f32
// CHECK-NOT: linalg
func.func @broadcast_init(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %bias: tensor<32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %init = linalg.broadcast ins(%bias : tensor<32xf32>) outs(%e : tensor<8x32xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// A transposed residual, a row of size 1, and one tensor that two ops compute
// from: inputs are read where they lie, and each once.
// CHECK-DAG: #[[FLIP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-LABEL: func.func @projections
// CHECK-SAME: %[[RES:[a-z0-9]+]]: tensor<32x8xf32>, %[[ROWS:[a-z0-9]+]]: tensor<1x32xf32>)
// CHECK: tgemm.matmul {{.*}} epilogue(%[[ROWS]], %[[RES]] : tensor<1x32xf32>, tensor<32x8xf32>) {epilogue_maps = [#[[ROW]], #[[FLIP]]]}
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[O:.*]]: f32, %[[R:.*]]: f32):
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[R]], %[[R]]
// CHECK-NEXT: %[[S0:.*]] = arith.addf %[[ACC]], %[[SQUARE]]
// CHECK-NEXT: arith.mulf %[[S0]], %[[O]]
// CHECK-NOT: linalg
func.func @projections(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %res: tensor<32x8xf32>, %row: tensor<1x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %t = linalg.transpose ins(%res : tensor<32x8xf32>) outs(%e : tensor<8x32xf32>) permutation = [1, 0]
  %square = linalg.mul ins(%t, %t : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (0, j)>, affine_map<(j, i) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%0, %square, %row : tensor<8x32xf32>, tensor<8x32xf32>, tensor<1x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    %product = arith.mulf %sum, %z : f32
    linalg.yield %product : f32
  } -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// -----

// Comparisons in between give i1, which need not be stored: they stay inside.
// CHECK-LABEL: func.func @select
// CHECK: ^bb0(%[[ACC:.*]]: f32, %[[M:.*]]: f32):
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[M]]
// CHECK: arith.select %[[C]], %[[ACC]]
// CHECK-NOT: linalg
func.func @select(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %mask: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %e1 = tensor.empty() : tensor<8x32xi1>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%mask : tensor<8x32xf32>) outs(%e1 : tensor<8x32xi1>) {
  ^bb0(%in: f32, %out: i1):
    %positive = arith.cmpf ogt, %in, %zero : f32
    linalg.yield %positive : i1
  } -> tensor<8x32xi1>
  %1 = linalg.select ins(%c, %0, %init : tensor<8x32xi1>, tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// -----

// A product that is used elsewhere is not computed twice: the op before the
// branch fuses, those behind do not.
// CHECK-LABEL: func.func @two_uses
// CHECK: %[[P:.*]] = tgemm.matmul
// CHECK: math.exp
// CHECK-NEXT: tgemm.yield
// CHECK: linalg.negf ins(%[[P]]
// CHECK: return %[[P]]
func.func @two_uses(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.exp ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-remark @+1 {{linalg.negf is not converted: the product that it reads has other uses}}
  %2 = linalg.negf ins(%1 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %1, %2 : tensor<8x32xf32>, tensor<8x32xf32>
}

// -----

// Two products of different inputs meet: the first gets its own epilogue, the
// last takes its result.
// CHECK-LABEL: func.func @meet
// CHECK: %[[FIRST:.*]] = tgemm.matmul
// CHECK: math.exp
// CHECK: tgemm.matmul %{{.*}} epilogue(%[[FIRST]] : tensor<8x32xf32>)
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[R:.*]]: f32):
// CHECK-NEXT: arith.addf %[[R]], %[[ACC]]
// CHECK-NOT: linalg
func.func @meet(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x16xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.exp ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %2 = linalg.matmul ins(%c, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %3 = linalg.add ins(%1, %2 : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %3 : tensor<8x32xf32>
}

// -----

// A product that is used elsewhere can still be read by the epilogue of another
// one, through an op that could follow neither alone.
// CHECK-LABEL: func.func @precede
// CHECK: %[[P:.*]] = tgemm.matmul
// CHECK: %[[Q:.*]] = tgemm.matmul %[[P]], %{{.*}} epilogue(%[[P]] : tensor<8x8xf32>)
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[R:.*]]: f32):
// CHECK-NEXT: %[[E:.*]] = math.exp %[[R]]
// CHECK-NEXT: arith.addf %[[E]], %[[ACC]]
// CHECK-NOT: linalg
func.func @precede(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %init = arith.constant dense<0.0> : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.exp ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%0, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.add ins(%1, %2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// A convolution that gets an epilogue is launched as before.

// CHECK-LABEL: func.func @launched(
// CHECK:         tgemm.conv2d {{.*}}launched_with_next
// CHECK:         arith.maximumf
// CHECK:         tgemm.conv2d
// CHECK-NOT:     launched_with_next
func.func @launched(%x: tensor<1x8x8x64xf16>, %f: tensor<64x3x3x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  %e = tensor.empty() : tensor<64x64xf16>
  %zero = arith.constant 0.0 : f16
  %0 = tgemm.conv2d %x, %f {launched_with_next, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
    : tensor<1x8x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<64x64xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<64x64xf16>) outs(%e : tensor<64x64xf16>) {
  ^bb0(%in: f16, %out: f16):
    %max = arith.maximumf %in, %zero : f16
    linalg.yield %max : f16
  } -> tensor<64x64xf16>
  %2 = tgemm.conv2d %x, %f {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 2, 0, 0, 2>}
    : tensor<1x8x8x64xf16>, tensor<64x3x3x64xf16> -> tensor<64x64xf16>
  return %1, %2 : tensor<64x64xf16>, tensor<64x64xf16>
}
