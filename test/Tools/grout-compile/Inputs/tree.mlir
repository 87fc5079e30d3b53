// A tree that puts the columns outermost, and splits the rows.
func.func @negate(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %y = scop.kernel ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32> {
  ^bb0(%X: memref<64x128xf32>, %Y: memref<64x128xf32>):
    scop.stmt @S domain [64, 128] reads(%X[(d0, d1) -> (d0, d1)] : memref<64x128xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x128xf32>) {
    ^bb0(%v: f32):
      %n = arith.negf %v : f32
      scop.yield %n : f32
    }
    scop.tree {
      scop.linear constraints [@S[1] eq 1, @S[0] eq 0] coincidence all {
        scop.linear constraints [@S[0] eq 1, @S[1] eq 0] coincidence all map "thread_x" {
        }
      }
    }
  }
  return %y : tensor<64x128xf32>
}
