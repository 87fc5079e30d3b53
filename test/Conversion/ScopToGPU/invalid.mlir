// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --split-input-file --verify-diagnostics

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

func.func @quasi_affine(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<8xf32> {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    // expected-error @+1 {{cannot be compiled for a GPU: index of a write is not linear}}
    scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0) -> ((d0 + 3) mod 8)] : memref<8xf32>) {
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

func.func @backwards(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<8xf32> {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    // expected-error @+1 {{cannot be compiled for a GPU: it writes an output backwards}}
    scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0) -> (7 - d0)] : memref<8xf32>) {
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

// -----

// Marks.

func.func @does_not_divide(%x: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %e = tensor.empty() : tensor<8x30xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 1 of its schedule has vectors of 4 iterations, but 30 iterations}}
  %y = scop.kernel ins(%x : tensor<8x30xf32>) outs(%e : tensor<8x30xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 4],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x30xf32> {
  ^bb0(%X: memref<8x30xf32>, %Y: memref<8x30xf32>):
    scop.stmt @S domain [8, 30] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x30xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x30xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x30xf32>
}

// -----

func.func @masked_tile(%x: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %e = tensor.empty() : tensor<8x30xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 1 of its schedule has masked vectors, but another one is mapped to thread_y}}
  %y = scop.kernel ins(%x : tensor<8x30xf32>) outs(%e : tensor<8x30xf32>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_x vector 4 masked],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x30xf32> {
  ^bb0(%X: memref<8x30xf32>, %Y: memref<8x30xf32>):
    scop.stmt @S domain [8, 30] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x30xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x30xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x30xf32>
}

// -----

func.func @odd_width(%x: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %e = tensor.empty() : tensor<8x30xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 1 of its schedule has vectors of 3 iterations, not of 2, 4, 8 or 16}}
  %y = scop.kernel ins(%x : tensor<8x30xf32>) outs(%e : tensor<8x30xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 3],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x30xf32> {
  ^bb0(%X: memref<8x30xf32>, %Y: memref<8x30xf32>):
    scop.stmt @S domain [8, 30] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x30xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x30xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x30xf32>
}

// -----

func.func @vector_elsewhere(%x: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %e = tensor.empty() : tensor<8x30xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 0 of its schedule has vectors, but is not mapped to thread_x}}
  %y = scop.kernel ins(%x : tensor<8x30xf32>) outs(%e : tensor<8x30xf32>)
      schedule <[linear band 0 coincident vector 2, linear band 0 coincident],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x30xf32> {
  ^bb0(%X: memref<8x30xf32>, %Y: memref<8x30xf32>):
    scop.stmt @S domain [8, 30] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x30xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x30xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x30xf32>
}

// -----

func.func @not_last_outer(%x: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %e = tensor.empty() : tensor<8x30xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 0 of its schedule is mapped to thread_x, but is not the last outer loop}}
  %y = scop.kernel ins(%x : tensor<8x30xf32>) outs(%e : tensor<8x30xf32>)
      schedule <[linear band 0 coincident map thread_x, linear band 0 coincident],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x30xf32> {
  ^bb0(%X: memref<8x30xf32>, %Y: memref<8x30xf32>):
    scop.stmt @S domain [8, 30] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x30xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x30xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x30xf32>
}

// -----

func.func @tile_of_one(%x: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %e = tensor.empty() : tensor<8x30xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 1 of its schedule is mapped to thread_y, but is the last outer loop}}
  %y = scop.kernel ins(%x : tensor<8x30xf32>) outs(%e : tensor<8x30xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_y],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x30xf32> {
  ^bb0(%X: memref<8x30xf32>, %Y: memref<8x30xf32>):
    scop.stmt @S domain [8, 30] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x30xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x30xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x30xf32>
}

// -----

func.func @not_last_inner(%x: tensor<8x30x4xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 1 of its schedule is mapped to thread_x, but is not the last inner loop}}
  %y = scop.kernel ins(%x : tensor<8x30x4xf32>) outs(%start : tensor<8xf32>)
      schedule <[linear band 0 coincident, linear band 0 reduction map thread_x, linear band 0 reduction],
                @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<8xf32> {
  ^bb0(%X: memref<8x30x4xf32>, %Y: memref<8xf32>):
    scop.stmt @S domain [8, 30, 4]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x30x4xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

func.func @two_fastest(%x: tensor<8x30x4xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 2 of its schedule is mapped to thread_x, and so is 0}}
  %y = scop.kernel ins(%x : tensor<8x30x4xf32>) outs(%start : tensor<8xf32>)
      schedule <[linear band 0 coincident map thread_x, linear band 0 reduction, linear band 0 reduction map thread_x],
                @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<8xf32> {
  ^bb0(%X: memref<8x30x4xf32>, %Y: memref<8xf32>):
    scop.stmt @S domain [8, 30, 4]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x30x4xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

func.func @inner_block(%x: tensor<8x30x4xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 1 of its schedule is mapped to block, but is an inner loop}}
  %y = scop.kernel ins(%x : tensor<8x30x4xf32>) outs(%start : tensor<8xf32>)
      schedule <[linear band 0 coincident, linear band 0 reduction map block, linear band 0 reduction],
                @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<8xf32> {
  ^bb0(%X: memref<8x30x4xf32>, %Y: memref<8xf32>):
    scop.stmt @S domain [8, 30, 4]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x30x4xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

// Threads split all inner loops: each element would be what came last.
func.func @shared_order(%x: tensor<6x7xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 0 of its schedule is split together with another loop, but is not parallel}}
  %y = scop.kernel ins(%x : tensor<6x7xf32>) outs(%e : tensor<6xf32>)
      schedule <[linear band 0, linear band 0 coincident map thread_x], @S = (d0, d1) -> (d1, d0)>
      -> tensor<6xf32> {
  ^bb0(%X: memref<6x7xf32>, %Y: memref<6xf32>):
    scop.stmt @S domain [6, 7] reads(%X[(d0, d1) -> (d0, d1)] : memref<6x7xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<6xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<6xf32>
}

// -----

func.func @not_parallel(%x: tensor<8x30x4xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 2 of its schedule is marked, but is not parallel}}
  %y = scop.kernel ins(%x : tensor<8x30x4xf32>) outs(%start : tensor<8xf32>)
      schedule <[linear band 0 coincident, linear band 0 reduction, linear band 0 map thread_y],
                @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<8xf32> {
  ^bb0(%X: memref<8x30x4xf32>, %Y: memref<8xf32>):
    scop.stmt @S domain [8, 30, 4]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x30x4xf32>, %Y[(d0, d1, d2) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1, d2) -> (d0)] : memref<8xf32>) reductions [1, 2] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

func.func @two_tiles(%x: tensor<8x6x4xf32>) -> tensor<8x6x4xf32> {
  %e = tensor.empty() : tensor<8x6x4xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 1 of its schedule is mapped to thread_y, and so is 0}}
  %y = scop.kernel ins(%x : tensor<8x6x4xf32>) outs(%e : tensor<8x6x4xf32>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_y, linear band 0 coincident],
                @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<8x6x4xf32> {
  ^bb0(%X: memref<8x6x4xf32>, %Y: memref<8x6x4xf32>):
    scop.stmt @S domain [8, 6, 4] reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x6x4xf32>)
        writes(%Y[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x6x4xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<8x6x4xf32>
}

// -----

func.func @tile_and_inner(%x: tensor<8x6x4xf32>, %start: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{cannot be compiled for a GPU: dimension 0 of its schedule is an outer loop that is mapped to thread_y, but there are inner loops}}
  %y = scop.kernel ins(%x : tensor<8x6x4xf32>) outs(%start : tensor<8x6xf32>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident, linear band 0 reduction],
                @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<8x6xf32> {
  ^bb0(%X: memref<8x6x4xf32>, %Y: memref<8x6xf32>):
    scop.stmt @S domain [8, 6, 4]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<8x6x4xf32>, %Y[(d0, d1, d2) -> (d0, d1)] : memref<8x6xf32>)
        writes(%Y[(d0, d1, d2) -> (d0, d1)] : memref<8x6xf32>) reductions [2] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8x6xf32>
}

// -----

func.func @disagree(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %y:2 = scop.kernel ins(%x : tensor<4x8xf32>) outs(%e, %f : tensor<4xf32>, tensor<4x8xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction map thread_x, linear band 3],
                @F = (d0) -> (d0, 0, 0, 0), @R = (d0, d1) -> (d0, 1, d1, 0), @S = (d0, d1) -> (d0, 2, 0, d1)>
      -> tensor<4xf32>, tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>, %Z: memref<4x8xf32>):
    scop.stmt @F domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @R domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: dimensions 2 and 3 of its schedule are one loop, but are marked differently}}
    scop.stmt @S domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32, %s: f32):
      %r = arith.divf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4x8xf32>
}

// -----

// A sum that keeps its order, in a loop that threads would share for the other
// phase's sake.

func.func @ordered(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %y:2 = scop.kernel ins(%x : tensor<4x8xf32>) outs(%e, %f : tensor<4xf32>, tensor<4x8xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 coincident map thread_x],
                @F = (d0) -> (d0, 0, 0), @S = (d0, d1) -> (d0, 1, d1), @R = (d0, d1) -> (d0, 2, d1)>
      -> tensor<4xf32>, tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>, %Z: memref<4x8xf32>):
    scop.stmt @F domain [4] writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: threads would write the same elements}}
    scop.stmt @S domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
    scop.stmt @R domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4x8xf32>
}

// -----

// The second half would have to read what the first half wrote.

func.func @reversed(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = scop.kernel outs(%x : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0], @S = (d0, d1) -> (d0, d1)> -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>):
    // expected-error @+1 {{cannot be compiled for a GPU: it reads elements that another thread computes}}
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, -d1 + 7)] : memref<4x8xf32>)
        writes(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<4x8xf32>
}

// -----

// More than a thread can keep: 2048 elements, of a row.

func.func @too_much(%x: tensor<8x2048xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x2048xf32>) {
  %f = tensor.empty() : tensor<8x2048xf32>
  %y:2 = scop.kernel ins(%x : tensor<8x2048xf32>) outs(%z, %f : tensor<8xf32>, tensor<8x2048xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction, sequence band 3],
                @E = (d0, d1) -> (d0, 0, d1, 0), @R = (d0, d1) -> (d0, 0, d1, 1), @S = (d0, d1) -> (d0, 1, d1, 0)>
      -> tensor<8xf32>, tensor<8x2048xf32> {
  ^bb0(%X: memref<8x2048xf32>, %Y: memref<8xf32>, %Z: memref<8x2048xf32>):
    %t = scop.local : memref<8x2048xf32>
    // expected-error @+1 {{cannot be compiled for a GPU: threads would keep more than 4096 bytes for later phases}}
    scop.stmt @E domain [8, 2048] reads(%X[(d0, d1) -> (d0, d1)] : memref<8x2048xf32>)
        writes(%t[(d0, d1) -> (d0, d1)] : memref<8x2048xf32>) {
    ^bb0(%a: f32):
      %r = math.exp %a : f32
      scop.yield %r : f32
    }
    scop.stmt @R domain [8, 2048]
        reads(%t[(d0, d1) -> (d0, d1)] : memref<8x2048xf32>, %Y[(d0, d1) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<8xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
    scop.stmt @S domain [8, 2048]
        reads(%t[(d0, d1) -> (d0, d1)] : memref<8x2048xf32>, %Y[(d0, d1) -> (d0)] : memref<8xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<8x2048xf32>) {
    ^bb0(%a: f32, %s: f32):
      %r = arith.divf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y#0, %y#1 : tensor<8xf32>, tensor<8x2048xf32>
}

// -----

func.func @part_of_a_tensor(%x: tensor<2x8xf32>) -> tensor<8xf32> {
  %p = tensor.extract_slice %x[1, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: operand 0 is a part of a tensor, but the result is not}}
  %y = scop.kernel outs(%p : tensor<8xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<8xf32> {
  ^bb0(%X: memref<8xf32>):
    scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%X[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%a: f32):
      %r = arith.negf %a : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

func.func @unwritten(%x: tensor<64xf32>, %a: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  // expected-error @+1 {{cannot be compiled for a GPU: no statement writes operand 2, an output}}
  %y:2 = scop.kernel ins(%x : tensor<64xf32>) outs(%a, %b : tensor<64xf32>, tensor<64xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<64xf32>, tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %A: memref<64xf32>, %B: memref<64xf32>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>, %B[(d0) -> (d0)] : memref<64xf32>)
        writes(%A[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%e: f32, %g: f32):
      %r = arith.addf %e, %g : f32
      scop.yield %r : f32
    }
  }
  return %y#0, %y#1 : tensor<64xf32>, tensor<64xf32>
}

// -----

func.func @scalar(%x: tensor<8xf32>) -> tensor<8xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: operand 1 is 'f32', not a tensor}}
  %y = scop.kernel ins(%x, %two : tensor<8xf32>, f32) outs(%e : tensor<8xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<8xf32> {
  ^bb0(%X: memref<8xf32>, %c: f32, %Y: memref<8xf32>):
    scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%a: f32):
      %r = arith.mulf %a, %c : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

// More points than 32 bits can number; their number has more than 64 bits.

func.func @many_points(%a: tensor<4294967296xf32>, %b: tensor<4294967296xf32>)
    -> (tensor<4294967296xf32>, tensor<4294967296xf32>) {
  // expected-error @+1 {{cannot be compiled for a GPU: it has more than 2^31 points}}
  %y:2 = scop.kernel outs(%a, %b : tensor<4294967296xf32>, tensor<4294967296xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0) -> (d0, 0), @R = (d0) -> (0, d0)>
      -> tensor<4294967296xf32>, tensor<4294967296xf32> {
  ^bb0(%A: memref<4294967296xf32>, %B: memref<4294967296xf32>):
    scop.stmt @S domain [4294967296] writes(%A[(d0) -> (d0)] : memref<4294967296xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @R domain [4294967296] writes(%B[(d0) -> (d0)] : memref<4294967296xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
  }
  return %y#0, %y#1 : tensor<4294967296xf32>, tensor<4294967296xf32>
}

// -----

func.func @many_inner_points(%start: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{cannot be compiled for a GPU: it has more than 2^31 points}}
  %y = scop.kernel outs(%start : tensor<8xf32>)
      schedule <[linear band 0 coincident, linear band 0 reduction map thread_x], @S = (d0, d1) -> (d0, d1)>
      -> tensor<8xf32> {
  ^bb0(%Y: memref<8xf32>):
    scop.stmt @S domain [8, 2147483648] reads(%Y[(d0, d1) -> (d0)] : memref<8xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<8xf32>) reductions [1] {
    ^bb0(%s: f32):
      %one = arith.constant 1.0 : f32
      %r = arith.addf %s, %one : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8xf32>
}

// -----

// R would run in an iteration of the loop that S has of its own.

func.func @without_iterating(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %y:2 = scop.kernel ins(%x : tensor<4x8xf32>) outs(%e, %f : tensor<4xf32>, tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 1], @S = (d0, d1) -> (d0, d1), @R = (d0) -> (d0, 0)>
      -> tensor<4xf32>, tensor<4x8xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>, %Z: memref<4x8xf32>):
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%Z[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: it stands in a loop of other statements without iterating}}
    scop.stmt @R domain [4] reads(%Z[(d0) -> (d0, 0)] : memref<4x8xf32>)
        writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4x8xf32>
}

// -----

func.func @parallel_sum(%x: tensor<4x8xf32>, %start: tensor<4xf32>) -> tensor<4xf32> {
  %y = scop.kernel ins(%x : tensor<4x8xf32>) outs(%start : tensor<4xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)> -> tensor<4xf32> {
  ^bb0(%X: memref<4x8xf32>, %Y: memref<4xf32>):
    // expected-error @+1 {{cannot be compiled for a GPU: it combines over a parallel loop}}
    scop.stmt @S domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>, %Y[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<4xf32>
}

// -----

// A sum for each j, within the loop over j.

func.func @inner_sums(%x: tensor<4x6x8xf32>, %start: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = scop.kernel ins(%x : tensor<4x6x8xf32>) outs(%start : tensor<4x6xf32>)
      schedule <[linear band 0 coincident, linear band 0, linear band 0 reduction],
                @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<4x6xf32> {
  ^bb0(%X: memref<4x6x8xf32>, %Y: memref<4x6xf32>):
    // expected-error @+1 {{cannot be compiled for a GPU: it combines over some of its own loops only}}
    scop.stmt @S domain [4, 6, 8]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<4x6x8xf32>, %Y[(d0, d1, d2) -> (d0, d1)] : memref<4x6xf32>)
        writes(%Y[(d0, d1, d2) -> (d0, d1)] : memref<4x6xf32>) reductions [2] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<4x6xf32>
}

// -----

// The sum of each i is the same for all of j, of which a thread has four.

func.func @sum_beside_vectors(%x: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = scop.kernel ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x8xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 4, sequence band 1, linear band 2],
                @F = (d0) -> (d0, 0, 0, 0), @R = (d0, d1) -> (d0, 0, 1, d1), @S = (d0, d1) -> (d0, d1, 2, 0)>
      -> tensor<4x8xf32> {
  ^bb0(%X: memref<4x6xf32>, %Y: memref<4x8xf32>):
    %t = scop.local : memref<4xf32>
    scop.stmt @F domain [4] writes(%t[(d0) -> (d0)] : memref<4xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: it does not iterate over the loop that has vectors}}
    scop.stmt @R domain [4, 6]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x6xf32>, %t[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%t[(d0, d1) -> (d0)] : memref<4xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
    scop.stmt @S domain [4, 8] reads(%t[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<4x8xf32>
}

// -----

// S sets one element again and again, T the others.

func.func @carried_and_others(%x: tensor<4x256xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = scop.kernel ins(%x : tensor<4x256xf32>) outs(%e : tensor<4xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2, sequence band 3],
                @F = (d0) -> (d0, 0, 0, 0), @S = (d0, d1) -> (d0, 1, d1, 0), @T = (d0, d1) -> (d0, 1, d1, 1),
                @U = (d0) -> (d0, 2, 0, 0)> -> tensor<4xf32> {
  ^bb0(%X: memref<4x256xf32>, %Y: memref<4xf32>):
    %t = scop.local : memref<4x257xf32>
    scop.stmt @F domain [4] writes(%t[(d0) -> (d0, 0)] : memref<4x257xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @S domain [4, 256] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x256xf32>)
        writes(%t[(d0, d1) -> (d0, 0)] : memref<4x257xf32>) {
    ^bb0(%a: f32):
      %r = arith.addf %a, %a : f32
      scop.yield %r : f32
    }
    // expected-error @+1 {{cannot be compiled for a GPU: it writes other elements of an array of which each round of its loop changes some}}
    scop.stmt @T domain [4, 256] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x256xf32>)
        writes(%t[(d0, d1) -> (d0, d1 + 1)] : memref<4x257xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @U domain [4] reads(%X[(d0) -> (d0, 0)] : memref<4x256xf32>) writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<4xf32>
}

// -----

func.func @returned_twice(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scop.launch -> tensor<8xf32>, tensor<8xf32> {
    %y = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
        schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%a: f32):
        scop.yield %a : f32
      }
    }
    scop.yield %y, %y : tensor<8xf32>, tensor<8xf32>
  }
  // expected-error @+1 {{cannot be compiled: result 1 is returned twice}}
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @too_many_blocks(%x: tensor<8192xf32>) -> tensor<8192xf32> {
  %e = tensor.empty() : tensor<2000000000x8192xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: a launch has 4000000000 blocks, of at most 2^31 - 1}}
  %r:2 = scop.launch -> tensor<2000000000x8192xf32>, tensor<2000000000x8192xf32> {
    %a = scop.kernel ins(%x : tensor<8192xf32>) outs(%e : tensor<2000000000x8192xf32>)
        schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction map thread_x vector 4],
                  @F = (d0) -> (d0, 0, 0), @S = (d0, d1) -> (d0, 1, d1), @Q = (d0, d1) -> (d0, 2, d1)> -> tensor<2000000000x8192xf32> {
    ^bb0(%X: memref<8192xf32>, %Y: memref<2000000000x8192xf32>):
      %t = scop.local : memref<2000000000xf32>
      scop.stmt @F domain [2000000000] writes(%t[(d0) -> (d0)] : memref<2000000000xf32>) {
        %zero = arith.constant 0.0 : f32
        scop.yield %zero : f32
      }
      scop.stmt @S domain [2000000000, 8192]
          reads(%X[(d0, d1) -> (d1)] : memref<8192xf32>, %t[(d0, d1) -> (d0)] : memref<2000000000xf32>)
          writes(%t[(d0, d1) -> (d0)] : memref<2000000000xf32>) reductions [1] {
      ^bb0(%v: f32, %s: f32):
        %r = arith.addf %s, %v : f32
        scop.yield %r : f32
      }
      scop.stmt @Q domain [2000000000, 8192]
          reads(%X[(d0, d1) -> (d1)] : memref<8192xf32>, %t[(d0, d1) -> (d0)] : memref<2000000000xf32>)
          writes(%Y[(d0, d1) -> (d0, d1)] : memref<2000000000x8192xf32>) {
      ^bb0(%v: f32, %s: f32):
        %r = arith.divf %v, %s : f32
        scop.yield %r : f32
      }
    }
    %b = scop.kernel ins(%x : tensor<8192xf32>) outs(%e : tensor<2000000000x8192xf32>)
        schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction map thread_x vector 4],
                  @F = (d0) -> (d0, 0, 0), @S = (d0, d1) -> (d0, 1, d1), @Q = (d0, d1) -> (d0, 2, d1)> -> tensor<2000000000x8192xf32> {
    ^bb0(%X: memref<8192xf32>, %Y: memref<2000000000x8192xf32>):
      %t = scop.local : memref<2000000000xf32>
      scop.stmt @F domain [2000000000] writes(%t[(d0) -> (d0)] : memref<2000000000xf32>) {
        %zero = arith.constant 0.0 : f32
        scop.yield %zero : f32
      }
      scop.stmt @S domain [2000000000, 8192]
          reads(%X[(d0, d1) -> (d1)] : memref<8192xf32>, %t[(d0, d1) -> (d0)] : memref<2000000000xf32>)
          writes(%t[(d0, d1) -> (d0)] : memref<2000000000xf32>) reductions [1] {
      ^bb0(%v: f32, %s: f32):
        %r = arith.addf %s, %v : f32
        scop.yield %r : f32
      }
      scop.stmt @Q domain [2000000000, 8192]
          reads(%X[(d0, d1) -> (d1)] : memref<8192xf32>, %t[(d0, d1) -> (d0)] : memref<2000000000xf32>)
          writes(%Y[(d0, d1) -> (d0, d1)] : memref<2000000000x8192xf32>) {
      ^bb0(%v: f32, %s: f32):
        %r = arith.divf %v, %s : f32
        scop.yield %r : f32
      }
    }
    scop.yield %a, %b : tensor<2000000000x8192xf32>, tensor<2000000000x8192xf32>
  }
  %small = tensor.empty() : tensor<8192xf32>
  %y = scop.kernel ins(%x : tensor<8192xf32>) outs(%small : tensor<8192xf32>)
      schedule <[linear band 0 coincident], @C = (d0) -> (d0)> -> tensor<8192xf32> {
  ^bb0(%X: memref<8192xf32>, %Y: memref<8192xf32>):
    scop.stmt @C domain [8192] reads(%X[(d0) -> (d0)] : memref<8192xf32>)
        writes(%Y[(d0) -> (d0)] : memref<8192xf32>) {
    ^bb0(%v: f32):
      scop.yield %v : f32
    }
  }
  return %y : tensor<8192xf32>
}

// -----

// A function without kernels of ours is refused by name, too.

func.func @loop(%x: tensor<8xf32>, %n: tensor<8xf32>) -> tensor<8xf32> {
  %begin = arith.constant 0 : index
  %step = arith.constant 1 : index
  %end = arith.constant 8 : index
  // expected-error @+2 {{cannot be compiled: there is no kernel for 'scf.for'}}
  // expected-note @+1 {{functions hold ops of linalg on tensors of static extents, tgemm.matmul, scop.kernel, tsync.chain, other ops with TileKernelOpInterface, and ops that pad}}
  %y = scf.for %i = %begin to %end step %step iter_args(%a = %x) -> tensor<8xf32> {
    scf.yield %n : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Rows of 64 vectors: four rows at once, and up to eight points for a thread.

func.func @large_tiles(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error @+1 {{cannot be compiled for a GPU: its tiles have more points than a block of 256 threads computes}}
  %y = scop.kernel ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>)
      schedule <[linear band 0 coincident map block, linear band 0 coincident map thread_x], @S = (d0, d1) -> (d0, d1)>
      tiles [64, 64] -> tensor<64x64xf32> {
  ^bb0(%X: memref<64x64xf32>, %Y: memref<64x64xf32>):
    scop.stmt @S domain [64, 64] reads(%X[(d0, d1) -> (d0, d1)] : memref<64x64xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x64xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<64x64xf32>
}
