// A memory-bound function: the transposed sum of a matrix and a row.
func.func @transpose(%x: tensor<1024x512xf32>, %row: tensor<512xf32>) -> tensor<512x1024xf32> {
  %e = tensor.empty() : tensor<512x1024xf32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x, %row : tensor<1024x512xf32>, tensor<512xf32>) outs(%e : tensor<512x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<512x1024xf32>
  return %y : tensor<512x1024xf32>
}
