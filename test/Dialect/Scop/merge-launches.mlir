// RUN: grout-opt %s --split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-form-launches,scop-schedule{tree=auto},scop-merge-launches))' \
// RUN:   | FileCheck %s

// Three casts that share nothing, of other sizes and types. What uses a result
// gets it from the launch.

// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %[[X:.*]]: tensor<1024xf32>, %[[Y:.*]]: tensor<77xf16>, %[[Z:.*]]: tensor<64x32xbf16>)
// CHECK: %[[L:.*]]:3 = scop.launch -> tensor<1024xf16>, tensor<64x32xf32>, tensor<77xf32> {
// CHECK: %[[A:.*]] = scop.kernel ins(%[[X]] : tensor<1024xf32>)
// CHECK: %[[C:.*]] = scop.kernel ins(%[[Z]] : tensor<64x32xbf16>)
// CHECK: %[[B:.*]] = scop.kernel ins(%[[Y]] : tensor<77xf16>)
// CHECK: scop.yield %[[A]], %[[C]], %[[B]] :
// CHECK: return %[[L]]#0, %[[L]]#2, %[[L]]#1
func.func @casts(%x: tensor<1024xf32>, %y: tensor<77xf16>, %z: tensor<64x32xbf16>)
    -> (tensor<1024xf16>, tensor<77xf32>, tensor<64x32xf32>) {
  %ea = tensor.empty() : tensor<1024xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<1024xf32>) outs(%ea : tensor<1024xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1024xf16>
  %eb = tensor.empty() : tensor<77xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y : tensor<77xf16>) outs(%eb : tensor<77xf32>) {
  ^bb0(%v: f16, %_: f32):
    %r = arith.extf %v : f16 to f32
    linalg.yield %r : f32
  } -> tensor<77xf32>
  %ec = tensor.empty() : tensor<64x32xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<64x32xbf16>) outs(%ec : tensor<64x32xf32>) {
  ^bb0(%v: bf16, %_: f32):
    %r = arith.extf %v : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<64x32xf32>
  return %a, %b, %c : tensor<1024xf16>, tensor<77xf32>, tensor<64x32xf32>
}

// -----

// Sums need the squares. The second squares need not wait for the first sum,
// which has a launch with the second sum.

// CHECK-LABEL: func.func @levels(
// CHECK: %[[SQUARES:.*]]:2 = scop.launch -> tensor<1024x1024xf32>, tensor<1024x1024xf32> {
// CHECK-COUNT-2: scop.kernel ins(%{{[xy]|arg[01]}} :
// CHECK: %[[SUMS:.*]]:2 = scop.launch -> tensor<f32>, tensor<f32> {
// CHECK: scop.kernel ins(%[[SQUARES]]#0 :
// CHECK: scop.kernel ins(%[[SQUARES]]#1 :
// CHECK: return %[[SQUARES]]#0, %[[SUMS]]#0, %[[SQUARES]]#1, %[[SUMS]]#1
func.func @levels(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<f32>, tensor<1024x1024xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %ez = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %es = tensor.empty() : tensor<1024x1024xf32>
  %s = linalg.square ins(%x : tensor<1024x1024xf32>) outs(%es : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %a = linalg.reduce { arith.addf } ins(%s : tensor<1024x1024xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  %et = tensor.empty() : tensor<1024x1024xf32>
  %t = linalg.square ins(%y : tensor<1024x1024xf32>) outs(%et : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %b = linalg.reduce { arith.addf } ins(%t : tensor<1024x1024xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %s, %a, %t, %b : tensor<1024x1024xf32>, tensor<f32>, tensor<1024x1024xf32>, tensor<f32>
}

// -----

// The same with 2 x 64 MB that one launch would push out of the cache before
// the sums come.

// CHECK-LABEL: func.func @cached(
// CHECK-NOT: scop.launch
// CHECK: return
func.func @cached(%x: tensor<2560x2560xf32>, %y: tensor<2560x2560xf32>) -> (tensor<2560x2560xf32>, tensor<f32>, tensor<2560x2560xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %ez = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %es = tensor.empty() : tensor<2560x2560xf32>
  %s = linalg.square ins(%x : tensor<2560x2560xf32>) outs(%es : tensor<2560x2560xf32>) -> tensor<2560x2560xf32>
  %a = linalg.reduce { arith.addf } ins(%s : tensor<2560x2560xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  %et = tensor.empty() : tensor<2560x2560xf32>
  %t = linalg.square ins(%y : tensor<2560x2560xf32>) outs(%et : tensor<2560x2560xf32>) -> tensor<2560x2560xf32>
  %b = linalg.reduce { arith.addf } ins(%t : tensor<2560x2560xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %s, %a, %t, %b : tensor<2560x2560xf32>, tensor<f32>, tensor<2560x2560xf32>, tensor<f32>
}

// -----

// A slice and a reshape of a result depend on it, too; what is between may
// come first.

// CHECK-LABEL: func.func @views(
// CHECK: %[[L:.*]]:2 = scop.launch -> tensor<1024xf16>, tensor<512xf16> {
// CHECK: %[[P:.*]] = tensor.extract_slice %[[L]]#{{[01]}}[128]
// CHECK: %[[V:.*]] = tensor.expand_shape %[[P]]
// CHECK: scop.kernel ins(%[[V]] : tensor<32x8xf16>)
func.func @views(%x: tensor<512xf32>, %y: tensor<1024xf32>) -> (tensor<512xf16>, tensor<8x32xf16>, tensor<1024xf16>) {
  %ea = tensor.empty() : tensor<512xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<512xf32>) outs(%ea : tensor<512xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<512xf16>
  %p = tensor.extract_slice %a[128] [256] [1] : tensor<512xf16> to tensor<256xf16>
  %q = tensor.expand_shape %p [[0, 1]] output_shape [32, 8] : tensor<256xf16> into tensor<32x8xf16>
  %et = tensor.empty() : tensor<8x32xf16>
  %b = scop.kernel ins(%q : tensor<32x8xf16>) outs(%et : tensor<8x32xf16>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)> -> tensor<8x32xf16> {
  ^bb0(%X: memref<32x8xf16>, %Y: memref<8x32xf16>):
    scop.stmt @S domain [8, 32] reads(%X[(d0, d1) -> (d1, d0)] : memref<32x8xf16>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x32xf16>) {
    ^bb0(%w: f16):
      scop.yield %w : f16
    }
  }
  %ec = tensor.empty() : tensor<1024xf16>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y : tensor<1024xf32>) outs(%ec : tensor<1024xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1024xf16>
  return %a, %b, %c : tensor<512xf16>, tensor<8x32xf16>, tensor<1024xf16>
}

// -----

// Rows that are kept in registers would take them from the cast, of which there
// is much. A softmax of a few rows has a launch with a few casts.

// CHECK-LABEL: func.func @registers(
// CHECK-NOT: scop.launch
// CHECK: return
func.func @registers(%x: tensor<4194304xf32>, %y: tensor<4096x1024xf32>) -> (tensor<4194304xf16>, tensor<4096x1024xf32>) {
  %ea = tensor.empty() : tensor<4194304xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4194304xf32>) outs(%ea : tensor<4194304xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4194304xf16>
  %e = tensor.empty() : tensor<4096x1024xf32>
  %b = linalg.softmax dimension(1) ins(%y : tensor<4096x1024xf32>) outs(%e : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  return %a, %b : tensor<4194304xf16>, tensor<4096x1024xf32>
}

// CHECK-LABEL: func.func @small(
// CHECK: scop.launch
// CHECK: return
func.func @small(%x: tensor<4096xf32>, %y: tensor<4x1024xf32>) -> (tensor<4096xf16>, tensor<4x1024xf32>) {
  %ea = tensor.empty() : tensor<4096xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%ea : tensor<4096xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4096xf16>
  %e = tensor.empty() : tensor<4x1024xf32>
  %b = linalg.softmax dimension(1) ins(%y : tensor<4x1024xf32>) outs(%e : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  return %a, %b : tensor<4096xf16>, tensor<4x1024xf32>
}

// -----

// Blocks of 1,024 threads, for few long rows, are too large for the casts of
// much; a cast of little goes with either.

// CHECK-LABEL: func.func @threads(
// CHECK: scop.launch -> tensor<4194304xf16>, tensor<512xf16> {
// CHECK-NOT: scop.launch
// CHECK: return
func.func @threads(%x: tensor<4194304xf32>, %y: tensor<16x32768xf32>, %z: tensor<512xf32>)
    -> (tensor<4194304xf16>, tensor<16xf32>, tensor<512xf16>) {
  %ea = tensor.empty() : tensor<4194304xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4194304xf32>) outs(%ea : tensor<4194304xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4194304xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.reduce { arith.addf } ins(%y : tensor<16x32768xf32>) outs(%f : tensor<16xf32>) dimensions = [1]
  %ec = tensor.empty() : tensor<512xf16>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%z : tensor<512xf32>) outs(%ec : tensor<512xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<512xf16>
  return %a, %b, %c : tensor<4194304xf16>, tensor<16xf32>, tensor<512xf16>
}

// -----

// A product is a step of its own. What does not need it goes with what comes
// before; what does cannot.

// CHECK-LABEL: func.func @product(
// CHECK: scop.launch -> tensor<768xf16>, tensor<64x64xf16>, tensor<512xf16> {
// CHECK: %[[M:.*]] = linalg.matmul
// CHECK: scop.kernel ins(%[[M]] :
func.func @product(%x: tensor<512xf32>, %p: tensor<64x64xf16>, %y: tensor<768xf32>) -> (tensor<512xf16>, tensor<64x64xf16>, tensor<768xf16>) {
  %ea = tensor.empty() : tensor<512xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<512xf32>) outs(%ea : tensor<512xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<512xf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x64xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  %m = linalg.matmul ins(%p, %p : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf16>) -> tensor<64x64xf16>
  %n = linalg.square ins(%m : tensor<64x64xf16>) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  %eb = tensor.empty() : tensor<768xf16>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y : tensor<768xf32>) outs(%eb : tensor<768xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<768xf16>
  return %a, %n, %b : tensor<512xf16>, tensor<64x64xf16>, tensor<768xf16>
}

// -----

// A table that needs nothing comes before the product, and not with the first
// of two that read the product: the second one would wait for that.

// CHECK-LABEL: func.func @before_product(
// CHECK: %[[TABLE:.*]] = scop.kernel outs(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: scop.launch
// CHECK-DAG: scop.kernel ins(%[[P]] :
// CHECK-DAG: scop.kernel ins(%[[P]], %[[TABLE]] :
func.func @before_product(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf16>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %eh = tensor.empty() : tensor<64x64xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x64xf32>) outs(%eh : tensor<64x64xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x64xf16>
  %et = tensor.empty() : tensor<64xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%et : tensor<64xf32>) {
  ^bb0(%_: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %c = math.cos %f : f32
    linalg.yield %c : f32
  } -> tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%et : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%p, %t : tensor<64x64xf32>, tensor<64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%v: f32, %c: f32, %o: f32):
    %m = arith.mulf %v, %c : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %h, %s : tensor<64x64xf16>, tensor<64xf32>
}

// -----

// What is scattered goes to few places of two caches of 32 MB: it does not push
// out of the cache what is read of them then.

// CHECK-LABEL: func.func @caches(
// CHECK: %[[CACHES:.*]]:2 = scop.launch -> tensor<512x16384xf32>, tensor<512x16384xf32> {
// CHECK-COUNT-2: scop.scatter
// CHECK: scop.kernel ins(%[[CACHES]]#0
func.func @caches(%x: tensor<8x16384xf32>, %i: tensor<8x1xi64>, %k: tensor<512x16384xf32>,
                  %v: tensor<512x16384xf32>) -> (tensor<512x16384xf32>, tensor<512x16384xf32>, tensor<512xf32>) {
  %0 = tensor.scatter %x into %k[%i] scatter_dims([0]) unique
    : (tensor<8x16384xf32>, tensor<512x16384xf32>, tensor<8x1xi64>) -> tensor<512x16384xf32>
  %1 = tensor.scatter %x into %v[%i] scatter_dims([0]) unique
    : (tensor<8x16384xf32>, tensor<512x16384xf32>, tensor<8x1xi64>) -> tensor<512x16384xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%0, %1 : tensor<512x16384xf32>, tensor<512x16384xf32>) outs(%z : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %sum : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  return %0, %1, %s : tensor<512x16384xf32>, tensor<512x16384xf32>, tensor<512xf32>
}
