// RUN: grout-opt %s --convert-tiles-to-kernels -verify-diagnostics

// What tiles write is proved again before they become code: plans may be
// written by hand.

module attributes {grout.target = #grout.target<"cpu">} {
  launch.plan @f inputs 1 {
  ^bb0(%x: memref<64xf32>, %out: memref<64x64xf32>):
    launch.tiles "f" ins(%x) outs(%out) : (memref<64xf32>) -> memref<64x64xf32> {
    ^bb0(%a: tensor<64xf32>):
      %i = tensor.empty() : tensor<64x64xf32>
      // expected-error @+1 {{has tiles that do not write every element of result 0 once: no tile writes element [0, 1]}}
      %y = linalg.generic {grout.tile_sizes = array<i64: 32>, indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m, 0)>], iterator_types = ["parallel"]} ins(%a : tensor<64xf32>) outs(%i : tensor<64x64xf32>) {
      ^bb0(%in: f32, %_: f32):
        linalg.yield %in : f32
      } -> tensor<64x64xf32>
      launch.yield %y : tensor<64x64xf32>
    }
  }
}
