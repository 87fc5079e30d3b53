// RUN: grout-opt %s --linalg-round-once --canonicalize --split-input-file | FileCheck %s

#m = affine_map<(d0, d1) -> (d0, d1)>
#v = affine_map<(d0, d1) -> (d1)>

// The product is f32, and its rounding may be left out: only the sum with the
// bias reads it. The result is rounded.

// CHECK-LABEL: func.func @linear
// CHECK:         %[[P:.*]] = linalg.matmul {{.*}} -> tensor<64x256xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[P]]
// CHECK:           arith.truncf %{{.*}} fastmath<contract> : f32 to f16
// CHECK:         linalg.generic
// CHECK-COUNT-2:   arith.extf %{{.*}} fastmath<contract> : f16 to f32
// CHECK:           arith.addf {{.*}} : f32
// CHECK:           arith.truncf %{{[0-9]+}} : f32 to f16
func.func @linear(%x: tensor<64x128xf16>, %w: tensor<128x256xf16>,
                  %b: tensor<256xf16>) -> tensor<64x256xf16> {
  %c0 = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x256xf16>
  %f = linalg.fill ins(%c0 : f16) outs(%e : tensor<64x256xf16>) -> tensor<64x256xf16>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf16>, tensor<128x256xf16>)
      outs(%f : tensor<64x256xf16>) -> tensor<64x256xf16>
  %s = linalg.generic {indexing_maps = [#m, #v, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<64x256xf16>, tensor<256xf16>) outs(%e : tensor<64x256xf16>) {
  ^bb0(%a: f16, %c: f16, %o: f16):
    %r = arith.addf %a, %c : f16
    linalg.yield %r : f16
  } -> tensor<64x256xf16>
  return %s : tensor<64x256xf16>
}

// -----

// What two ops read, and what the function returns, is rounded.

// CHECK-LABEL: func.func @read_twice
// CHECK:         arith.mulf {{.*}} : f32
// CHECK-NEXT:    arith.truncf %{{[0-9]+}} : f32 to bf16
// CHECK:         math.exp {{.*}} : f32
// CHECK-NEXT:    arith.truncf %{{[0-9]+}} fastmath<contract> : f32 to bf16
// CHECK:         arith.subf {{.*}} : f32
// CHECK-NEXT:    arith.truncf %{{[0-9]+}} : f32 to bf16
func.func @read_twice(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %e = tensor.empty() : tensor<8xbf16>
  %t = linalg.mul ins(%x, %x : tensor<8xbf16>, tensor<8xbf16>) outs(%e : tensor<8xbf16>) -> tensor<8xbf16>
  %u = linalg.exp ins(%t : tensor<8xbf16>) outs(%e : tensor<8xbf16>) -> tensor<8xbf16>
  %v = linalg.sub ins(%u, %t : tensor<8xbf16>, tensor<8xbf16>) outs(%e : tensor<8xbf16>) -> tensor<8xbf16>
  return %v : tensor<8xbf16>
}

// -----

#i = affine_map<(d0) -> (d0)>

// A rounding that states its mode is kept, and loses the mode. A scalar of the
// program has the type in which it is used.

// CHECK-LABEL: func.func @stated
// CHECK:         %[[C:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK:         arith.truncf %{{[a-z0-9]+}} : f32 to f16
// CHECK:         arith.mulf %{{.*}}, %[[C]] : f32
func.func @stated(%x: tensor<8xf32>) -> tensor<8xf16> {
  %c = arith.constant 1.7 : f64
  %e = tensor.empty() : tensor<8xf16>
  %t = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf16>) {
  ^bb0(%a: f32, %o: f16):
    %n = arith.truncf %a to_nearest_even : f32 to f16
    %s = arith.truncf %c : f64 to f16
    %r = arith.mulf %n, %s : f16
    linalg.yield %r : f16
  } -> tensor<8xf16>
  return %t : tensor<8xf16>
}

// -----

#i = affine_map<(d0) -> (d0)>

// The bits of a number are those of the rounded one.

// CHECK-LABEL: func.func @bits
// CHECK:         %[[S:.*]] = arith.addf {{.*}} : f32
// CHECK-NEXT:    %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK-NEXT:    arith.bitcast %[[R]] : f16 to i16
func.func @bits(%x: tensor<8xf16>) -> tensor<8xi16> {
  %e = tensor.empty() : tensor<8xi16>
  %t = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf16>) outs(%e : tensor<8xi16>) {
  ^bb0(%a: f16, %o: i16):
    %s = arith.addf %a, %a : f16
    %r = arith.bitcast %s : f16 to i16
    linalg.yield %r : i16
  } -> tensor<8xi16>
  return %t : tensor<8xi16>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// A product whose result is widened to be summed up is stored in 16 bits: the
// sum is in another kernel.

// CHECK-LABEL: func.func @stored
// CHECK:         linalg.matmul {{.*}} -> tensor<64x256xf32>
// CHECK:         arith.truncf %{{[a-z0-9]+}} : f32 to f16
// CHECK:         arith.extf
func.func @stored(%x: tensor<64x128xf16>, %w: tensor<128x256xf16>) -> tensor<64xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %h = tensor.empty() : tensor<64x256xf16>
  %z = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%c0 : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf16>, tensor<128x256xf16>)
      outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %n = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x256xf32>) outs(%h : tensor<64x256xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x256xf16>
  %u = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<64x256xf16>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%a: f16, %o: f32):
    %t = arith.extf %a : f16 to f32
    linalg.yield %t : f32
  } -> tensor<64x256xf32>
  %g = linalg.fill ins(%c0 : f32) outs(%z : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%u : tensor<64x256xf32>) outs(%g : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// -----

#i = affine_map<(d0) -> (d0)>

// What is compared with a scalar is compared with the nearest f16.

// CHECK-LABEL: func.func @compared
// CHECK:         %[[C:.*]] = arith.truncf %{{.*}} : f64 to f16
// CHECK:         %[[W:.*]] = arith.extf %[[C]] {{.*}} : f16 to f32
// CHECK:         arith.cmpf olt, %{{.*}}, %[[W]] : f32
func.func @compared(%x: tensor<8xf16>) -> tensor<8xi1> {
  %c = arith.constant 0.1 : f64
  %e = tensor.empty() : tensor<8xi1>
  %t = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf16>) outs(%e : tensor<8xi1>) {
  ^bb0(%a: f16, %o: i1):
    %s = arith.truncf %c : f64 to f16
    %r = arith.cmpf olt, %a, %s : f16
    linalg.yield %r : i1
  } -> tensor<8xi1>
  return %t : tensor<8xi1>
}

// -----

// What is compared is rounded before.

// CHECK-LABEL: func.func @compared_sum
// CHECK:         arith.addf {{.*}} : f32
// CHECK-NEXT:    arith.truncf %{{[0-9]+}} : f32 to f16
#i = affine_map<(d0) -> (d0)>
func.func @compared_sum(%x: tensor<8xf16>, %y: tensor<8xf16>, %z: tensor<8xf16>) -> tensor<8xi1> {
  %e = tensor.empty() : tensor<8xf16>
  %b = tensor.empty() : tensor<8xi1>
  %s = linalg.add ins(%x, %y : tensor<8xf16>, tensor<8xf16>) outs(%e : tensor<8xf16>) -> tensor<8xf16>
  %t = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
      ins(%s, %z : tensor<8xf16>, tensor<8xf16>) outs(%b : tensor<8xi1>) {
  ^bb0(%a: f16, %c: f16, %o: i1):
    %r = arith.cmpf oeq, %a, %c : f16
    linalg.yield %r : i1
  } -> tensor<8xi1>
  return %t : tensor<8xi1>
}
