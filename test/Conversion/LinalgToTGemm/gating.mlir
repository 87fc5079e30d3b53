// RUN: grout-opt %s -convert-linalg-to-tgemm -split-input-file -verify-diagnostics | FileCheck %s

#element = affine_map<(i, j) -> (i, j)>

// The gated layer of LLaMA, with products rounded to f16 in between. The casts
// stay as written.
// CHECK-LABEL: func.func @llama
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x128xf16>, %[[G:[a-z0-9]+]]: tensor<128x256xf16>, %[[U:[a-z0-9]+]]: tensor<128x256xf16>)
// CHECK-NEXT: tgemm.matmul %[[X]], %[[G]], %[[U]] : tensor<64x128xf16>, tensor<128x256xf16>, tensor<128x256xf16> -> tensor<64x256xf16> {
// CHECK-NEXT: ^bb0(%[[ACC0:.*]]: f32, %[[ACC1:.*]]: f32):
// CHECK-NEXT: %[[GATE:.*]] = arith.truncf %[[ACC0]] : f32 to f16
// CHECK: %[[GATE32:.*]] = arith.extf %[[GATE]] : f16 to f32
// CHECK: %[[SILU:.*]] = arith.divf %[[GATE32]]
// CHECK: %[[SILU16:.*]] = arith.truncf %[[SILU]] : f32 to f16
// CHECK: %[[UP:.*]] = arith.truncf %[[ACC1]] : f32 to f16
// CHECK: %[[OUT:.*]] = arith.mulf %[[SILU16]], %[[UP]] : f16
// CHECK-NEXT: tgemm.yield %[[OUT]] : f16
// CHECK-NOT: linalg
func.func @llama(%x: tensor<64x128xf16>, %wg: tensor<128x256xf16>, %wu: tensor<128x256xf16>) -> tensor<64x256xf16> {
  %one = arith.constant 1.0 : f32
  %init = arith.constant dense<0.0> : tensor<64x256xf32>
  %e = tensor.empty() : tensor<64x256xf16>
  %g32 = linalg.matmul ins(%x, %wg : tensor<64x128xf16>, tensor<128x256xf16>) outs(%init : tensor<64x256xf32>) -> tensor<64x256xf32>
  %g = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%g32 : tensor<64x256xf32>) outs(%e : tensor<64x256xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x256xf16>
  %s = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%g : tensor<64x256xf16>) outs(%e : tensor<64x256xf16>) {
  ^bb0(%in: f16, %out: f16):
    %wide = arith.extf %in : f16 to f32
    %neg = arith.negf %wide : f32
    %exp = math.exp %neg : f32
    %den = arith.addf %exp, %one : f32
    %silu = arith.divf %wide, %den : f32
    %t = arith.truncf %silu : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x256xf16>
  %u32 = linalg.matmul ins(%x, %wu : tensor<64x128xf16>, tensor<128x256xf16>) outs(%init : tensor<64x256xf32>) -> tensor<64x256xf32>
  %u = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%u32 : tensor<64x256xf32>) outs(%e : tensor<64x256xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x256xf16>
  %m = linalg.mul ins(%s, %u : tensor<64x256xf16>, tensor<64x256xf16>) outs(%e : tensor<64x256xf16>) -> tensor<64x256xf16>
  return %m : tensor<64x256xf16>
}

// -----

// Three products, with transposed weights and a bias.
// CHECK-LABEL: func.func @three
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x16xf32>, %[[A:[a-z0-9]+]]: tensor<32x16xf32>, %[[B:[a-z0-9]+]]: tensor<32x16xf32>, %[[C:[a-z0-9]+]]: tensor<32x16xf32>, %[[BIAS:[a-z0-9]+]]: tensor<8x32xf32>)
// CHECK-NEXT: tgemm.matmul %[[X]], %[[A]], %[[B]], %[[C]] epilogue(%[[BIAS]] : tensor<8x32xf32>) {epilogue_maps = [#{{.*}}], transpose_rhs}
// CHECK-NEXT: ^bb0(%[[ACC0:.*]]: f32, %[[ACC1:.*]]: f32, %[[ACC2:.*]]: f32, %[[INIT:.*]]: f32):
// CHECK-NEXT: %[[SUM0:.*]] = arith.addf %[[ACC1]], %[[INIT]]
// CHECK-NEXT: %[[AB:.*]] = arith.mulf %[[ACC0]], %[[SUM0]]
// CHECK-NEXT: arith.addf %[[AB]], %[[ACC2]]
func.func @three(%x: tensor<8x16xf32>, %a: tensor<32x16xf32>, %b: tensor<32x16xf32>, %c: tensor<32x16xf32>, %bias: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %t = tensor.empty() : tensor<16x32xf32>
  %at = linalg.transpose ins(%a : tensor<32x16xf32>) outs(%t : tensor<16x32xf32>) permutation = [1, 0]
  %bt = linalg.transpose ins(%b : tensor<32x16xf32>) outs(%t : tensor<16x32xf32>) permutation = [1, 0]
  %ct = linalg.transpose ins(%c : tensor<32x16xf32>) outs(%t : tensor<16x32xf32>) permutation = [1, 0]
  %xa = linalg.matmul ins(%x, %at : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %xb = linalg.matmul ins(%x, %bt : tensor<8x16xf32>, tensor<16x32xf32>) outs(%bias : tensor<8x32xf32>) -> tensor<8x32xf32>
  %xc = linalg.matmul ins(%x, %ct : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %m = linalg.mul ins(%xa, %xb : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %s = linalg.add ins(%m, %xc : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %s : tensor<8x32xf32>
}

// -----

// Products of one lhs that do not meet stay apart (Q, K and V).
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-2: tgemm.matmul %{{[^,]*}}, %{{[^,]*}} : tensor
// CHECK-NOT: tgemm.matmul
func.func @apart(%x: tensor<8x16xf32>, %a: tensor<16x32xf32>, %b: tensor<16x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.matmul ins(%x, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}

// -----

// One of the products is needed by itself: it is stored, and read again.
// CHECK-LABEL: func.func @stored
// CHECK: %[[G:.*]] = tgemm.matmul %{{[^,]*}}, %{{[^,]*}} : tensor
// CHECK: tgemm.matmul %{{[^,]*}}, %{{[^,]*}} epilogue(%[[G]] : tensor<8x32xf32>)
// CHECK: arith.mulf
// CHECK: return %[[G]]
func.func @stored(%x: tensor<8x16xf32>, %a: tensor<16x32xf32>, %b: tensor<16x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.matmul ins(%x, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %2 = linalg.mul ins(%0, %1 : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %2 : tensor<8x32xf32>, tensor<8x32xf32>
}

// -----

// The second product starts from a function of the first, so it cannot share
// its tiles, although they meet.
// CHECK-LABEL: func.func @dependent
// CHECK: %[[P:.*]] = tgemm.matmul %{{[^,]*}}, %{{[^,]*}} : tensor
// CHECK: tgemm.matmul %{{[^,]*}}, %{{[^,]*}} epilogue(%[[P]] : tensor<8x32xf32>)
// CHECK-NOT: linalg
func.func @dependent(%x: tensor<8x16xf32>, %a: tensor<16x32xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %a : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %exp = linalg.exp ins(%0 : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.matmul ins(%x, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%exp : tensor<8x32xf32>) -> tensor<8x32xf32>
  %2 = linalg.mul ins(%0, %1 : tensor<8x32xf32>, tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}
