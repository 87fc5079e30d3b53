// The second matmul of an MLP that is split over two ranks, for 48 tokens:
//
//   y = sum over the ranks of h w, in f16 with f32 accumulation
//
// Each rank has some of the columns of h, and the rows of w that belong to
// them. On GPUs, the sum is part of the matmul's kernel.

func.func @down(%h: tensor<48x128xf16>, %w: tensor<128x256xf16>)
    -> tensor<48x256xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<48x256xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<48x256xf16>)
    -> tensor<48x256xf16>
  %partial = linalg.matmul
    ins(%h, %w : tensor<48x128xf16>, tensor<128x256xf16>)
    outs(%init : tensor<48x256xf16>) -> tensor<48x256xf16>
  %y = collective.all_reduce %partial ranks 2 channel 0 : tensor<48x256xf16>
  return %y : tensor<48x256xf16>
}
