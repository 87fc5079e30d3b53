func.func @pad(%x: tensor<8x4xf32>) -> tensor<10x4xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1, 0] high[-9223372036854775808, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x4xf32> to tensor<10x4xf32>
  return %0 : tensor<10x4xf32>
}
