// RUN: grout-opt %s --split-input-file --scop-assign-cpu-tiling="processors=2 min-points=1024" | FileCheck %s
// RUN: not grout-opt %s --split-input-file --scop-assign-cpu-tiling="min-points=0" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: error: processors and min-points must be at least 1

// One loop: 100,000 points are 8 tiles of 12,512, a multiple of a cache line.

// CHECK-LABEL: @elementwise
// CHECK: tiles [12512]
func.func @elementwise(%x: tensor<100000xf32>) -> tensor<100000xf32> {
  %e = tensor.empty() : tensor<100000xf32>
  %y = scop.kernel ins(%x : tensor<100000xf32>) outs(%e : tensor<100000xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<100000xf32> {
  ^bb0(%X: memref<100000xf32>, %Y: memref<100000xf32>):
    scop.stmt @S domain [100000] reads(%X[(d0) -> (d0)] : memref<100000xf32>)
        writes(%Y[(d0) -> (d0)] : memref<100000xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<100000xf32>
}

// -----

// Rows of 64 points, twice: eight of them are a tile.

// CHECK-LABEL: @rows
// CHECK: tiles [8]
func.func @rows(%x: tensor<40x64xf32>) -> tensor<40x64xf32> {
  %e = tensor.empty() : tensor<40x64xf32>
  %y = scop.kernel ins(%x : tensor<40x64xf32>) outs(%e : tensor<40x64xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2],
                @S = (d0, d1) -> (d0, 0, d1), @T = (d0, d1) -> (d0, 1, d1)> -> tensor<40x64xf32> {
  ^bb0(%X: memref<40x64xf32>, %Y: memref<40x64xf32>):
    %s = scop.local : memref<40xf32>
    scop.stmt @S domain [40, 64] reads(%X[(d0, d1) -> (d0, d1)] : memref<40x64xf32>)
        writes(%s[(d0, d1) -> (d0)] : memref<40xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @T domain [40, 64] reads(%s[(d0, d1) -> (d0)] : memref<40xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<40x64xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<40x64xf32>
}

// -----

// Both loops of a transpose are contiguous in an array: tiles are blocks.

// CHECK-LABEL: @transpose
// CHECK: tiles [80, 320]
func.func @transpose(%x: tensor<320x640xf32>) -> tensor<640x320xf32> {
  %e = tensor.empty() : tensor<640x320xf32>
  %y = scop.kernel ins(%x : tensor<320x640xf32>) outs(%e : tensor<640x320xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)> -> tensor<640x320xf32> {
  ^bb0(%X: memref<320x640xf32>, %Y: memref<640x320xf32>):
    scop.stmt @S domain [640, 320] reads(%X[(d0, d1) -> (d1, d0)] : memref<320x640xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<640x320xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<640x320xf32>
}

// -----

// Nothing is parallel: one tile.

// CHECK-LABEL: @scan
// CHECK: tiles []
func.func @scan(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = scop.kernel outs(%x : tensor<64xf32>) schedule <[linear band 0], @S = (d0) -> (d0)> -> tensor<64xf32> {
  ^bb0(%Y: memref<64xf32>):
    scop.stmt @S domain [64] reads(%Y[(d0) -> (0)] : memref<64xf32>, %Y[(d0) -> (d0)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %y : tensor<64xf32>
}

// -----

// Tiles that are there are kept; without a schedule there are none.

// CHECK-LABEL: @kept
// CHECK: tiles [16]
// CHECK-NOT: tiles
func.func @kept(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %y = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> tiles [16] -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  %z = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y, %z : tensor<64xf32>, tensor<64xf32>
}

// -----

// Statements with different outer loops have no tiles.

// CHECK-LABEL: @different
// CHECK-NOT: tiles
// CHECK: return
func.func @different(%x: tensor<64xf32>, %z: tensor<32xf32>) -> (tensor<64xf32>, tensor<32xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %f = tensor.empty() : tensor<32xf32>
  %y, %w = scop.kernel ins(%x, %z : tensor<64xf32>, tensor<32xf32>) outs(%e, %f : tensor<64xf32>, tensor<32xf32>)
      schedule <[linear band 0 coincident, sequence band 1], @S = (d0) -> (d0, 0), @T = (d0) -> (d0, 1)>
      -> tensor<64xf32>, tensor<32xf32> {
  ^bb0(%X: memref<64xf32>, %Z: memref<32xf32>, %Y: memref<64xf32>, %W: memref<32xf32>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @T domain [32] reads(%Z[(d0) -> (d0)] : memref<32xf32>)
        writes(%W[(d0) -> (d0)] : memref<32xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y, %w : tensor<64xf32>, tensor<32xf32>
}

// -----

// Statements that share no loop: the extents of all loops number far more
// points than there are.

// CHECK-LABEL: @apart
// CHECK: scop.kernel
// CHECK-SAME: schedule
func.func @apart(%a: tensor<4294967296xf32>, %b: tensor<4294967296xf32>)
    -> (tensor<4294967296xf32>, tensor<4294967296xf32>) {
  %y:2 = scop.kernel outs(%a, %b : tensor<4294967296xf32>, tensor<4294967296xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0) -> (d0, 0), @R = (d0) -> (0, d0)>
      -> tensor<4294967296xf32>, tensor<4294967296xf32> {
  ^bb0(%A: memref<4294967296xf32>, %B: memref<4294967296xf32>):
    scop.stmt @S domain [4294967296] writes(%A[(d0) -> (d0)] : memref<4294967296xf32>) {
      %zero = arith.constant 65504.0 : f32
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

// Nor do sizes of tiles multiply beyond all numbers: eleven rows of 64.

// CHECK-LABEL: @many_rows
// CHECK: scop.kernel
func.func @many_rows(%a0: tensor<4096xf32>, %a1: tensor<4096xf32>, %a2: tensor<4096xf32>, %a3: tensor<4096xf32>, %a4: tensor<4096xf32>, %a5: tensor<4096xf32>, %a6: tensor<4096xf32>, %a7: tensor<4096xf32>, %a8: tensor<4096xf32>, %a9: tensor<4096xf32>, %a10: tensor<4096xf32>)
    -> (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) {
  %y:11 = scop.kernel outs(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10 : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident, linear band 0 coincident, linear band 0 coincident, linear band 0 coincident, linear band 0 coincident, linear band 0 coincident, linear band 0 coincident, linear band 0 coincident, linear band 0 coincident, linear band 0 coincident], @S0 = (d0) -> (d0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), @S1 = (d0) -> (0, d0, 0, 0, 0, 0, 0, 0, 0, 0, 0), @S2 = (d0) -> (0, 0, d0, 0, 0, 0, 0, 0, 0, 0, 0), @S3 = (d0) -> (0, 0, 0, d0, 0, 0, 0, 0, 0, 0, 0), @S4 = (d0) -> (0, 0, 0, 0, d0, 0, 0, 0, 0, 0, 0), @S5 = (d0) -> (0, 0, 0, 0, 0, d0, 0, 0, 0, 0, 0), @S6 = (d0) -> (0, 0, 0, 0, 0, 0, d0, 0, 0, 0, 0), @S7 = (d0) -> (0, 0, 0, 0, 0, 0, 0, d0, 0, 0, 0), @S8 = (d0) -> (0, 0, 0, 0, 0, 0, 0, 0, d0, 0, 0), @S9 = (d0) -> (0, 0, 0, 0, 0, 0, 0, 0, 0, d0, 0), @S10 = (d0) -> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, d0)>
      -> tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32> {
  ^bb0(%A0: memref<4096xf32>, %A1: memref<4096xf32>, %A2: memref<4096xf32>, %A3: memref<4096xf32>, %A4: memref<4096xf32>, %A5: memref<4096xf32>, %A6: memref<4096xf32>, %A7: memref<4096xf32>, %A8: memref<4096xf32>, %A9: memref<4096xf32>, %A10: memref<4096xf32>):
    scop.stmt @S0 domain [4096] writes(%A0[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S1 domain [4096] writes(%A1[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S2 domain [4096] writes(%A2[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S3 domain [4096] writes(%A3[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S4 domain [4096] writes(%A4[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S5 domain [4096] writes(%A5[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S6 domain [4096] writes(%A6[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S7 domain [4096] writes(%A7[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S8 domain [4096] writes(%A8[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S9 domain [4096] writes(%A9[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
    scop.stmt @S10 domain [4096] writes(%A10[(d0) -> (d0)] : memref<4096xf32>) {
      %one = arith.constant 1.0 : f32
      scop.yield %one : f32
    }
  }
  return %y#0, %y#1, %y#2, %y#3, %y#4, %y#5, %y#6, %y#7, %y#8, %y#9, %y#10 : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>
}
