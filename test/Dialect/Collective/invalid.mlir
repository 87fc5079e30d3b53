// RUN: grout-opt %s -split-input-file -verify-diagnostics

func.func @ranks(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'ranks' failed to satisfy constraint}}
  %0 = collective.all_reduce %x ranks 9 : tensor<4xf32>
  return
}

// -----

func.func @none(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'ranks' failed to satisfy constraint}}
  %0 = collective.all_reduce %x ranks 0 : tensor<4xf32>
  return
}

// -----

func.func @elements(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of}}
  %0 = collective.all_reduce %x ranks 2 : tensor<4xi32>
  return
}

// -----

func.func @extents(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of}}
  %0 = collective.all_reduce %x ranks 2 : tensor<?xf32>
  return
}

// -----

func.func @no_dim(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{has no dimension 2 of 'tensor<4x4xf32>' to cut}}
  %0 = collective.reduce_scatter %x ranks 2 dim 2 : tensor<4x4xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @scalar(%x: tensor<f32>) {
  // expected-error @+1 {{has no dimension 0 of 'tensor<f32>' to cut}}
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'dim' failed to satisfy constraint}}
  %0 = collective.reduce_scatter %x ranks 2 dim -1 : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @indivisible(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{has 4 ranks, which do not divide dimension 1 of 'tensor<4x6xf32>'}}
  %0 = collective.reduce_scatter %x ranks 4 dim 1 : tensor<4x6xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @part(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{cuts 'tensor<4x6xf32>' into parts of type 'tensor<4x3xf32>', not 'tensor<2x6xf32>'}}
  %0 = collective.reduce_scatter %x ranks 2 dim 1 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

func.func @part_of_another_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{cuts 'tensor<4x1xf32>' into parts of type 'tensor<2x1xf32>', not 'tensor<4xf32>'}}
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<4xf32> -> tensor<4x1xf32>
  return
}

// -----

func.func @another_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{cuts 'tensor<8xf16>' into parts of type 'tensor<4xf16>', not 'tensor<4xf32>'}}
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<4xf32> -> tensor<8xf16>
  return
}

// -----

func.func @sum_of_integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of}}
  %0 = collective.reduce_scatter %x ranks 2 dim 0 : tensor<4xi32> -> tensor<2xi32>
  return
}

// -----

func.func @not_whole_bytes(%x: tensor<4xi4>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of}}
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<4xi4> -> tensor<8xi4>
  return
}

// -----

func.func @ranks_of_parts(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'ranks' failed to satisfy constraint}}
  %0 = collective.all_gather %x ranks 9 dim 0 : tensor<4xf32> -> tensor<36xf32>
  return
}

// -----

func.func @empty_sum(%x: tensor<0x4xf32>) {
  // expected-error @+1 {{exchanges tensors without elements}}
  %0 = collective.all_reduce %x ranks 2 : tensor<0x4xf32>
  return
}

// -----

func.func @empty_parts(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{exchanges tensors without elements}}
  %0 = collective.all_gather %x ranks 2 dim 0 : tensor<4x0xf32> -> tensor<8x0xf32>
  return
}

// -----

func.func @split(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{has 4 ranks, which do not divide dimension 1 of 'tensor<4x6xf32>'}}
  %0 = collective.all_to_all %x ranks 4 split_dim 1 concat_dim 0 : tensor<4x6xf32> -> tensor<16x1xf32>
  return
}

// -----

func.func @no_concat(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{has no dimension 2 of 'tensor<4x6xf32>' to concatenate}}
  %0 = collective.all_to_all %x ranks 2 split_dim 1 concat_dim 2 : tensor<4x6xf32> -> tensor<8x3xf32>
  return
}

// -----

func.func @made(%x: tensor<4x6xf32>) {
  // expected-error @+1 {{makes 'tensor<8x3xf32>' of 'tensor<4x6xf32>', not 'tensor<4x6xf32>'}}
  %0 = collective.all_to_all %x ranks 2 split_dim 1 concat_dim 0 : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}
