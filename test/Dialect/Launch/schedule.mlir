// RUN: grout-opt %s --grout-set-target=name=h200 --launch-schedule | FileCheck %s
// RUN: not grout-opt %s --grout-set-target=name=h200 --launch-schedule=policy=best 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown policy 'best' of launch-schedule; there are nimble, opara, serial, wave

// One after another: early where the launch can, and as its other edges ask.
// Whoever has no trigger yet gets one if the next launch starts early. Launches
// behind the first may read the plan's inputs early.

// CHECK-LABEL: launch.plan @f inputs 1
// CHECK: %[[START:.*]] = launch.start
// CHECK: %[[A:.*]] = launch.tiles "a" {{.*}} after programmatic(%[[START]]) starts_early trigger(at_entry)
// CHECK: %[[B:.*]] = launch.tiles "b" {{.*}} after launch_order(%[[A]]) starts_early early [0] trigger(after_wait)
// CHECK: %[[C:.*]] = launch.tiles "c" {{.*}} after programmatic(%[[B]]) starts_early early [0] trigger(never)
// CHECK: %[[D:.*]] = launch.tiles "d" {{.*}} after full(%[[A]]), full(%[[C]]) starts_early :
// CHECK: launch.plan @g
// CHECK-NOT: launch.start
// CHECK: launch.tiles "a" ins(%{{.*}}) outs(%{{.*}}) :
launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %o0: memref<64x64xf16>, %o1: memref<64x64xf16>,
     %o2: memref<64x64xf16>, %o3: memref<64x64xf16>):
  %a = launch.tiles "a" ins(%x) outs(%o0) starts_early trigger(at_entry)
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %t {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %b = launch.tiles "b" ins(%x) outs(%o1) after launch_order(%a) starts_early
      early [0] : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %t {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %c = launch.tiles "c" ins(%x) outs(%o2) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %t {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %d = launch.tiles "d" ins(%o0) outs(%o3) after full(%a) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %t {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

launch.plan @g inputs 1 {
^bb0(%x: memref<64x64xf16>, %o0: memref<64x64xf16>):
  %a = launch.tiles "a" ins(%x) outs(%o0)
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %t {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// What a launch before the last one has made is there: the last one triggers
// when it has waited for that. What the last one makes is not, nor what a launch
// updates itself.

// CHECK-LABEL: launch.plan @early
// CHECK: launch.tiles "a" ins(%{{.*}}) outs(%{{.*}}) after programmatic(%{{.*}}) starts_early trigger(after_wait)
// CHECK: launch.tiles "b" ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) after programmatic(%{{.*}}) starts_early early [1] trigger(after_wait)
// CHECK: launch.tiles "c" ins(%[[H:.*]], %{{.*}}) outs(%{{.*}}) after programmatic(%{{.*}}) starts_early early [0] trigger(after_wait)
// CHECK: launch.tiles "d" ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) after programmatic(%{{.*}}) starts_early early [1] :
launch.plan @early inputs 1 {
^bb0(%x: memref<64x64xf16>, %o: memref<64x64xf16>):
  %h = launch.buffer "h" : memref<64x64xf16>
  %g = launch.buffer "g" : memref<64x64xf16>
  %a = launch.tiles "a" ins(%x) outs(%h) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %t {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %b = launch.tiles "b" ins(%h, %x) outs(%g) after programmatic(%a) starts_early
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %w: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %c = launch.tiles "c" ins(%h, %g) outs(%o) after programmatic(%b) starts_early
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %w: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %d = launch.tiles "d" ins(%h, %x) outs(%h)
      after programmatic(%a), programmatic(%b), programmatic(%c) starts_early
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %w: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// A memory-bound launch makes way for a product before it waits, if that loads
// ahead as much then: the weights, but not what the launch before has made ("e").
// That another launch is ordered behind both is no hindrance ("f" behind "c").
// For a memory-bound one it does not ("f"); nor does the first one ("a"), behind
// which nobody knows whether the plan's inputs are there.

// CHECK-LABEL: launch.plan @triggers
// CHECK: launch.tiles "a" {{.*}} starts_early trigger(after_wait)
// CHECK: launch.tiles "b" {{.*}} starts_early early [1] trigger(after_wait)
// CHECK: launch.tiles "c" {{.*}} starts_early early [] trigger(before_wait)
// CHECK: launch.tiles "d" {{.*}} starts_early early [1] trigger(after_wait)
// CHECK: launch.tiles "e" {{.*}} starts_early early [] trigger(after_wait)
// CHECK: launch.tiles "product" {{.*}} starts_early early [1] trigger(after_wait)
// CHECK: launch.tiles "f" {{.*}} starts_early early [] trigger(after_wait)
// CHECK: launch.tiles "g" {{.*}} starts_early early [1] :
launch.plan @triggers inputs 2 {
^bb0(%x: memref<64x64xf16>, %w: memref<64x64xf16>, %o: memref<64x64xf16>):
  %a = launch.buffer "a" : memref<64x64xf16>
  %b = launch.buffer "b" : memref<64x64xf16>
  %c = launch.buffer "c" : memref<64x64xf16>
  %d = launch.buffer "d" : memref<64x64xf16>
  %e = launch.buffer "e" : memref<64x64xf16>
  %f = launch.buffer "f" : memref<64x64xf16>
  %g = launch.buffer "g" : memref<64x64xf16>
  %t0 = launch.tiles "a" ins(%x) outs(%a) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %empty = tensor.empty() : tensor<64x64xf16>
    %y = scop.kernel ins(%t : tensor<64x64xf16>) outs(%empty : tensor<64x64xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident], @S = (i, j) -> (i, j)> -> tensor<64x64xf16> {
    ^bb0(%X: memref<64x64xf16>, %Y: memref<64x64xf16>):
      scop.stmt @S domain [64, 64]
          reads(%X[(i, j) -> (i, j)] : memref<64x64xf16>)
          writes(%Y[(i, j) -> (i, j)] : memref<64x64xf16>) {
      ^bb0(%v: f16):
        %r = arith.negf %v : f16
        scop.yield %r : f16
      }
    }
    launch.yield %y : tensor<64x64xf16>
  }
  %t1 = launch.tiles "b" ins(%a, %w) outs(%b) after programmatic(%t0) starts_early
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %u: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %u {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %t2 = launch.tiles "c" ins(%b) outs(%c) after programmatic(%t1) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %empty = tensor.empty() : tensor<64x64xf16>
    %y = scop.kernel ins(%t : tensor<64x64xf16>) outs(%empty : tensor<64x64xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident], @S = (i, j) -> (i, j)> -> tensor<64x64xf16> {
    ^bb0(%X: memref<64x64xf16>, %Y: memref<64x64xf16>):
      scop.stmt @S domain [64, 64]
          reads(%X[(i, j) -> (i, j)] : memref<64x64xf16>)
          writes(%Y[(i, j) -> (i, j)] : memref<64x64xf16>) {
      ^bb0(%v: f16):
        %r = arith.negf %v : f16
        scop.yield %r : f16
      }
    }
    launch.yield %y : tensor<64x64xf16>
  }
  %t3 = launch.tiles "d" ins(%c, %w) outs(%d) after programmatic(%t2) starts_early
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %u: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %u {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %t4 = launch.tiles "e" ins(%d) outs(%e) after programmatic(%t3) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %empty = tensor.empty() : tensor<64x64xf16>
    %y = scop.kernel ins(%t : tensor<64x64xf16>) outs(%empty : tensor<64x64xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident], @S = (i, j) -> (i, j)> -> tensor<64x64xf16> {
    ^bb0(%X: memref<64x64xf16>, %Y: memref<64x64xf16>):
      scop.stmt @S domain [64, 64]
          reads(%X[(i, j) -> (i, j)] : memref<64x64xf16>)
          writes(%Y[(i, j) -> (i, j)] : memref<64x64xf16>) {
      ^bb0(%v: f16):
        %r = arith.negf %v : f16
        scop.yield %r : f16
      }
    }
    launch.yield %y : tensor<64x64xf16>
  }
  %t5 = launch.tiles "product" ins(%e, %d) outs(%f) after programmatic(%t4) starts_early
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %u: tensor<64x64xf16>):
    %y = tgemm.matmul %t, %u {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %t6 = launch.tiles "f" ins(%f) outs(%g)
      after programmatic(%t5), programmatic(%t2) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>):
    %empty = tensor.empty() : tensor<64x64xf16>
    %y = scop.kernel ins(%t : tensor<64x64xf16>) outs(%empty : tensor<64x64xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident], @S = (i, j) -> (i, j)> -> tensor<64x64xf16> {
    ^bb0(%X: memref<64x64xf16>, %Y: memref<64x64xf16>):
      scop.stmt @S domain [64, 64]
          reads(%X[(i, j) -> (i, j)] : memref<64x64xf16>)
          writes(%Y[(i, j) -> (i, j)] : memref<64x64xf16>) {
      ^bb0(%v: f16):
        %r = arith.negf %v : f16
        scop.yield %r : f16
      }
    }
    launch.yield %y : tensor<64x64xf16>
  }
  %t7 = launch.tiles "g" ins(%g, %w) outs(%o) after programmatic(%t6) starts_early
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t: tensor<64x64xf16>, %u: tensor<64x64xf16>):
    %empty = tensor.empty() : tensor<64x64xf16>
    %y = scop.kernel ins(%t : tensor<64x64xf16>) outs(%empty : tensor<64x64xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident], @S = (i, j) -> (i, j)> -> tensor<64x64xf16> {
    ^bb0(%X: memref<64x64xf16>, %Y: memref<64x64xf16>):
      scop.stmt @S domain [64, 64]
          reads(%X[(i, j) -> (i, j)] : memref<64x64xf16>)
          writes(%Y[(i, j) -> (i, j)] : memref<64x64xf16>) {
      ^bb0(%v: f16):
        %r = arith.negf %v : f16
        scop.yield %r : f16
      }
    }
    launch.yield %y : tensor<64x64xf16>
  }
}

// Where there are kernels, the order stays.

// CHECK-LABEL: launch.plan @kernels
// CHECK-NEXT: ^bb0
// CHECK-NEXT: launch.kernel "a" @m [@a](%{{.*}}, %{{.*}}) writes [1] args
// CHECK-NEXT: launch.kernel "b" @m [@b](%{{.*}}) args
launch.plan @kernels inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %t0 = launch.kernel "a" @m [@a] (%x, %y) writes [1] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  %t1 = launch.kernel "b" @m [@b] (%x) args [] grids [[1]] : memref<4xf32>
}
