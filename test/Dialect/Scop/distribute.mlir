// RUN: grout-opt %s --scop-distribute --scop-verify-schedule -split-input-file -verify-diagnostics | FileCheck %s

// T is used by both groups, and becomes a tensor; U stays in its group. Y is
// written by both. A loop that only R kept from being parallel is parallel in
// the first kernel. Scalars go where they are used.

// CHECK-LABEL: func @groups(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[F:.*]]: f32, %[[Y:.*]]: tensor<8xf32>)
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK: %[[FIRST:.*]]:2 = scop.kernel ins(%[[X]], %[[F]] : tensor<4x8xf32>, f32)
// CHECK-SAME: outs(%[[Y]], %[[EMPTY]] : tensor<8xf32>, tensor<4x8xf32>)
// CHECK-SAME: schedule <[linear band 0 coincident map thread_x vector 4 of [@S], linear band 1 coincident, sequence band 2],
// CHECK-SAME: @S = (d0, d1) -> (d1, d0, 0), @V = (d0, d1) -> (d1, d0, 1), @Z = (d0) -> (d0, 0, 2)>
// CHECK: scop.local
// CHECK-NOT: scop.local
// CHECK: scop.stmt @S
// CHECK: scop.stmt @V
// CHECK: scop.stmt @Z
// CHECK: %[[SECOND:.*]] = scop.kernel ins(%[[FIRST]]#1 : tensor<4x8xf32>) outs(%[[FIRST]]#0 : tensor<8xf32>)
// CHECK-SAME: schedule <[linear band 0 coincident map thread_x, linear band 1 reduction], @R = (d0, d1) -> (d1, d0)>
// CHECK-NOT: scop.local
// CHECK: scop.stmt @R
// CHECK: return %[[SECOND]]
func.func @groups(%x: tensor<4x8xf32>, %f: f32, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = scop.kernel ins(%x, %f : tensor<4x8xf32>, f32) outs(%y : tensor<8xf32>)
      schedule <[sequence band 0, linear band 1 coincident map thread_x vector 4 of [@S],
                 linear band 3 reduction, sequence band 4],
                @S = (d0, d1) -> (0, d1, d0, 0), @V = (d0, d1) -> (0, d1, d0, 1), @Z = (d0) -> (0, d0, 0, 2),
                @R = (d0, d1) -> (2, d1, d0, 0)> -> tensor<8xf32> {
  ^bb0(%X: memref<4x8xf32>, %G: f32, %Y: memref<8xf32>):
    %T = scop.local : memref<4x8xf32>
    %U = scop.local : memref<4x8xf32>
    scop.stmt @S domain [4, 8] reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%U[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      %0 = arith.mulf %a, %G : f32
      scop.yield %0 : f32
    }
    scop.stmt @V domain [4, 8] reads(%U[(d0, d1) -> (d0, d1)] : memref<4x8xf32>)
        writes(%T[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
    ^bb0(%a: f32):
      %0 = math.exp %a : f32
      scop.yield %0 : f32
    }
    scop.stmt @Z domain [8] writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @R domain [4, 8]
        reads(%T[(d0, d1) -> (d0, -d1 + 7)] : memref<4x8xf32>, %Y[(d0, d1) -> (d1)] : memref<8xf32>)
        writes(%Y[(d0, d1) -> (d1)] : memref<8xf32>) reductions [0] {
    ^bb0(%a: f32, %s: f32):
      %0 = arith.addf %a, %s : f32
      scop.yield %0 : f32
    }
  }
  return %r : tensor<8xf32>
}

// -----

// What starts and ends a sum of everything stays with it; the elements that
// nobody needs are not computed.

// CHECK-LABEL: func @sum(
// CHECK: %[[SUM:.*]] = scop.kernel ins(%{{.*}} : tensor<64xf32>) outs(%{{.*}} : tensor<f32>)
// CHECK-SAME: schedule <[sequence band 0, linear band 1 reduction], @Z = () -> (0, 0), @S = (d0) -> (1, d0), @M = () -> (2, 0)>
// CHECK: %[[ALL:.*]] = scop.kernel ins(%{{.*}}, %[[SUM]] : tensor<64xf32>, tensor<f32>)
// CHECK-SAME: schedule <[linear band 0 coincident], @Q = (d0) -> (d0)>
// CHECK-NOT: scop.stmt @D
// CHECK: return %[[ALL]]
func.func @sum(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %r = scop.kernel ins(%x : tensor<64xf32>) outs(%y : tensor<64xf32>)
      schedule <[sequence band 0, linear band 1 reduction],
                @D = (d0) -> (4, d0), @Z = () -> (0, 0), @S = (d0) -> (1, d0), @M = () -> (2, 0),
                @Q = (d0) -> (3, d0)> -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    %s = scop.local : memref<f32>
    %t = scop.local : memref<64xf32>
    scop.stmt @D domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>) writes(%t[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
    scop.stmt @Z domain [] writes(%s[() -> ()] : memref<f32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>, %s[(d0) -> ()] : memref<f32>)
        writes(%s[(d0) -> ()] : memref<f32>) reductions [0] {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      scop.yield %0 : f32
    }
    scop.stmt @M domain [] reads(%s[() -> ()] : memref<f32>) writes(%s[() -> ()] : memref<f32>) {
    ^bb0(%a: f32):
      %0 = math.sqrt %a : f32
      scop.yield %0 : f32
    }
    scop.stmt @Q domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>, %s[(d0) -> ()] : memref<f32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.divf %a, %b : f32
      scop.yield %0 : f32
    }
  }
  return %r : tensor<64xf32>
}

// -----

// A loop comes first, and a kernel on memrefs: both stay.

// CHECK-LABEL: func @one_kernel(
// CHECK-COUNT-2: scop.kernel
// CHECK-NOT: scop.kernel
// CHECK: return
func.func @one_kernel(%x: tensor<8xf32>, %y: tensor<8xf32>, %m: memref<8xf32>, %n: memref<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scop.kernel outs(%x, %y : tensor<8xf32>, tensor<8xf32>)
      schedule <[linear band 0 coincident, sequence band 1], @A = (d0) -> (d0, 0), @B = (d0) -> (d0, 1)>
      -> tensor<8xf32>, tensor<8xf32> {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    scop.stmt @A domain [8] writes(%X[(d0) -> (d0)] : memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @B domain [8] writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
  }
  scop.kernel outs(%m, %n : memref<8xf32>, memref<8xf32>)
      schedule <[sequence band 0, linear band 1 coincident], @A = (d0) -> (0, d0), @B = (d0) -> (1, d0)> {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    scop.stmt @A domain [8] writes(%X[(d0) -> (d0)] : memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @B domain [8] writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A schedule that is not legal would become another program.

func.func @reversed(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scop.kernel outs(%x, %y : tensor<8xf32>, tensor<8xf32>)
      schedule <[sequence band 0, linear band 1 coincident], @A = (d0) -> (1, d0), @B = (d0) -> (0, d0)>
      -> tensor<8xf32>, tensor<8xf32> {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    // expected-error @+1 {{schedule is not legal: dependence 'flow_A_B' from A[0] to B[0] is reversed}}
    scop.stmt @A domain [8] writes(%X[(d0) -> (d0)] : memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @B domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A row that is normalised by its sum is little enough for one block of a GPU.

module attributes {grout.target = #grout.target<"h200">} {

// CHECK-LABEL: func @row(
// CHECK: scop.kernel
// CHECK: scop.stmt @N
// CHECK-NOT: scop.kernel
func.func @row(%x: tensor<768xf32>) -> tensor<768xf32> {
  %e = tensor.empty() : tensor<768xf32>
  %r = scop.kernel ins(%x : tensor<768xf32>) outs(%e : tensor<768xf32>)
      schedule <[sequence band 0, linear band 1 reduction map thread_x vector 4],
                @Z = () -> (0, 0), @S = (d0) -> (1, d0), @N = (d0) -> (2, d0)> -> tensor<768xf32> {
  ^bb0(%X: memref<768xf32>, %Y: memref<768xf32>):
    %s = scop.local : memref<f32>
    scop.stmt @Z domain [] writes(%s[() -> ()] : memref<f32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @S domain [768] reads(%X[(d0) -> (d0)] : memref<768xf32>, %s[(d0) -> ()] : memref<f32>)
        writes(%s[(d0) -> ()] : memref<f32>) reductions [0] {
    ^bb0(%v: f32, %sum: f32):
      %next = arith.addf %sum, %v : f32
      scop.yield %next : f32
    }
    scop.stmt @N domain [768] reads(%X[(d0) -> (d0)] : memref<768xf32>, %s[(d0) -> ()] : memref<f32>)
        writes(%Y[(d0) -> (d0)] : memref<768xf32>) {
    ^bb0(%v: f32, %sum: f32):
      %q = arith.divf %v, %sum : f32
      scop.yield %q : f32
    }
  }
  return %r : tensor<768xf32>
}

// A longer one is not.

// CHECK-LABEL: func @long_row(
// CHECK: scop.kernel
// CHECK: scop.kernel
// CHECK: scop.stmt @N
func.func @long_row(%x: tensor<16384xf32>) -> tensor<16384xf32> {
  %e = tensor.empty() : tensor<16384xf32>
  %r = scop.kernel ins(%x : tensor<16384xf32>) outs(%e : tensor<16384xf32>)
      schedule <[sequence band 0, linear band 1 reduction map thread_x vector 4],
                @Z = () -> (0, 0), @S = (d0) -> (1, d0), @N = (d0) -> (2, d0)> -> tensor<16384xf32> {
  ^bb0(%X: memref<16384xf32>, %Y: memref<16384xf32>):
    %s = scop.local : memref<f32>
    scop.stmt @Z domain [] writes(%s[() -> ()] : memref<f32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @S domain [16384] reads(%X[(d0) -> (d0)] : memref<16384xf32>, %s[(d0) -> ()] : memref<f32>)
        writes(%s[(d0) -> ()] : memref<f32>) reductions [0] {
    ^bb0(%v: f32, %sum: f32):
      %next = arith.addf %sum, %v : f32
      scop.yield %next : f32
    }
    scop.stmt @N domain [16384] reads(%X[(d0) -> (d0)] : memref<16384xf32>, %s[(d0) -> ()] : memref<f32>)
        writes(%Y[(d0) -> (d0)] : memref<16384xf32>) {
    ^bb0(%v: f32, %sum: f32):
      %q = arith.divf %v, %sum : f32
      scop.yield %q : f32
    }
  }
  return %r : tensor<16384xf32>
}

}
