// The MLP of GPT-3, 64 times smaller in each dimension, for 100 tokens.
//
//   y = gelu(x w1) w2, in f16 with f32 accumulation; gelu by its tanh form.

func.func @mlp(%x: tensor<100x192xf16>, %w1: tensor<192x96xf16>,
               %w2: tensor<96x192xf16>) -> tensor<100x192xf16> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %cubic = arith.constant 0.044715 : f32
  %root = arith.constant 0.7978845608 : f32

  %empty_h = tensor.empty() : tensor<100x96xf32>
  %init_h = linalg.fill ins(%zero : f32) outs(%empty_h : tensor<100x96xf32>)
    -> tensor<100x96xf32>
  %acc_h = linalg.matmul
    ins(%x, %w1 : tensor<100x192xf16>, tensor<192x96xf16>)
    outs(%init_h : tensor<100x96xf32>) -> tensor<100x96xf32>

  %out_h = tensor.empty() : tensor<100x96xf16>
  %h = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%acc_h : tensor<100x96xf32>) outs(%out_h : tensor<100x96xf16>) {
  ^bb0(%v: f32, %_: f16):
    %v2 = arith.mulf %v, %v : f32
    %v3 = arith.mulf %v2, %v : f32
    %c3 = arith.mulf %v3, %cubic : f32
    %inner = arith.addf %v, %c3 : f32
    %scaled = arith.mulf %inner, %root : f32
    %tanh = math.tanh %scaled : f32
    %sum = arith.addf %tanh, %one : f32
    %halved = arith.mulf %v, %half : f32
    %gelu = arith.mulf %halved, %sum : f32
    %cast = arith.truncf %gelu : f32 to f16
    linalg.yield %cast : f16
  } -> tensor<100x96xf16>

  %empty_y = tensor.empty() : tensor<100x192xf32>
  %init_y = linalg.fill ins(%zero : f32) outs(%empty_y : tensor<100x192xf32>)
    -> tensor<100x192xf32>
  %acc_y = linalg.matmul
    ins(%h, %w2 : tensor<100x96xf16>, tensor<96x192xf16>)
    outs(%init_y : tensor<100x192xf32>) -> tensor<100x192xf32>

  %out_y = tensor.empty() : tensor<100x192xf16>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%acc_y : tensor<100x192xf32>) outs(%out_y : tensor<100x192xf16>) {
  ^bb0(%v: f32, %_: f16):
    %cast = arith.truncf %v : f32 to f16
    linalg.yield %cast : f16
  } -> tensor<100x192xf16>
  return %y : tensor<100x192xf16>
}
