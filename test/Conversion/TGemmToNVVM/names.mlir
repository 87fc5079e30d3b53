// REQUIRES: grout-compile, ptxas
// RUN: grout-compile %s --target=h200 --mode=serial --ptxas=%ptxas -o %t.grout

// Kernels may have the names of what their code declares: ptxas would crash.

launch.plan @names inputs 1 {
^bb0(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %z: memref<64x64xf16>):
  launch.tiles "a" ins(%x) outs(%y) : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %0 = tgemm.matmul %t, %t {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %0 : tensor<64x64xf16>
  }
  launch.tiles "b" ins(%x) outs(%z) : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %0 = tgemm.matmul %t, %t {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %0 : tensor<64x64xf16>
  }
}
