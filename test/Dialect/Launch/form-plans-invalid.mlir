// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans -split-input-file -verify-diagnostics

// Concatenations of what no kernel writes there.

func.func @arguments(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x16xf32> {
  // expected-error @+1 {{cannot be compiled: input 0 of this concatenation is not made by a tile kernel}}
  %c = tensor.concat dim(1) %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  return %c : tensor<4x16xf32>
}

// -----

func.func @returned(%x: tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x128xf16>) {
  %0:2 = tsync.chain mode(pdl) : tensor<64x64xf16>, tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %a, %b : tensor<64x64xf16>, tensor<64x64xf16>
  }
  // expected-error @+1 {{cannot be compiled: input 1 of this concatenation is a result of the function, or in another concatenation}}
  %c = tensor.concat dim(1) %0#0, %0#1 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x128xf16>
  return %0#1, %c : tensor<64x64xf16>, tensor<64x128xf16>
}

// -----

func.func @twice(%x: tensor<64x64xf16>) -> tensor<64x128xf16> {
  %0 = tsync.chain mode(pdl) : tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %a : tensor<64x64xf16>
  }
  // expected-error @+1 {{cannot be compiled: input 1 of this concatenation is a result of the function, or in another concatenation}}
  %c = tensor.concat dim(1) %0, %0 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x128xf16>
  return %c : tensor<64x128xf16>
}

// -----

func.func @dynamic(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(pdl) : tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %a : tensor<64x64xf16>
  }
  // expected-error @+1 {{cannot be compiled: this concatenation has a dynamic extent}}
  %c = tensor.concat dim(1) %0 : (tensor<64x64xf16>) -> tensor<64x?xf16>
  return %0 : tensor<64x64xf16>
}
