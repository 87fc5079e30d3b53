// RUN: grout-opt %s -convert-linalg-to-tgemm -split-input-file -verify-diagnostics -o /dev/null

func.func @convolution(%x: tensor<1x8x8x4xf16>, %w: tensor<3x3x4x4xf16>) -> tensor<1x6x6x4xf32> {
  // The fill belongs to the convolution and has no remark of its own.
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  // expected-remark @+1 {{linalg.conv_2d_nhwc_hwcf is not converted: the target has no kernels for convolutions}}
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x4xf16>, tensor<3x3x4x4xf16>) outs(%init : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// -----

// What has a tile shape is a tile kernel already, and stays as it is.
func.func @tiled(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %init = arith.constant dense<0.0> : tensor<8x8xf32>
  // expected-remark @+1 {{linalg.matmul is not converted: it is a tile kernel already, by its grout.tile_sizes}}
  %0 = linalg.matmul {grout.tile_sizes = array<i64: 4, 4, 8>} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-remark @+1 {{linalg.exp is not converted: it is a tile kernel already, by its grout.tile_sizes}}
  %2 = linalg.exp {grout.tile_sizes = array<i64: 4, 4>} ins(%1 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

func.func @softmax(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-remark @+1 {{linalg.softmax is not converted: it is neither a contraction nor elementwise}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @lone_fill() -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-remark @+1 {{linalg.fill is not converted: there is no product that it could be the epilogue of}}
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @matvec(%a: tensor<8x16xf32>, %x: tensor<16xf32>) -> tensor<8xf32> {
  %init = arith.constant dense<0.0> : tensor<8xf32>
  // expected-remark @+1 {{linalg.matvec is not converted: its result has rank 1; 2, or 3 with a leading batch, is supported}}
  %0 = linalg.matvec ins(%a, %x : tensor<8x16xf32>, tensor<16xf32>) outs(%init : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @two_reductions(%a: tensor<4x8x16xf32>, %b: tensor<4x16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  // expected-remark @+1 {{linalg.batch_reduce_matmul is not converted: it reduces over 2 dimensions; 1 is supported}}
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

func.func @broadcast_lhs(%a: tensor<16xf32>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  // expected-remark @+1 {{linalg.matmul is not converted: input 0 is read by (d0, d1, d2) -> (d2), which is not rows or columns by the reduced dimension}}
  %0 = linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

func.func @empty(%a: tensor<8x0xf32>, %b: tensor<0x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  // expected-remark @+1 {{linalg.matmul is not converted: an extent of 0 leaves nothing to multiply}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x0xf32>, tensor<0x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

func.func @large(%a: tensor<4294967296x4294967296xf16>, %b: tensor<4294967296x64xf16>) -> tensor<4294967296x64xf16> {
  %e = tensor.empty() : tensor<4294967296x64xf16>
  // expected-error @+1 {{op cannot be compiled: it has a tensor of more than 2^63 bytes, 'tensor<4294967296x4294967296xf16>'}}
  %0 = linalg.matmul ins(%a, %b : tensor<4294967296x4294967296xf16>, tensor<4294967296x64xf16>) outs(%e : tensor<4294967296x64xf16>) -> tensor<4294967296x64xf16>
  return %0 : tensor<4294967296x64xf16>
}

// -----

func.func @mixed(%a: tensor<8x16xf16>, %b: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %init = arith.constant dense<0.0> : tensor<8x32xf32>
  // expected-remark @+1 {{linalg.matmul is not converted: it multiplies 'f16' by 'f32'; both must have one type}}
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf16>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

func.func @buffers(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  // expected-remark @+1 {{linalg.matmul is not converted: it works on 'memref<8x8xf32>'; tensors are supported}}
  linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  // expected-remark @+1 {{linalg.exp is not converted: it does not compute one tensor}}
  linalg.exp ins(%b : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  return
}

// -----

// Elementwise ops that cannot be part of an epilogue, each for a reason of its
// own, behind a product that becomes one.
#element = affine_map<(i, j) -> (i, j)>
func.func @elementwise(%a: tensor<8x8xf32>, %s: f32, %i: tensor<8x8xi8>, %rows: tensor<2x8xf32>, %d: tensor<64xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %init = arith.constant dense<0.0> : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>

  %p0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+1 {{its body uses a scalar that is not a constant}}
  %0 = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.mulf %x, %s : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>

  %p1 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+1 {{its scalar operand 1 is not a constant}}
  %1 = linalg.generic {indexing_maps = [#element, affine_map<(i, j) -> ()>, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p1, %s : tensor<8x8xf32>, f32) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %y = arith.mulf %x, %t : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>

  %p2 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+1 {{its body has linalg.index, which is not a pure op of arith or math}}
  %2 = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p2 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %row = linalg.index 0 : index
    %n = arith.index_cast %row : index to i32
    %f = arith.sitofp %n : i32 to f32
    %y = arith.mulf %x, %f : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>

  %p3 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+1 {{its operands or its result cannot be part of an epilogue}}
  %3 = linalg.generic {indexing_maps = [#element, #element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p3, %i : tensor<8x8xf32>, tensor<8x8xi8>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %n: i8, %out: f32):
    %f = arith.sitofp %n : i8 to f32
    %y = arith.mulf %x, %f : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>

  %p4 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+1 {{its operands or its result cannot be part of an epilogue}}
  %4 = linalg.generic {indexing_maps = [#element, affine_map<(i, j) -> (0, j)>, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p4, %rows : tensor<8x8xf32>, tensor<2x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %y = arith.mulf %x, %t : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>

  %p5 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @+1 {{operand 1 is read by (d0, d1) -> (d0 * 8 + d1), which is not a projected permutation}}
  %5 = linalg.generic {indexing_maps = [#element, affine_map<(i, j) -> (i * 8 + j)>, #element], iterator_types = ["parallel", "parallel"]}
      ins(%p5, %d : tensor<8x8xf32>, tensor<64xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %t: f32, %out: f32):
    %y = arith.mulf %x, %t : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

func.func @dynamic_elementwise(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-remark @+1 {{linalg.exp is not converted: dynamic shapes are not supported}}
  %0 = linalg.exp ins(%x : tensor<?x8xf32>) outs(%x : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// No matrix product, so other passes may take its integers.
func.func @integers(%x: tensor<8x8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %init = arith.constant dense<0> : tensor<8xi32>
  // expected-remark @+1 {{linalg.matvec is not converted: elements of 'i32' are not supported; f16, bf16 and f32 are}}
  %0 = linalg.matvec ins(%x, %y : tensor<8x8xi32>, tensor<8xi32>) outs(%init : tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
