// Two batched products, the first with its right side transposed, as the scores
// and values of attention without its softmax: y = (q k^T / 8) v, and then a
// product with its left side transposed. Ragged in every dimension.

#q = affine_map<(b, i, j, k) -> (b, i, k)>
#kt = affine_map<(b, i, j, k) -> (b, j, k)>
#o = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#lt = affine_map<(b, i, j, k) -> (b, k, i)>
#r = affine_map<(b, i, j, k) -> (b, k, j)>

func.func @attention_like(%q: tensor<12x200x72xf16>, %k: tensor<12x328x72xf16>,
                          %v: tensor<12x328x72xf16>) -> tensor<12x72x72xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %e0 = tensor.empty() : tensor<12x200x328xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<12x200x328xf32>) -> tensor<12x200x328xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #kt, #o]
    ins(%q, %k : tensor<12x200x72xf16>, tensor<12x328x72xf16>)
    outs(%z0 : tensor<12x200x328xf32>) -> tensor<12x200x328xf32>
  %e1 = tensor.empty() : tensor<12x200x328xf16>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<12x200x328xf32>) outs(%e1 : tensor<12x200x328xf16>) {
  ^bb0(%a: f32, %_: f16):
    %m = arith.mulf %a, %scale : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  } -> tensor<12x200x328xf16>
  %e2 = tensor.empty() : tensor<12x200x72xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<12x200x72xf32>) -> tensor<12x200x72xf32>
  %y = linalg.batch_matmul
    ins(%p, %v : tensor<12x200x328xf16>, tensor<12x328x72xf16>)
    outs(%z2 : tensor<12x200x72xf32>) -> tensor<12x200x72xf32>
  %e3 = tensor.empty() : tensor<12x200x72xf16>
  %yh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%y : tensor<12x200x72xf32>) outs(%e3 : tensor<12x200x72xf16>) {
  ^bb0(%a: f32, %_: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<12x200x72xf16>
  %e4 = tensor.empty() : tensor<12x72x72xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<12x72x72xf32>) -> tensor<12x72x72xf32>
  %g = linalg.batch_matmul indexing_maps = [#lt, #r, #o]
    ins(%yh, %q : tensor<12x200x72xf16>, tensor<12x200x72xf16>)
    outs(%z4 : tensor<12x72x72xf32>) -> tensor<12x72x72xf32>
  %e5 = tensor.empty() : tensor<12x72x72xf16>
  %gh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%g : tensor<12x72x72xf32>) outs(%e5 : tensor<12x72x72xf16>) {
  ^bb0(%a: f32, %_: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<12x72x72xf16>
  return %gh : tensor<12x72x72xf16>
}
