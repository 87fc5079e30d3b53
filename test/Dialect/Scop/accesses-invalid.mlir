// RUN: grout-opt %s --grout-set-target=name=h200 --scop-schedule -split-input-file -verify-diagnostics
// RUN: grout-opt %s --scop-verify-accesses -split-input-file -verify-diagnostics
// RUN: grout-opt %s --grout-pipeline=target=cpu -split-input-file -verify-diagnostics

func.func @outside(%x: memref<8xf32>, %y: memref<8xf32>) {
  scop.kernel ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    // expected-error @+1 {{read 0 at [7] is of element [8], which is outside of the array}}
    scop.stmt @S domain [8] reads(%X[(d0) -> (d0 + 1)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// -----

func.func @before(%y: memref<8xf32>) {
  scop.kernel outs(%y : memref<8xf32>) {
  ^bb0(%Y: memref<8xf32>):
    // expected-error @+1 {{write 0 at [0] is of element [-1], which is outside of the array}}
    scop.stmt @S domain [8] writes(%Y[(d0) -> (d0 - 1)] : memref<8xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

func.func @undefined(%y: memref<8xf32>) {
  scop.kernel outs(%y : memref<8xf32>) {
  ^bb0(%Y: memref<8xf32>):
    %t = scop.local : memref<8xf32>
    scop.stmt @W domain [7] writes(%t[(d0) -> (d0)] : memref<8xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
    // expected-error @+1 {{reads element [7] of a local at [7], which no statement has written by then}}
    scop.stmt @S domain [8] reads(%t[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}

// -----

func.func @division(%y: memref<8xf32>) {
  scop.kernel outs(%y : memref<8xf32>) {
  ^bb0(%Y: memref<8xf32>):
    // expected-error @+1 {{map of write 0: 'd0 floordiv 0' divides by less than 1}}
    scop.stmt @S domain [8] writes(%Y[(d0) -> (d0 floordiv 0)] : memref<8xf32>) {
      %0 = arith.constant 0.0 : f32
      scop.yield %0 : f32
    }
  }
  return
}

// -----

// Later passes leave out the index of the only element.
func.func @only_element(%x: memref<1xf32>, %y: memref<8xf32>) {
  scop.kernel ins(%x : memref<1xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%X: memref<1xf32>, %Y: memref<8xf32>):
    // expected-error @+1 {{read 0 at [7] is of element [5], which is outside of the array}}
    scop.stmt @S domain [8] reads(%X[(d0) -> (5)] : memref<1xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%e: f32):
      scop.yield %e : f32
    }
  }
  return
}
