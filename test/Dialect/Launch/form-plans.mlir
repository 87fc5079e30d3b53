// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=a100 --launch-form-plans | FileCheck %s --check-prefix=IN-ORDER
// RUN: not grout-opt %s --launch-form-plans 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: {{.*}}target

// A launch for each kernel of a chain. Edges are those of the data, and, of a
// launch that uses semaphores, to the launch before: the second one's tiles wait
// for those of the first, the third waits for what it reads.

// CHECK-LABEL: launch.plan @chain inputs 2 {
// CHECK: ^bb0(%[[X:.*]]: memref<128x128xf16>, %[[W:.*]]: memref<128x128xf16>, %[[OUT:.*]]: memref<64x256xf16>):
// CHECK: %[[H:.*]] = launch.buffer "kernel0" : memref<128x128xf16>
// CHECK: %[[G:.*]] = launch.buffer "kernel1" : memref<128x128xf16>
// CHECK: %[[S:.*]] = launch.semaphores 1
// CHECK: %[[T0:.*]] = launch.tiles "chain_chain0_kernel0" ins(%[[X]], %[[W]]) outs(%[[H]]) uses(%[[S]]) starts_early trigger(at_entry) order [#{{.*}}] : (memref<128x128xf16>, memref<128x128xf16>) -> memref<128x128xf16> {
// CHECK: ^bb0(%[[A:.*]]: tensor<128x128xf16>, %[[B:.*]]: tensor<128x128xf16>):
// CHECK:   %[[Y:.*]] = tgemm.matmul %[[A]], %[[B]]
// CHECK:   tsync.post_tiles %[[Y]] base 0 semaphore #{{.*}} shape [1] : tensor<128x128xf16>
// CHECK:   launch.yield %[[Y]] : tensor<128x128xf16>
// CHECK: %[[T1:.*]] = launch.tiles "chain_chain0_kernel1" ins(%[[H]], %[[W]]) outs(%[[G]]) after tile(%[[T0]]) uses(%[[S]]) starts_early trigger(after_wait)
// CHECK:   tsync.wait_tiles %{{.*}} operand 0 base 0 policy
// CHECK: launch.tiles "chain_chain0_kernel2" ins(%[[H]], %[[G]]) outs(%[[OUT]]) after programmatic(%[[T0]]), programmatic(%[[T1]]) starts_early trigger(after_wait)
// CHECK: ^bb0(%[[A:.*]]: tensor<128x128xf16>, %[[B:.*]]: tensor<128x128xf16>):
// CHECK:   %[[PART:.*]] = tensor.extract_slice %[[A]][0, 0] [128, 64] [1, 1]
// CHECK:   tgemm.matmul %[[PART]]

// Launches of a GPU that starts none early follow each other.

// IN-ORDER-LABEL: launch.plan @chain
// IN-ORDER: %[[T0:.*]] = launch.tiles "chain_chain0_kernel0" {{.*}} uses(%{{.*}}) trigger(never)
// IN-ORDER: %[[T1:.*]] = launch.tiles "chain_chain0_kernel1" {{.*}} after full(%[[T0]]) uses(%{{.*}}) trigger(never)
// IN-ORDER: launch.tiles "chain_chain0_kernel2" {{.*}} after full(%[[T0]]), full(%[[T1]]) trigger(never)
func.func @chain(%x: tensor<128x128xf16>, %w: tensor<128x128xf16>) -> tensor<64x256xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      residents(1) : tensor<128x128xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
    %g = tgemm.matmul %h, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
    %left = tensor.extract_slice %h[0, 0] [128, 64] [1, 1]
      : tensor<128x128xf16> to tensor<128x64xf16>
    %upper = tensor.extract_slice %g[0, 0] [64, 128] [1, 1]
      : tensor<128x128xf16> to tensor<64x128xf16>
    %y = tgemm.matmul %left, %upper {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf16>
    tsync.dependence %h -> %g operand 0 policy
      <semaphore = affine_map<(i, j) -> (0)>, shape = [1], counts = [4],
       lower = affine_map<(i, j, k) -> (0)>,
       upper = affine_map<(i, j, k) -> (0)>>
      : tensor<128x128xf16>, tensor<128x128xf16>
    tsync.dependence %h -> %y operand 0 mode(pdl)
      : tensor<128x128xf16>, tensor<128x128xf16>
    tsync.dependence %g -> %y operand 1 mode(pdl)
      : tensor<128x128xf16>, tensor<128x128xf16>
    tsync.yield %y : tensor<128x128xf16>
  }
  %r = tensor.collapse_shape %0 [[0, 1]] : tensor<128x128xf16> into tensor<16384xf16>
  %e = tensor.expand_shape %r [[0, 1]] output_shape [64, 256] : tensor<16384xf16> into tensor<64x256xf16>
  return %e : tensor<64x256xf16>
}

// Kernels in no chain have edges to those whose results they read, and none to
// others; where a launch of several kernels does not need them, constants and
// all that is not used stay away.

// CHECK-LABEL: launch.plan @kernels inputs 1 {
// CHECK: %[[K0:.*]] = launch.tiles "kernels_kernel0_and_1_more" ins(%{{.*}}) outs(%{{.*}}, %{{.*}}) starts_early :
// CHECK: %[[K1:.*]] = launch.tiles "kernels_kernel1" ins(%{{.*}}) outs(%{{.*}}) starts_early :
// CHECK: launch.tiles "kernels_kernel2" ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) after programmatic(%[[K0]]), programmatic(%[[K1]]) starts_early :
#id = affine_map<(d0) -> (d0)>
func.func @kernels(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %unused = arith.constant dense<1.0> : tensor<64xf32>
  %a:2 = scop.launch -> tensor<64xf32>, tensor<64xf32> {
    %0 = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>)
        schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<64xf32> {
    ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
      scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>) writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
      ^bb0(%v: f32):
        %r = arith.addf %v, %v : f32
        scop.yield %r : f32
      }
    }
    %1 = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>)
        schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<64xf32> {
    ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
      scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>) writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
      ^bb0(%v: f32):
        %r = arith.mulf %v, %v : f32
        scop.yield %r : f32
      }
    }
    scop.yield %0, %1 : tensor<64xf32>, tensor<64xf32>
  }
  %b = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Y: memref<64xf32>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>) writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%v: f32):
      scop.yield %v : f32
    }
  }
  %c = scop.kernel ins(%a#0, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<64xf32> {
  ^bb0(%X: memref<64xf32>, %Z: memref<64xf32>, %Y: memref<64xf32>):
    scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>, %Z[(d0) -> (d0)] : memref<64xf32>) writes(%Y[(d0) -> (d0)] : memref<64xf32>) {
    ^bb0(%v: f32, %w: f32):
      %r = arith.addf %v, %w : f32
      scop.yield %r : f32
    }
  }
  return %a#1, %c : tensor<64xf32>, tensor<64xf32>
}

// The first launch of a chain starts early, unless its blocks would then be
// apart that read the same, again and again and from memory: of several waves,
// with more to read than the caches hold.

// CHECK-LABEL: launch.plan @large
// CHECK: %[[T0:.*]] = launch.tiles "large_chain0_kernel0" {{.*}} starts_early
// CHECK: launch.tiles "large_chain1_kernel0" {{.*}} after programmatic(%[[T0]]) starts_early
// CHECK: launch.tiles "large_chain2_kernel0" {{.*}} after full(%[[T0]])
// CHECK-NOT: starts_early
// CHECK: ^bb0
func.func @large(%x: tensor<2048x4096xf16>, %w: tensor<4096x4096xf16>, %v: tensor<4096x16384xf16>)
    -> (tensor<2048x256xf16>, tensor<2048x16384xf16>) {
  %h = tsync.chain mode(pdl) : tensor<2048x4096xf16> {
    %0 = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<2048x4096xf16>, tensor<4096x4096xf16> -> tensor<2048x4096xf16>
    tsync.yield %0 : tensor<2048x4096xf16>
  }
  %u = tensor.extract_slice %v[0, 0] [4096, 256] [1, 1] : tensor<4096x16384xf16> to tensor<4096x256xf16>
  %y = tsync.chain mode(pdl) : tensor<2048x256xf16> {
    %0 = tgemm.matmul %h, %u {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<2048x4096xf16>, tensor<4096x256xf16> -> tensor<2048x256xf16>
    tsync.yield %0 : tensor<2048x256xf16>
  }
  %z = tsync.chain mode(pdl) : tensor<2048x16384xf16> {
    %0 = tgemm.matmul %h, %v {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<2048x4096xf16>, tensor<4096x16384xf16> -> tensor<2048x16384xf16>
    tsync.yield %0 : tensor<2048x16384xf16>
  }
  return %y, %z : tensor<2048x256xf16>, tensor<2048x16384xf16>
}

// What is concatenated is written into parts of one buffer, that of the result;
// whoever reads it waits for the launches of all parts.

// CHECK-LABEL: launch.plan @concatenation inputs 3 {
// CHECK: ^bb0(%[[X:.*]]: memref<64x64xf16>, %[[W:.*]]: memref<64x64xf16>, %[[V:.*]]: memref<64x128xf16>, %[[ALL:.*]]: memref<8x8x192xf16>, %[[OUT:.*]]: memref<64x64xf16>):
// CHECK: %[[P:.*]] = launch.part %[[ALL]] : memref<8x8x192xf16> as memref<64x64xf16, strided<[192, 1]>>
// CHECK: %[[Q:.*]] = launch.part %[[ALL]] : memref<8x8x192xf16> as memref<64x128xf16, strided<[192, 1], offset: 64>>
// CHECK: %[[T0:.*]] = launch.tiles "concatenation_chain0_kernel0" ins(%[[X]], %[[W]]) outs(%[[P]])
// CHECK: %[[T1:.*]] = launch.tiles "concatenation_chain0_kernel1" ins(%[[P]], %[[V]]) outs(%[[Q]]) after programmatic(%[[T0]])
// CHECK: launch.tiles "concatenation_chain1_kernel0" ins(%[[ALL]]) outs(%[[OUT]]) after programmatic(%[[T0]]), programmatic(%[[T1]])
func.func @concatenation(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %v: tensor<64x128xf16>) -> (tensor<8x8x192xf16>, tensor<64x64xf16>) {
  %0:2 = tsync.chain mode(pdl) : tensor<8x8x64xf16>, tensor<64x128xf16> {
    %a = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %v {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf16>
    %images = tensor.expand_shape %a [[0, 1], [2]] output_shape [8, 8, 64] : tensor<64x64xf16> into tensor<8x8x64xf16>
    tsync.yield %images, %b : tensor<8x8x64xf16>, tensor<64x128xf16>
  }
  %other = tensor.expand_shape %0#1 [[0, 1], [2]] output_shape [8, 8, 128] : tensor<64x128xf16> into tensor<8x8x128xf16>
  %all = tensor.concat dim(2) %0#0, %other : (tensor<8x8x64xf16>, tensor<8x8x128xf16>) -> tensor<8x8x192xf16>
  %rows = tensor.collapse_shape %all [[0, 1], [2]] : tensor<8x8x192xf16> into tensor<64x192xf16>
  %1 = tsync.chain mode(pdl) : tensor<64x64xf16> {
    %y = tgemm.matmul %rows, %rows {transpose_rhs, tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x192xf16>, tensor<64x192xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %all, %1 : tensor<8x8x192xf16>, tensor<64x64xf16>
}
