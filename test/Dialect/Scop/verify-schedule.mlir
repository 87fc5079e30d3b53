// RUN: grout-opt %s --scop-verify-schedule -split-input-file -verify-diagnostics

// X writes what Y reads: one after the other, in one loop, or reversed together.
func.func @legal(%x: memref<8xf32>, %y: memref<8xf32>) {
  scop.kernel outs(%x, %y : memref<8xf32>, memref<8xf32>)
      schedule <[sequence band 0, linear band 1 coincident], @X = (d0) -> (0, d0), @Y = (d0) -> (1, -d0)> {
  ^bb0(%A: memref<8xf32>, %B: memref<8xf32>):
    scop.stmt @X domain [8] writes(%A[(d0) -> (d0)] : memref<8xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    scop.stmt @Y domain [8] reads(%A[(d0) -> (d0)] : memref<8xf32>) writes(%B[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// -----

func.func @reversed(%x: memref<8xf32>, %y: memref<8xf32>) {
  scop.kernel outs(%x, %y : memref<8xf32>, memref<8xf32>)
      schedule <[linear band 0, sequence band 1], @X = (d0) -> (d0 + 2, 0), @Y = (d0) -> (d0, 1)> {
  ^bb0(%A: memref<8xf32>, %B: memref<8xf32>):
    // expected-error @+1 {{schedule is not legal: dependence 'flow_X_Y' from X[0] to Y[0] is reversed}}
    scop.stmt @X domain [8] writes(%A[(d0) -> (d0)] : memref<8xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    scop.stmt @Y domain [8] reads(%A[(d0) -> (d0)] : memref<8xf32>) writes(%B[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// -----

// A reduction may run in any order, but not at once.
func.func @reduction(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>)
      schedule <[linear band 0, linear band 0 coincident], @S = (d0, d1) -> (-d1, d0)> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%e: f32, %acc: f32):
      %0 = arith.addf %acc, %e : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @at_once(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>)
      schedule <[linear band 0 coincident], @S = (d0, d1) -> (d0)> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>):
    // expected-error @+1 {{schedule is not legal: dependence 'reduction_S' from S[0, 0] to S[0, 1]}}
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%e: f32, %acc: f32):
      %0 = arith.addf %acc, %e : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @not_parallel(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  scop.kernel ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>):
    // expected-error @+1 {{schedule is not legal: }}
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%e: f32, %acc: f32):
      %0 = arith.addf %acc, %e : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @none(%y: memref<4xf32>) {
  // expected-error @+1 {{has no schedule; run scop-schedule first}}
  scop.kernel outs(%y : memref<4xf32>) {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @S domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}
