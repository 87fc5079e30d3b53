// A kernel with a constraint tree written by hand: Y sums what X computes, and
// the tree wants vectors along k, or else along j. docs/ConstraintTrees.md has
// what comes of it.
func.func @product(%a: memref<16x16xf32>, %d: memref<16x16x16xf32>,
                   %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  scop.kernel ins(%a, %d : memref<16x16xf32>, memref<16x16x16xf32>)
      outs(%b, %c : memref<16x16xf32>, memref<16x16xf32>) {
  ^bb0(%A: memref<16x16xf32>, %D: memref<16x16x16xf32>, %B: memref<16x16xf32>, %C: memref<16x16xf32>):
    // B[i, k] = exp(A[i, k])
    scop.stmt @X domain [16, 16]
        reads(%A[(i, k) -> (i, k)] : memref<16x16xf32>)
        writes(%B[(i, k) -> (i, k)] : memref<16x16xf32>) {
    ^bb0(%x: f32):
      %0 = math.exp %x : f32
      scop.yield %0 : f32
    }
    // C[i, j] += B[i, k] * D[k, i, j]
    scop.stmt @Y domain [16, 16, 16]
        reads(%B[(i, j, k) -> (i, k)] : memref<16x16xf32>,
              %D[(i, j, k) -> (k, i, j)] : memref<16x16x16xf32>,
              %C[(i, j, k) -> (i, j)] : memref<16x16xf32>)
        writes(%C[(i, j, k) -> (i, j)] : memref<16x16xf32>) reductions [2] {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %0 = arith.mulf %x, %y : f32
      %1 = arith.addf %sum, %0 : f32
      scop.yield %1 : f32
    }
    scop.tree {
      // The loop over i.
      scop.linear constraints [@X[0] eq 1, @X[1] eq 0, @Y[0] eq 1, @Y[1] eq 0, @Y[2] eq 0] coincidence all map block {
        // The loop over j, around vectors along k.
        scop.linear constraints [@Y[1] eq 1, @Y[0] eq 0, @Y[2] eq 0] coincidence all {
          scop.linear constraints [@X[1] eq 1, @Y[2] eq 1] coincidence all vector 4 {
          }
        }
        // Or the loop over k, and in it X before vectors of Y along j.
        scop.linear constraints [@X[1] eq 1, @X[0] eq 0, @Y[2] eq 1, @Y[0] eq 0, @Y[1] eq 0] {
          scop.sequence [[@X], [@Y]] {
            scop.linear constraints [@Y[1] eq 1, @Y[0] eq 0, @Y[2] eq 0] coincidence all new_band map thread_x vector 4 of [@Y] {
            }
          }
        }
      }
    }
  }
  return
}
