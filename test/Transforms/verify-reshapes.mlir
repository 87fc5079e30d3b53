// RUN: grout-opt %s --split-input-file --verify-reshapes --verify-diagnostics

// Upstream's verifier takes 2^32 for 0.
func.func @collapse(%x: tensor<8x16x7xf32>) -> tensor<8x112xf32> {
  // expected-error @+1 {{has a reassociation with dimension 4294967296, which 'tensor<8x16x7xf32>' does not have}}
  %0 = tensor.collapse_shape %x [[4294967296], [1, 2]] : tensor<8x16x7xf32> into tensor<8x112xf32>
  return %0 : tensor<8x112xf32>
}

// -----

func.func @expand(%x: tensor<8x112xf32>) -> tensor<8x16x7xf32> {
  // expected-error @+1 {{has a reassociation with dimension -4294967295, which 'tensor<8x16x7xf32>' does not have}}
  %0 = tensor.expand_shape %x [[0], [-4294967295, 2]] output_shape [8, 16, 7] : tensor<8x112xf32> into tensor<8x16x7xf32>
  return %0 : tensor<8x16x7xf32>
}

// -----

func.func @right(%x: tensor<8x112xf32>) -> tensor<8x16x7xf32> {
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 16, 7] : tensor<8x112xf32> into tensor<8x16x7xf32>
  return %0 : tensor<8x16x7xf32>
}
