// RUN: grout-opt %s --linalg-insert-results -verify-diagnostics -o /dev/null

func.func @diagonal(%a: tensor<8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{it writes only a diagonal of an output, by affine_map<(d0) -> (d0, d0)>; write all of it, with linalg.index and arith.select}}
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>],
      iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%b : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
