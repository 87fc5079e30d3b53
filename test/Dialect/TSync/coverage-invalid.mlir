// RUN: grout-opt %s -split-input-file -tsync-derive-dependences -verify-diagnostics
// RUN: grout-opt %s -split-input-file -tsync-verify -verify-diagnostics

// Tiles write every element of every result once, in all modes, also of results
// that nobody in the chain reads.

func.func @hole(%x: tensor<64xf32>, %i: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf32> {
    // expected-error @+1 {{'linalg.generic' op has tiles that do not write every element of result 0 once: no tile writes element [0, 1]; getTileGrid returns [2], getResultAccess affine_map<(d0, d1, d2) -> (d0 * 32 + d2, 0)> with boxes of [32]}}
    %h = linalg.generic {grout.tile_sizes = array<i64: 32>, indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m, 0)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%i : tensor<64x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<64x64xf32>
    tsync.yield %h : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// -----

func.func @twice(%x: tensor<64x64xf32>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tsync.chain mode(serial) : tensor<64xf32> {
    // expected-error @+1 {{'linalg.generic' op has tiles that do not write every element of result 0 once: element [0] is written by tiles tile[0, 1] and tile[0, 0]}}
    %h = linalg.generic {grout.tile_sizes = array<i64: 32, 32>, indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%i : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<64xf32>
    tsync.yield %h : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// A tile of one dimension of two, and a whole reduction, which is one tile.
func.func @covered(%x: tensor<64x64xf32>, %i: tensor<64xf32>, %s: tensor<f32>) -> (tensor<64xf32>, tensor<f32>) {
  %0:2 = tsync.chain mode(serial) : tensor<64xf32>, tensor<f32> {
    %h = linalg.generic {grout.tile_sizes = array<i64: 24, 32>, indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x64xf32>) outs(%i : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<64xf32>
    %t = linalg.generic {grout.tile_sizes = array<i64: 64, 32>, indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x64xf32>) outs(%s : tensor<f32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<f32>
    tsync.yield %h, %t : tensor<64xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<64xf32>, tensor<f32>
}
