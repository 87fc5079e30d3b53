// RUN: grout-opt %s --convert-scop-to-loops -split-input-file -verify-diagnostics

func.func @tensors(%y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is on tensors; bufferize it before it becomes loops}}
  %0 = scop.kernel outs(%y : tensor<4xf32>) schedule <[linear band 0], @S = (d0) -> (d0)> -> tensor<4xf32> {
  ^bb0(%Y: memref<4xf32>):
    scop.stmt @S domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @unscheduled(%y: memref<4xf32>) {
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

// -----

// Code is made from legal schedules only.
func.func @illegal(%y: memref<5xf32>) {
  scop.kernel outs(%y : memref<5xf32>) schedule <[linear band 0], @S = (d0) -> (-d0)> {
  ^bb0(%Y: memref<5xf32>):
    // expected-error @+1 {{schedule is not legal: dependence 'flow_S_S' from S[0] to S[1] is reversed}}
    scop.stmt @S domain [4] reads(%Y[(d0) -> (d0)] : memref<5xf32>) writes(%Y[(d0) -> (d0 + 1)] : memref<5xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}
