// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels --split-input-file --verify-diagnostics

func.func @part(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{cannot be compiled for the CPU: no statement writes all elements of operand 0, an output}}
  %y = scop.kernel outs(%x : tensor<64xf32>) schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<64xf32> {
  ^bb0(%Y: memref<64xf32>):
    scop.stmt @S domain [63] writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
      %c = arith.constant 1.0 : f32
      scop.yield %c : f32
    }
  }
  return %y : tensor<64xf32>
}

// -----

// What it starts as is nowhere.
func.func @undefined(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-note @+1 {{the tensor is made by 'tensor.empty'}}
  %e = tensor.empty() : tensor<64xf32>
  // expected-error @+1 {{cannot be compiled: it reads a tensor that is not a strided part of a buffer}}
  %y = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>, %Y[(d0) -> (d0)] : memref<64xf32>)
        writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scop.yield %c : f32
    }
  }
  return %y : tensor<64xf32>
}
