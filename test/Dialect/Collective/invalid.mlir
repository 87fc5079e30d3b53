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
