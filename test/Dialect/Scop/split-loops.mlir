// RUN: grout-opt %s -split-input-file --scop-split-loops | FileCheck %s
// RUN: grout-opt %s -split-input-file --scop-split-loops --grout-set-target=name=h200 --scop-schedule --scop-verify-schedule -o /dev/null

// Heads that were joined become loops of their own.

// CHECK-LABEL: func.func @heads(
// CHECK: scop.stmt @S0 domain [1024, 16, 128]
// CHECK-SAME: reads(%{{.*}}[(d0, d1, d2) -> (d1, d0, d2)] : memref<16x1024x128xf16>)
// CHECK-SAME: writes(%{{.*}}[(d0, d1, d2) -> (d0, d1 * 128 + d2)] : memref<1024x2048xf16>)
func.func @heads(%x: tensor<16x1024x128xf16>, %e: tensor<1024x2048xf16>) -> tensor<1024x2048xf16> {
  %r = scop.kernel ins(%x : tensor<16x1024x128xf16>) outs(%e : tensor<1024x2048xf16>) -> tensor<1024x2048xf16> {
  ^bb0(%X: memref<16x1024x128xf16>, %Y: memref<1024x2048xf16>):
    scop.stmt @S0 domain [1024, 2048]
        reads(%X[(d0, d1) -> (d1 floordiv 128, d0, d1 mod 128)] : memref<16x1024x128xf16>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<1024x2048xf16>) {
    ^bb0(%a: f16):
      %c = arith.negf %a : f16
      scop.yield %c : f16
    }
  }
  return %r : tensor<1024x2048xf16>
}

// -----

// Three loops of one; the value of the iterator is put together again, and a
// reduction combines over all of them.

// CHECK-LABEL: func.func @three(
// CHECK: scop.stmt @S0 domain [4, 2, 3]
// CHECK-SAME: reads(%{{.*}}[(d0, d1, d2) -> (d0, d1, d2)] : memref<4x2x3xi64>
// CHECK-SAME: reductions [0, 1, 2]
func.func @three(%x: tensor<4x2x3xi64>, %e: tensor<i64>) -> tensor<i64> {
  %r = scop.kernel ins(%x : tensor<4x2x3xi64>) outs(%e : tensor<i64>) -> tensor<i64> {
  ^bb0(%X: memref<4x2x3xi64>, %Y: memref<i64>):
    scop.stmt @S0 domain [24]
        reads(%X[(d0) -> (d0 floordiv 6, (d0 floordiv 3) mod 2, d0 mod 3)] : memref<4x2x3xi64>, %Y[(d0) -> ()] : memref<i64>)
        writes(%Y[(d0) -> ()] : memref<i64>) reductions [0] {
    ^bb0(%a: i64, %s: i64):
      %i = scop.index 0 : index
      %v = arith.index_cast %i : index to i64
      %p = arith.muli %a, %v : i64
      %c = arith.addi %s, %p : i64
      scop.yield %c : i64
    }
  }
  return %r : tensor<i64>
}

// -----

// What does not divide the extent stays.

// CHECK-LABEL: func.func @window(
// CHECK: scop.stmt @S0 domain [10]
func.func @window(%x: tensor<4xf32>, %e: tensor<10xf32>) -> tensor<10xf32> {
  %r = scop.kernel ins(%x : tensor<4xf32>) outs(%e : tensor<10xf32>) -> tensor<10xf32> {
  ^bb0(%X: memref<4xf32>, %Y: memref<10xf32>):
    scop.stmt @S0 domain [10]
        reads(%X[(d0) -> (d0 floordiv 3)] : memref<4xf32>) writes(%Y[(d0) -> (d0)] : memref<10xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<10xf32>
}

// -----

// So do loops that go through the same local arrays, and the arrays' dimensions.
// What is read of the other half is linear.

// CHECK-LABEL: func.func @halves(
// CHECK: %[[T:.*]] = scop.local : memref<8x2x32xf32>
// CHECK: %[[H:.*]] = scop.local : memref<8x2x32xf32>
// CHECK: scop.stmt @S0 domain [8, 2, 32]
// CHECK-SAME: reads(%{{.*}}[(d0, d1, d2) -> (d0, d2)] : memref<8x32xf32>)
// CHECK-SAME: writes(%[[H]][(d0, d1, d2) -> (d0, d1, d2)] : memref<8x2x32xf32>)
// CHECK: scop.stmt @S1 domain [8, 2, 32]
// CHECK-SAME: reads(%{{.*}}[(d0, d1, d2) -> (d0, d1 * 32 + d2)] : memref<8x64xf32>, %[[H]][(d0, d1, d2) -> (d0, d1, d2)] : memref<8x2x32xf32>)
// CHECK-SAME: writes(%[[T]][(d0, d1, d2) -> (d0, d1, d2)] : memref<8x2x32xf32>)
// CHECK: scop.stmt @S2 domain [8, 2, 32]
// CHECK-SAME: reductions [1, 2]
// CHECK: scop.stmt @S3 domain [8, 32]
// CHECK-SAME: reads(%[[T]][(d0, d1) -> (d0, 1, d1)] : memref<8x2x32xf32>)
func.func @halves(%x: tensor<8x32xf32>, %y: tensor<8x64xf32>, %s: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x32xf32>) {
  %e = tensor.empty() : tensor<8x32xf32>
  %r:2 = scop.kernel ins(%x, %y : tensor<8x32xf32>, tensor<8x64xf32>)
      outs(%s, %e : tensor<8xf32>, tensor<8x32xf32>) -> tensor<8xf32>, tensor<8x32xf32> {
  ^bb0(%X: memref<8x32xf32>, %Y: memref<8x64xf32>, %S: memref<8xf32>, %Z: memref<8x32xf32>):
    %t = scop.local : memref<8x64xf32>
    %h = scop.local : memref<8x64xf32>
    scop.stmt @S0 domain [8, 64]
        reads(%X[(d0, d1) -> (d0, d1 mod 32)] : memref<8x32xf32>)
        writes(%h[(d0, d1) -> (d0, d1)] : memref<8x64xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [8, 64]
        reads(%Y[(d0, d1) -> (d0, d1)] : memref<8x64xf32>, %h[(d0, d1) -> (d0, d1)] : memref<8x64xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<8x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scop.yield %c : f32
    }
    scop.stmt @S2 domain [8, 64]
        reads(%t[(d0, d1) -> (d0, d1)] : memref<8x64xf32>, %S[(d0, d1) -> (d0)] : memref<8xf32>)
        writes(%S[(d0, d1) -> (d0)] : memref<8xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S3 domain [8, 32]
        reads(%t[(d0, d1) -> (d0, d1 + 32)] : memref<8x64xf32>) writes(%Z[(d0, d1) -> (d0, d1)] : memref<8x32xf32>) {
    ^bb0(%a: f32):
      %c = math.absf %a : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8x32xf32>
}

// -----

// A loop that goes on in order stays one, and so do the others with it.

// CHECK-LABEL: func.func @in_order(
// CHECK: scop.local : memref<64xf32>
// CHECK: scop.stmt @S0 domain [2, 32]
// CHECK-SAME: writes(%{{.*}}[(d0, d1) -> (d0 * 32 + d1)] : memref<64xf32>)
// CHECK: scop.stmt @S1 domain [64]
func.func @in_order(%x: tensor<32xf32>, %s: tensor<f32>) -> tensor<f32> {
  %r = scop.kernel ins(%x : tensor<32xf32>) outs(%s : tensor<f32>) -> tensor<f32> {
  ^bb0(%X: memref<32xf32>, %S: memref<f32>):
    %t = scop.local : memref<64xf32>
    scop.stmt @S0 domain [64]
        reads(%X[(d0) -> (d0 mod 32)] : memref<32xf32>) writes(%t[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [64]
        reads(%t[(d0) -> (d0)] : memref<64xf32>, %S[(d0) -> ()] : memref<f32>) writes(%S[(d0) -> ()] : memref<f32>) {
    ^bb0(%a: f32, %b: f32):
      %half = arith.constant 0.5 : f32
      %d = arith.mulf %b, %half : f32
      %c = arith.addf %d, %a : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<f32>
}

// -----

// A concatenation of two parts writes its second part behind the first. If the
// channels of its result were split, this access would divide, so they stay one
// dimension. All else that goes through the channels is split.

// CHECK-LABEL: func.func @concatenated(
// CHECK: %[[T:.*]] = scop.local : memref<128xf32>
// CHECK: %[[U:.*]] = scop.local : memref<4x32xf32>
// CHECK: scop.stmt @S0 domain [80]
// CHECK-SAME: writes(%[[T]][(d0) -> (d0)] : memref<128xf32>)
// CHECK: scop.stmt @S1 domain [48]
// CHECK-SAME: writes(%[[T]][(d0) -> (d0 + 80)] : memref<128xf32>)
// CHECK: scop.stmt @S2 domain [4, 32]
// CHECK-SAME: reads(%[[T]][(d0, d1) -> (d0 * 32 + d1)] : memref<128xf32>)
// CHECK-SAME: writes(%[[U]][(d0, d1) -> (d0, d1)] : memref<4x32xf32>)
// CHECK: scop.stmt @S3 domain [4, 32]
// CHECK-SAME: reads(%[[U]][(d0, d1) -> (d0, d1)] : memref<4x32xf32>, %{{.*}}[(d0, d1) -> (d0)] : memref<4xf32>)
func.func @concatenated(%x: tensor<80xf32>, %y: tensor<48xf32>, %s: tensor<4xf32>, %e: tensor<128xf32>) -> tensor<128xf32> {
  %r = scop.kernel ins(%x, %y, %s : tensor<80xf32>, tensor<48xf32>, tensor<4xf32>) outs(%e : tensor<128xf32>) -> tensor<128xf32> {
  ^bb0(%X: memref<80xf32>, %Y: memref<48xf32>, %S: memref<4xf32>, %Z: memref<128xf32>):
    %t = scop.local : memref<128xf32>
    %u = scop.local : memref<128xf32>
    scop.stmt @S0 domain [80]
        reads(%X[(d0) -> (d0)] : memref<80xf32>) writes(%t[(d0) -> (d0)] : memref<128xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @S1 domain [48]
        reads(%Y[(d0) -> (d0)] : memref<48xf32>) writes(%t[(d0) -> (d0 + 80)] : memref<128xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @S2 domain [128]
        reads(%t[(d0) -> (d0)] : memref<128xf32>) writes(%u[(d0) -> (d0)] : memref<128xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S3 domain [128]
        reads(%u[(d0) -> (d0)] : memref<128xf32>, %S[(d0) -> (d0 floordiv 32)] : memref<4xf32>)
        writes(%Z[(d0) -> (d0)] : memref<128xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<128xf32>
}
