// RUN: grout-opt %s -split-input-file --scop-inline-producers | FileCheck %s
// RUN: not grout-opt %s --scop-inline-producers='ratio=0' 2>&1 | FileCheck %s --check-prefix=RATIO
// RATIO: error: ratio must be at least 1

// A vector goes into the matrix that is scaled with it, and so does the number
// that went into the vector.

// CHECK-LABEL: func.func @vector(
// CHECK-NOT: scop.local
// CHECK: scop.stmt @S2 domain [64, 32]
// CHECK-SAME: reads(%[[X:[a-z0-9]+]][(d0, d1) -> (d0, d1)] : memref<64x32xf32>, %[[V:[a-z0-9]+]][(d0, d1) -> (d1)] : memref<32xf32>, %[[S:[a-z0-9]+]][(d0, d1) -> ()] : memref<f32>)
// CHECK-NEXT: ^bb0(%[[XE:.*]]: f32, %[[VE:.*]]: f32, %[[SE:.*]]: f32):
// CHECK-NEXT: %[[R:.*]] = math.sqrt %[[SE]]
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[VE]], %[[R]]
// CHECK-NEXT: arith.addf %[[XE]], %[[M]]
func.func @vector(%x: tensor<64x32xf32>, %v: tensor<32xf32>, %s: tensor<f32>, %e: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = scop.kernel ins(%x, %v, %s : tensor<64x32xf32>, tensor<32xf32>, tensor<f32>)
      outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%X: memref<64x32xf32>, %V: memref<32xf32>, %S: memref<f32>, %Y: memref<64x32xf32>):
    %root = scop.local : memref<f32>
    %scaled = scop.local : memref<32xf32>
    scop.stmt @S0 domain [] reads(%S[() -> ()] : memref<f32>) writes(%root[() -> ()] : memref<f32>) {
    ^bb0(%a: f32):
      %c = math.sqrt %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [32]
        reads(%V[(d0) -> (d0)] : memref<32xf32>, %root[(d0) -> ()] : memref<f32>)
        writes(%scaled[(d0) -> (d0)] : memref<32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scop.yield %c : f32
    }
    scop.stmt @S2 domain [64, 32]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<64x32xf32>, %scaled[(d0, d1) -> (d1)] : memref<32xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64x32xf32>
}

// -----

// What is read with other loops is computed there.

// CHECK-LABEL: func.func @reshaped(
// CHECK-NOT: scop.local
// CHECK: scop.stmt @S1 domain [16, 6]
// CHECK-SAME: %{{.*}}[(d0, d1) -> ((d0 * 6 + d1) floordiv 8, (d0 * 6 + d1) mod 8)] : memref<12x8xf32>
func.func @reshaped(%x: tensor<12x8xf32>, %e: tensor<16x6xf32>) -> tensor<16x6xf32> {
  %r = scop.kernel ins(%x : tensor<12x8xf32>) outs(%e : tensor<16x6xf32>) -> tensor<16x6xf32> {
  ^bb0(%X: memref<12x8xf32>, %Y: memref<16x6xf32>):
    %t = scop.local : memref<12x8xf32>
    scop.stmt @S0 domain [12, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<12x8xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<12x8xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [16, 6]
        reads(%t[(d0, d1) -> ((d0 * 6 + d1) floordiv 8, (d0 * 6 + d1) mod 8)] : memref<12x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<16x6xf32>) {
    ^bb0(%a: f32):
      %c = math.absf %a : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<16x6xf32>
}

// -----

// A value that is read twice at the same point is read point by point.

// CHECK-LABEL: func.func @square(
// CHECK: scop.stmt @S0
// CHECK: scop.stmt @S1
func.func @square(%x: tensor<64xf32>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %r = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    %t = scop.local : memref<64xf32>
    scop.stmt @S0 domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>) writes(%t[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [64]
        reads(%t[(d0) -> (d0)] : memref<64xf32>, %t[(d0) -> (d0)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64xf32>
}

// -----

// So it is computed once where it is copied.

// CHECK-LABEL: func.func @reversed(
// CHECK: scop.stmt @S1 domain [64]
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32):
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]]
// CHECK-NEXT: arith.mulf %[[N]], %[[N]]
func.func @reversed(%x: tensor<64xf32>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %r = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    %t = scop.local : memref<64xf32>
    scop.stmt @S0 domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>) writes(%t[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [64]
        reads(%t[(d0) -> (-d0 + 63)] : memref<64xf32>, %t[(d0) -> (-d0 + 63)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64xf32>
}

// -----

// The value of an iterator is the producer's, however deep.

// CHECK-LABEL: func.func @index(
// CHECK-NOT: scop.local
// CHECK: scop.stmt @S1 domain [64] writes(
// CHECK: scf.if
// CHECK-NEXT: %[[I:.*]] = scop.index 0 : index
// CHECK: %[[M:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK: %[[R:.*]] = arith.addi %[[M]], %{{.*}} : index
// CHECK-NEXT: %[[V:.*]] = arith.index_cast %[[R]] : index to i64
// CHECK-NEXT: scf.yield %[[V]] : i64
func.func @index(%x: tensor<64xf32>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %r = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    %t = scop.local : memref<64xi64>
    scop.stmt @S0 domain [64] writes(%t[(d0) -> (d0)] : memref<64xi64>) {
      %true = arith.constant true
      %c = scf.if %true -> i64 {
        %i = scop.index 0 : index
        %v = arith.index_cast %i : index to i64
        scf.yield %v : i64
      } else {
        %v = arith.constant 0 : i64
        scf.yield %v : i64
      }
      scop.yield %c : i64
    }
    scop.stmt @S1 domain [64]
        reads(%t[(d0) -> (-d0 + 63)] : memref<64xi64>) writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: i64):
      %c = arith.sitofp %a : i64 to f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64xf32>
}

// -----

// What the kernel computes for a row stays, and so does what is read point by
// point, what is a result, and what is read before its source changes.

// CHECK-LABEL: func.func @kept(
// CHECK: scop.stmt @S0 domain [64]
// CHECK: scop.stmt @S1 domain [64, 32]
// CHECK: scop.stmt @S2 domain [64]
// CHECK: scop.stmt @S3 domain [64, 32]
// CHECK: scop.stmt @S4 domain [64, 32]
func.func @kept(%x: tensor<64x32xf32>, %e: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = scop.kernel ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%X: memref<64x32xf32>, %Y: memref<64x32xf32>):
    %sum = scop.local : memref<64xf32>
    %mean = scop.local : memref<64xf32>
    %d = scop.local : memref<64x32xf32>
    scop.stmt @S0 domain [64] writes(%sum[(d0) -> (d0)] : memref<64xf32>) {
      %c = arith.constant 0.0 : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [64, 32]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<64x32xf32>, %sum[(d0, d1) -> (d0)] : memref<64xf32>)
        writes(%sum[(d0, d1) -> (d0)] : memref<64xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S2 domain [64] reads(%sum[(d0) -> (d0)] : memref<64xf32>) writes(%mean[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      %n = arith.constant 32.0 : f32
      %c = arith.divf %a, %n : f32
      scop.yield %c : f32
    }
    scop.stmt @S3 domain [64, 32]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<64x32xf32>, %mean[(d0, d1) -> (d0)] : memref<64xf32>)
        writes(%d[(d0, d1) -> (d0, d1)] : memref<64x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.subf %a, %b : f32
      scop.yield %c : f32
    }
    scop.stmt @S4 domain [64, 32]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<64x32xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x32xf32>) {
    ^bb0(%a: f32):
      %c = arith.mulf %a, %a : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64x32xf32>
}

// -----

// What copies an input, such that neighbours stay neighbours, is not needed,
// however many read it: the halves of a row, say, of which one is negated.

// CHECK-LABEL: func.func @copied(
// CHECK-NOT: scop.local
// CHECK: scop.stmt @S2 domain [8, 32, 64]
// CHECK-SAME: reads(%[[X:.*]][(d0, d1, d2) -> (d1, d0, d2)] : memref<32x8x64xf16>, %[[X]][(d0, d1, d2) -> (d1, d0, d2 mod 32 + 32)] : memref<32x8x64xf16>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f16):
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[B]]
// CHECK-NEXT: arith.mulf %[[A]], %[[N]]
func.func @copied(%x: tensor<32x8x64xf16>, %e: tensor<8x32x64xf16>) -> tensor<8x32x64xf16> {
  %r = scop.kernel ins(%x : tensor<32x8x64xf16>) outs(%e : tensor<8x32x64xf16>) -> tensor<8x32x64xf16> {
  ^bb0(%X: memref<32x8x64xf16>, %Y: memref<8x32x64xf16>):
    %t = scop.local : memref<8x32x64xf16>
    %n = scop.local : memref<8x32x32xf16>
    scop.stmt @S0 domain [8, 32, 64]
        reads(%X[(d0, d1, d2) -> (d1, d0, d2)] : memref<32x8x64xf16>)
        writes(%t[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x32x64xf16>) {
    ^bb0(%a: f16):
      scop.yield %a : f16
    }
    scop.stmt @S1 domain [8, 32, 32]
        reads(%t[(d0, d1, d2) -> (d0, d1, d2 + 32)] : memref<8x32x64xf16>)
        writes(%n[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x32x32xf16>) {
    ^bb0(%a: f16):
      %c = arith.negf %a : f16
      scop.yield %c : f16
    }
    scop.stmt @S2 domain [8, 32, 64]
        reads(%t[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x32x64xf16>,
              %n[(d0, d1, d2) -> (d0, d1, d2 mod 32)] : memref<8x32x32xf16>)
        writes(%Y[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x32x64xf16>) {
    ^bb0(%a: f16, %b: f16):
      %c = arith.mulf %a, %b : f16
      scop.yield %c : f16
    }
  }
  return %r : tensor<8x32x64xf16>
}

// -----

// One that parts neighbours stays: its readers would read column by column.

// CHECK-LABEL: func.func @transposed(
// CHECK: scop.stmt @S0 domain [64, 32]
// CHECK: scop.stmt @S1 domain [64, 32]
// CHECK: scop.stmt @S2 domain [64, 32]
func.func @transposed(%x: tensor<32x64xf16>, %e: tensor<64x32xf16>) -> (tensor<64x32xf16>, tensor<64x32xf16>) {
  %r:2 = scop.kernel ins(%x : tensor<32x64xf16>)
      outs(%e, %e : tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>, tensor<64x32xf16> {
  ^bb0(%X: memref<32x64xf16>, %Y: memref<64x32xf16>, %Z: memref<64x32xf16>):
    %t = scop.local : memref<64x32xf16>
    scop.stmt @S0 domain [64, 32]
        reads(%X[(d0, d1) -> (d1, d0)] : memref<32x64xf16>) writes(%t[(d0, d1) -> (d0, d1)] : memref<64x32xf16>) {
    ^bb0(%a: f16):
      scop.yield %a : f16
    }
    scop.stmt @S1 domain [64, 32]
        reads(%t[(d0, d1) -> (-d0 + 63, d1)] : memref<64x32xf16>) writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x32xf16>) {
    ^bb0(%a: f16):
      %c = arith.negf %a : f16
      scop.yield %c : f16
    }
    scop.stmt @S2 domain [64, 32]
        reads(%t[(d0, d1) -> (d0, -d1 + 31)] : memref<64x32xf16>) writes(%Z[(d0, d1) -> (d0, d1)] : memref<64x32xf16>) {
    ^bb0(%a: f16):
      %c = math.absf %a : f16
      scop.yield %c : f16
    }
  }
  return %r#0, %r#1 : tensor<64x32xf16>, tensor<64x32xf16>
}

// -----

// What is computed from nothing is computed everywhere. A function of many
// operations is so only where few points need it: the powers for a table of
// sines, but not the sines for a large tensor.

// CHECK-LABEL: func.func @table(
// CHECK-COUNT-1: scop.local
// CHECK-NOT: scop.local
// CHECK: scop.stmt @S2 domain [128, 64] writes(
// CHECK-NEXT: scop.index 1 : index
// CHECK: math.powf
// CHECK: scop.index 0 : index
// CHECK: math.sin
// CHECK: scop.stmt @S3 domain [64, 128, 64] reads(
func.func @table(%x: tensor<64x128x64xf32>) -> tensor<64x128x64xf32> {
  %e = tensor.empty() : tensor<64x128x64xf32>
  %r = scop.kernel ins(%x : tensor<64x128x64xf32>) outs(%e : tensor<64x128x64xf32>) -> tensor<64x128x64xf32> {
  ^bb0(%X: memref<64x128x64xf32>, %Y: memref<64x128x64xf32>):
    %places = scop.local : memref<128xf32>
    %powers = scop.local : memref<64xf32>
    %sines = scop.local : memref<128x64xf32>
    scop.stmt @S0 domain [128] writes(%places[(d0) -> (d0)] : memref<128xf32>) {
      %i = scop.index 0 : index
      %v = arith.index_cast %i : index to i32
      %c = arith.sitofp %v : i32 to f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [64] writes(%powers[(d0) -> (d0)] : memref<64xf32>) {
      %i = scop.index 0 : index
      %v = arith.index_cast %i : index to i32
      %f = arith.sitofp %v : i32 to f32
      %b = arith.constant 0.5 : f32
      %c = math.powf %b, %f : f32
      scop.yield %c : f32
    }
    scop.stmt @S2 domain [128, 64]
        reads(%places[(d0, d1) -> (d0)] : memref<128xf32>, %powers[(d0, d1) -> (d1)] : memref<64xf32>)
        writes(%sines[(d0, d1) -> (d0, d1)] : memref<128x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      %s = math.sin %c : f32
      scop.yield %s : f32
    }
    scop.stmt @S3 domain [64, 128, 64]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<64x128x64xf32>,
              %sines[(d0, d1, d2) -> (d1, d2)] : memref<128x64xf32>)
        writes(%Y[(d0, d1, d2) -> (d0, d1, d2)] : memref<64x128x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64x128x64xf32>
}

// -----

// What little there is to compute for a window is computed for each of its
// places; a function of more operations is not.

// CHECK-LABEL: func.func @window(
// CHECK-NOT: scop.local
// CHECK: scop.stmt @S1 domain [30, 30, 3, 3]
// CHECK: arith.maximumf
// CHECK-LABEL: func.func @costly(
// CHECK: scop.local
// CHECK: scop.stmt @S0 domain [32, 32]
func.func @window(%x: tensor<32x32xf32>, %e: tensor<30x30xf32>) -> tensor<30x30xf32> {
  %r = scop.kernel ins(%x : tensor<32x32xf32>) outs(%e : tensor<30x30xf32>) -> tensor<30x30xf32> {
  ^bb0(%X: memref<32x32xf32>, %Y: memref<30x30xf32>):
    %t = scop.local : memref<32x32xf32>
    scop.stmt @S0 domain [32, 32]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<32x32xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<32x32xf32>) {
    ^bb0(%a: f32):
      %zero = arith.constant 0.0 : f32
      %c = arith.maximumf %a, %zero : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [30, 30, 3, 3]
        reads(%Y[(d0, d1, d2, d3) -> (d0, d1)] : memref<30x30xf32>,
              %t[(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)] : memref<32x32xf32>)
        writes(%Y[(d0, d1, d2, d3) -> (d0, d1)] : memref<30x30xf32>) reductions [2, 3] {
    ^bb0(%s: f32, %a: f32):
      %c = arith.addf %s, %a : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<30x30xf32>
}

func.func @costly(%x: tensor<32x32xf32>, %e: tensor<30x30xf32>) -> tensor<30x30xf32> {
  %r = scop.kernel ins(%x : tensor<32x32xf32>) outs(%e : tensor<30x30xf32>) -> tensor<30x30xf32> {
  ^bb0(%X: memref<32x32xf32>, %Y: memref<30x30xf32>):
    %t = scop.local : memref<32x32xf32>
    scop.stmt @S0 domain [32, 32]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<32x32xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<32x32xf32>) {
    ^bb0(%a: f32):
      %a1 = arith.mulf %a, %a : f32
      %a2 = arith.mulf %a1, %a : f32
      %a3 = arith.addf %a2, %a : f32
      %a4 = arith.mulf %a3, %a : f32
      %a5 = arith.addf %a4, %a : f32
      %a6 = arith.mulf %a5, %a : f32
      %a7 = arith.addf %a6, %a : f32
      %a8 = arith.mulf %a7, %a : f32
      %a9 = arith.addf %a8, %a : f32
      %a10 = arith.mulf %a9, %a : f32
      %a11 = arith.addf %a10, %a : f32
      %a12 = arith.mulf %a11, %a : f32
      %a13 = arith.addf %a12, %a : f32
      %a14 = arith.mulf %a13, %a : f32
      %a15 = arith.addf %a14, %a : f32
      %a16 = arith.mulf %a15, %a : f32
      %a17 = arith.addf %a16, %a : f32
      %a18 = arith.mulf %a17, %a : f32
      %a19 = arith.addf %a18, %a : f32
      %a20 = arith.mulf %a19, %a : f32
      scop.yield %a20 : f32
    }
    scop.stmt @S1 domain [30, 30, 3, 3]
        reads(%Y[(d0, d1, d2, d3) -> (d0, d1)] : memref<30x30xf32>,
              %t[(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)] : memref<32x32xf32>)
        writes(%Y[(d0, d1, d2, d3) -> (d0, d1)] : memref<30x30xf32>) reductions [2, 3] {
    ^bb0(%s: f32, %a: f32):
      %c = arith.addf %s, %a : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<30x30xf32>
}

// -----

// A rim is copied to all places of a window that has a statement for each, as
// pooling has; where places are not those of one window, it is not.

// CHECK-LABEL: func.func @rim(
// CHECK-NOT: scop.stmt @S0
// CHECK: scop.stmt @S1 domain [64]
// CHECK: arith.select
// CHECK: scop.stmt @S2 domain [64]
// CHECK: arith.select
// CHECK-LABEL: func.func @reversed_rim(
// CHECK: scop.stmt @S0
func.func @rim(%x: tensor<64xf32>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %r = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    %t = scop.local : memref<66xf32>
    %u = scop.local : memref<64xf32>
    scop.stmt @S0 domain [66] reads(%X[(d0) -> ((d0 - 1) mod 64)] : memref<64xf32>) writes(%t[(d0) -> (d0)] : memref<66xf32>) {
    ^bb0(%a: f32):
      %i = scop.index 0 : index
      %zero = arith.constant 0 : index
      %none = arith.constant 0xFF800000 : f32
      %is = arith.cmpi eq, %i, %zero : index
      %c = arith.select %is, %none, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [64]
        reads(%t[(d0) -> (d0)] : memref<66xf32>, %t[(d0) -> (d0 + 1)] : memref<66xf32>)
        writes(%u[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      scop.yield %c : f32
    }
    scop.stmt @S2 domain [64]
        reads(%u[(d0) -> (d0)] : memref<64xf32>, %t[(d0) -> (d0 + 2)] : memref<66xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64xf32>
}
func.func @reversed_rim(%x: tensor<64xf32>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %r = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    %t = scop.local : memref<64xf32>
    %u = scop.local : memref<64xf32>
    scop.stmt @S0 domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>) writes(%t[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      %c = arith.negf %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S1 domain [64] reads(%t[(d0) -> (-d0 + 63)] : memref<64xf32>) writes(%u[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      %c = math.absf %a : f32
      scop.yield %c : f32
    }
    scop.stmt @S2 domain [64]
        reads(%u[(d0) -> (d0)] : memref<64xf32>, %t[(d0) -> (d0)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r : tensor<64xf32>
}

// -----

// A mean and a variance of more elements than threads keep: both read the
// narrow input. With fewer elements, threads keep the wide values.

// CHECK-LABEL: func.func @widened(
// CHECK-NOT: scop.local : memref<2x40000xf32>
// CHECK: scop.stmt @sum
// CHECK-SAME: : memref<2x40000xbf16>
// CHECK: arith.extf
// CHECK: scop.stmt @squares
// CHECK-SAME: : memref<2x40000xbf16>
// CHECK: arith.extf
func.func @widened(%x: tensor<2x40000xbf16>, %e: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = scop.kernel ins(%x : tensor<2x40000xbf16>) outs(%e, %e : tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32> {
  ^bb0(%X: memref<2x40000xbf16>, %Y: memref<2xf32>, %Z: memref<2xf32>):
    %w = scop.local : memref<2x40000xf32>
    scop.stmt @wide domain [2, 40000] reads(%X[(d0, d1) -> (d0, d1)] : memref<2x40000xbf16>)
        writes(%w[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>) {
    ^bb0(%a: bf16):
      %c = arith.extf %a : bf16 to f32
      scop.yield %c : f32
    }
    scop.stmt @sum domain [2, 40000]
        reads(%w[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [2, 40000]
        reads(%w[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>, %Z[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Z[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @kept_wide(
// CHECK: scop.local : memref<2x4000xf32>
func.func @kept_wide(%x: tensor<2x4000xbf16>, %e: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = scop.kernel ins(%x : tensor<2x4000xbf16>) outs(%e, %e : tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32> {
  ^bb0(%X: memref<2x4000xbf16>, %Y: memref<2xf32>, %Z: memref<2xf32>):
    %w = scop.local : memref<2x4000xf32>
    scop.stmt @wide domain [2, 4000] reads(%X[(d0, d1) -> (d0, d1)] : memref<2x4000xbf16>)
        writes(%w[(d0, d1) -> (d0, d1)] : memref<2x4000xf32>) {
    ^bb0(%a: bf16):
      %c = arith.extf %a : bf16 to f32
      scop.yield %c : f32
    }
    scop.stmt @sum domain [2, 4000]
        reads(%w[(d0, d1) -> (d0, d1)] : memref<2x4000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [2, 4000]
        reads(%w[(d0, d1) -> (d0, d1)] : memref<2x4000xf32>, %Z[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Z[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// A mean of groups of channels, channels last, and the squares of deviations:
// both read the narrow input, not a wide copy with channels first. They add up
// in any order. The last statement reads the narrow input, too.

// CHECK-LABEL: func.func @groups(
// CHECK-NOT: scop.local : memref<4096x128xf32>
// CHECK-NOT: scop.local : memref<128x4096xf32>
// CHECK: scop.stmt @sum
// CHECK-SAME: [(d0, d1, d2) -> (d2, d0 * 16 + d1)] : memref<4096x128xf16>
// CHECK: scop.stmt @deviation
// CHECK-SAME: [(d0, d1, d2) -> (d2, d0 * 16 + d1)] : memref<4096x128xf16>
// CHECK: scop.stmt @scaled
// CHECK-SAME: [(d0, d1) -> (d0, d1)] : memref<4096x128xf16>
func.func @groups(%x: tensor<4096x128xf16>, %e: tensor<8xf32>, %f: tensor<4096x128xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4096x128xf32>) {
  %r:3 = scop.kernel ins(%x : tensor<4096x128xf16>) outs(%e, %e, %f : tensor<8xf32>, tensor<8xf32>, tensor<4096x128xf32>) -> tensor<8xf32>, tensor<8xf32>, tensor<4096x128xf32> {
  ^bb0(%X: memref<4096x128xf16>, %Y: memref<8xf32>, %Z: memref<8xf32>, %U: memref<4096x128xf32>):
    %w = scop.local : memref<4096x128xf32>
    %t = scop.local : memref<128x4096xf32>
    %v = scop.local : memref<8x16x4096xf32>
    scop.stmt @wide domain [4096, 128] reads(%X[(d0, d1) -> (d0, d1)] : memref<4096x128xf16>)
        writes(%w[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>) {
    ^bb0(%a: f16):
      %c = arith.extf %a : f16 to f32
      scop.yield %c : f32
    }
    scop.stmt @first domain [128, 4096] reads(%w[(d0, d1) -> (d1, d0)] : memref<4096x128xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<128x4096xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @sum domain [8, 16, 4096]
        reads(%t[(d0, d1, d2) -> (d0 * 16 + d1, d2)] : memref<128x4096xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @deviation domain [8, 16, 4096]
        reads(%t[(d0, d1, d2) -> (d0 * 16 + d1, d2)] : memref<128x4096xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%v[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x16x4096xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.subf %a, %b : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [8, 16, 4096]
        reads(%v[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x16x4096xf32>, %Z[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Z[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
    scop.stmt @scaled domain [4096, 128]
        reads(%w[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %Z[(d0, d1) -> (d1 floordiv 16)] : memref<8xf32>)
        writes(%U[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, tensor<4096x128xf32>
}

// A reduction of few elements in another order than the input's: the copy
// stays, because threads can keep it.

// CHECK-LABEL: func.func @few(
// CHECK: scop.local : memref<128x16xf32>
func.func @few(%x: tensor<16x128xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scop.kernel ins(%x : tensor<16x128xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>, tensor<8xf32> {
  ^bb0(%X: memref<16x128xf32>, %Y: memref<8xf32>, %Z: memref<8xf32>):
    %t = scop.local : memref<128x16xf32>
    scop.stmt @first domain [128, 16] reads(%X[(d0, d1) -> (d1, d0)] : memref<16x128xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<128x16xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @sum domain [8, 16, 16]
        reads(%t[(d0, d1, d2) -> (d0 * 16 + d1, d2)] : memref<128x16xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [8, 16, 16]
        reads(%t[(d0, d1, d2) -> (d0 * 16 + d1, d2)] : memref<128x16xf32>, %Z[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Z[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A statement that widens and transposes at once is like a copy with channels
// first: sums of many elements read the narrow input as it is, and sums of few
// elements do not.

// CHECK-LABEL: func.func @wide_groups(
// CHECK-NOT: scop.local
// CHECK: scop.stmt @sum
// CHECK-SAME: [(d0, d1, d2) -> (d2, d0 * 16 + d1)] : memref<4096x128xf16>
// CHECK: arith.extf
// CHECK: scop.stmt @squares
// CHECK-SAME: [(d0, d1, d2) -> (d2, d0 * 16 + d1)] : memref<4096x128xf16>
// CHECK-LABEL: func.func @few_wide(
// CHECK: scop.local : memref<128x16xf32>
// CHECK: scop.stmt @wide
func.func @wide_groups(%x: tensor<4096x128xf16>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scop.kernel ins(%x : tensor<4096x128xf16>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>, tensor<8xf32> {
  ^bb0(%X: memref<4096x128xf16>, %Y: memref<8xf32>, %Z: memref<8xf32>):
    %w = scop.local : memref<128x4096xf32>
    scop.stmt @wide domain [128, 4096] reads(%X[(d0, d1) -> (d1, d0)] : memref<4096x128xf16>)
        writes(%w[(d0, d1) -> (d0, d1)] : memref<128x4096xf32>) {
    ^bb0(%a: f16):
      %c = arith.extf %a : f16 to f32
      scop.yield %c : f32
    }
    scop.stmt @sum domain [8, 16, 4096]
        reads(%w[(d0, d1, d2) -> (d0 * 16 + d1, d2)] : memref<128x4096xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [8, 16, 4096]
        reads(%w[(d0, d1, d2) -> (d0 * 16 + d1, d2)] : memref<128x4096xf32>, %Z[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Z[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

func.func @few_wide(%x: tensor<16x128xf16>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scop.kernel ins(%x : tensor<16x128xf16>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>, tensor<8xf32> {
  ^bb0(%X: memref<16x128xf16>, %Y: memref<8xf32>, %Z: memref<8xf32>):
    %w = scop.local : memref<128x16xf32>
    scop.stmt @wide domain [128, 16] reads(%X[(d0, d1) -> (d1, d0)] : memref<16x128xf16>)
        writes(%w[(d0, d1) -> (d0, d1)] : memref<128x16xf32>) {
    ^bb0(%a: f16):
      %c = arith.extf %a : f16 to f32
      scop.yield %c : f32
    }
    scop.stmt @sum domain [8, 16, 16]
        reads(%w[(d0, d1, d2) -> (d0 * 16 + d1, d2)] : memref<128x16xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %b, %a : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [8, 16, 16]
        reads(%w[(d0, d1, d2) -> (d0 * 16 + d1, d2)] : memref<128x16xf32>, %Z[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Z[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Differences from a mean, of more elements than threads keep: the variance and
// the result both subtract the mean from the narrow input.

// CHECK-LABEL: func.func @deviations(
// CHECK-NOT: scop.local
// CHECK-NOT: scop.stmt @deviation
// CHECK: scop.stmt @squares
// CHECK-SAME: : memref<2x40000xf16>
// CHECK: arith.subf
// CHECK: scop.stmt @scaled
// CHECK-SAME: : memref<2x40000xf16>
// CHECK: arith.subf

// Threads keep the differences of a shorter row.

// CHECK-LABEL: func.func @kept_deviations(
// CHECK: scop.local : memref<2x4000xf32>
// CHECK: scop.stmt @deviation
func.func @deviations(%x: tensor<2x40000xf16>, %m: tensor<2xf32>, %e: tensor<2xf32>, %f: tensor<2x40000xf32>) -> (tensor<2xf32>, tensor<2x40000xf32>) {
  %r:2 = scop.kernel ins(%x, %m : tensor<2x40000xf16>, tensor<2xf32>) outs(%e, %f : tensor<2xf32>, tensor<2x40000xf32>) -> tensor<2xf32>, tensor<2x40000xf32> {
  ^bb0(%X: memref<2x40000xf16>, %M: memref<2xf32>, %Y: memref<2xf32>, %Z: memref<2x40000xf32>):
    %d = scop.local : memref<2x40000xf32>
    scop.stmt @deviation domain [2, 40000]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<2x40000xf16>, %M[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>) {
    ^bb0(%a: f16, %b: f32):
      %w = arith.extf %a : f16 to f32
      %c = arith.subf %w, %b : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [2, 40000]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
    scop.stmt @scaled domain [2, 40000]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.divf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2x40000xf32>
}

func.func @kept_deviations(%x: tensor<2x4000xf16>, %m: tensor<2xf32>, %e: tensor<2xf32>, %f: tensor<2x4000xf32>) -> (tensor<2xf32>, tensor<2x4000xf32>) {
  %r:2 = scop.kernel ins(%x, %m : tensor<2x4000xf16>, tensor<2xf32>) outs(%e, %f : tensor<2xf32>, tensor<2x4000xf32>) -> tensor<2xf32>, tensor<2x4000xf32> {
  ^bb0(%X: memref<2x4000xf16>, %M: memref<2xf32>, %Y: memref<2xf32>, %Z: memref<2x4000xf32>):
    %d = scop.local : memref<2x4000xf32>
    scop.stmt @deviation domain [2, 4000]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<2x4000xf16>, %M[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%d[(d0, d1) -> (d0, d1)] : memref<2x4000xf32>) {
    ^bb0(%a: f16, %b: f32):
      %w = arith.extf %a : f16 to f32
      %c = arith.subf %w, %b : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [2, 4000]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<2x4000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
    scop.stmt @scaled domain [2, 4000]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<2x4000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<2x4000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.divf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2x4000xf32>
}

// -----

// A difference of two large arrays stays, since it is read instead of both. A
// scalar of the kernel is not among the arrays that are read.

// CHECK-LABEL: func.func @other_elements(
// CHECK: scop.stmt @deviation
// CHECK-LABEL: func.func @scalar(
// CHECK: scop.stmt @deviation
func.func @other_elements(%x: tensor<2x40000xf16>, %m: tensor<2x40000xf32>, %e: tensor<2xf32>, %f: tensor<2x40000xf32>) -> (tensor<2xf32>, tensor<2x40000xf32>) {
  %r:2 = scop.kernel ins(%x, %m : tensor<2x40000xf16>, tensor<2x40000xf32>) outs(%e, %f : tensor<2xf32>, tensor<2x40000xf32>) -> tensor<2xf32>, tensor<2x40000xf32> {
  ^bb0(%X: memref<2x40000xf16>, %M: memref<2x40000xf32>, %Y: memref<2xf32>, %Z: memref<2x40000xf32>):
    %d = scop.local : memref<2x40000xf32>
    scop.stmt @deviation domain [2, 40000]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<2x40000xf16>, %M[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>)
        writes(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>) {
    ^bb0(%a: f16, %b: f32):
      %w = arith.extf %a : f16 to f32
      %c = arith.subf %w, %b : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [2, 40000]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
    scop.stmt @scaled domain [2, 40000]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.divf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2x40000xf32>
}

func.func @scalar(%x: tensor<2x40000xf16>, %k: f32, %m: tensor<2xf32>, %e: tensor<2xf32>, %f: tensor<2x40000xf32>) -> (tensor<2xf32>, tensor<2x40000xf32>) {
  %r:2 = scop.kernel ins(%x, %k, %m : tensor<2x40000xf16>, f32, tensor<2xf32>) outs(%e, %f : tensor<2xf32>, tensor<2x40000xf32>) -> tensor<2xf32>, tensor<2x40000xf32> {
  ^bb0(%X: memref<2x40000xf16>, %K: f32, %M: memref<2xf32>, %Y: memref<2xf32>, %Z: memref<2x40000xf32>):
    %d = scop.local : memref<2x40000xf32>
    scop.stmt @deviation domain [2, 40000]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<2x40000xf16>, %M[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>) {
    ^bb0(%a: f16, %b: f32):
      %w = arith.extf %a : f16 to f32
      %c = arith.subf %w, %K : f32
      scop.yield %c : f32
    }
    scop.stmt @squares domain [2, 40000]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %a : f32
      %c = arith.addf %b, %s : f32
      scop.yield %c : f32
    }
    scop.stmt @scaled domain [2, 40000]
        reads(%d[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<2x40000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.divf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2x40000xf32>
}
