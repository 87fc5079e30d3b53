// RUN: grout-opt %s --split-input-file --verify-diagnostics \
// RUN:   --grout-pipeline='target=cpu reference=false'

// The copy that two results of one value need is nothing that the user wrote.

// expected-error @+1 {{element type 'complex<f32>' is not supported}}
func.func @complex(%x: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
  return %x, %x : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
}
