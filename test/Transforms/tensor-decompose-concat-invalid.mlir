// RUN: grout-opt %s --tensor-decompose-concat -verify-diagnostics

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'tensor.concat' op must have a static result type}}
  %z = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}
