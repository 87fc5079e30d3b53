// RUN: grout-opt %s --convert-scop-to-gpu --split-input-file --verify-diagnostics
// RUN: not grout-opt %s --convert-scop-to-gpu=target=cpu 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: 'cpu' is not a GPU

func.func @unscheduled(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{has no schedule; run scop-schedule first}}
  %y = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

func.func @skewed(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %y = scop.kernel ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0 + d1, d1)>
      -> tensor<8x8xf32> {
  ^bb0(%X: memref<8x8xf32>, %Y: memref<8x8xf32>):
    // expected-error @+1 {{cannot be compiled for a GPU: dimension 0 of its schedule is neither an iterator nor 0}}
    scop.stmt @S domain [8, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x8xf32>
}

// -----

func.func @quasi_affine(%x: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = scop.kernel ins(%x : tensor<4xf32>) outs(%e : tensor<8xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<8xf32> {
  ^bb0(%X: memref<4xf32>, %Y: memref<8xf32>):
    // expected-error @+1 {{cannot be compiled for a GPU: index of an access is not linear}}
    scop.stmt @S domain [8] reads(%X[(d0) -> (d0 floordiv 2)] : memref<4xf32>)
        writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

// Statement R reads another element of the local array than its thread wrote.

func.func @other_thread(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = scop.kernel ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 coincident],
                @S = (d0, d1) -> (d0, 0, d1), @R = (d0, d1) -> (d0, 1, d1)> -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4x8xf32>):
    %t = scop.local : memref<4x8xf32>
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: it reads elements that another thread computes}}
    scop.stmt @R domain [4, 8] reads(%t[(d0, d1) -> (d0, -d1 + 7)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<4x8xf32>
}

// -----

// Two spaces of inner loops.

func.func @two_spaces(%x: tensor<4x8xf32>, %z: tensor<4x6xf32>) -> (tensor<4x8xf32>, tensor<4x6xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<4x6xf32>
  %y:2 = scop.kernel ins(%x, %z : tensor<4x8xf32>, tensor<4x6xf32>) outs(%e, %f : tensor<4x8xf32>, tensor<4x6xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 coincident],
                @S = (d0, d1) -> (d0, 0, d1), @R = (d0, d1) -> (d0, 1, d1)> -> tensor<4x8xf32>, tensor<4x6xf32> {
  ^bb0(%X: memref<4x8xf32>, %Z: memref<4x6xf32>, %Y: memref<4x8xf32>, %W: memref<4x6xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: it has 6 iterations where another statement of its kernel has 8}}
    scop.stmt @R domain [4, 6] reads(%Z[(d0, d1) -> (d0, d1)] : memref<4x6xf32>)
        writes(%W[(d0, d1) -> (d0, d1)] : memref<4x6xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y#0, %y#1 : tensor<4x8xf32>, tensor<4x6xf32>
}

// -----

func.func @part(%x: tensor<4xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  %y = scop.kernel ins(%x : tensor<4xf32>) outs(%start : tensor<8xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<8xf32> {
  ^bb0(%X: memref<4xf32>, %Y: memref<8xf32>):
    // expected-error @+1 {{cannot be compiled for a GPU: it writes only a part of an output}}
    scop.stmt @S domain [4] reads(%X[(d0) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0) -> (d0 + 2)] : memref<8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

// The sum of each j would have to end before its second loop begins.

func.func @nested(%x: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %e = tensor.empty() : tensor<4x6x8xf32>
  %y = scop.kernel ins(%x : tensor<4x6x8xf32>) outs(%e : tensor<4x6x8xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2, sequence band 3, linear band 4],
                @F = (d0, d1) -> (d0, 0, d1, 0, 0), @R = (d0, d1, d2) -> (d0, 1, d1, 0, d2),
                @S = (d0, d1, d2) -> (d0, 1, d1, 1, d2)> -> tensor<4x6x8xf32> {
  ^bb0(%X: memref<4x6x8xf32>, %Y: memref<4x6x8xf32>):
    %t = scop.local : memref<4x6xf32>
    scop.stmt @F domain [4, 6] writes(%t[(d0, d1) -> (d0, d1)] : memref<4x6xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: it has loops of its own within a loop that it shares}}
    scop.stmt @R domain [4, 6, 8] reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<4x6x8xf32>,
                                        %t[(d0, d1, d2) -> (d0, d1)] : memref<4x6xf32>)
        writes(%t[(d0, d1, d2) -> (d0, d1)] : memref<4x6xf32>) reductions [2] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
    scop.stmt @S domain [4, 6, 8] reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<4x6x8xf32>,
                                        %t[(d0, d1, d2) -> (d0, d1)] : memref<4x6xf32>)
        writes(%Y[(d0, d1, d2) -> (d0, d1, d2)] : memref<4x6x8xf32>) {
    ^bb0(%a: f32, %s: f32):
      %r = arith.divf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<4x6x8xf32>
}

// -----

// What S wrote is not what R left there.

func.func @overwritten(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %y = scop.kernel ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
      schedule <[sequence band 0, linear band 1 coincident, linear band 1 coincident],
                @S = (d0, d1) -> (0, d0, d1), @R = (d0, d1) -> (1, d0, d1),
                @T = (d0, d1) -> (2, d0, d1)> -> tensor<8x8xf32> {
  ^bb0(%X: memref<8x8xf32>, %Y: memref<8x8xf32>):
    %t = scop.local : memref<8x8xf32>
    scop.stmt @S domain [8, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x8xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<8x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @R domain [8, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x8xf32>)
        writes(%t[(d0, d1) -> (d1, d0)] : memref<8x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: it reads elements that another thread computes}}
    scop.stmt @T domain [8, 8] reads(%t[(d0, d1) -> (d0, d1)] : memref<8x8xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x8xf32>
}
