// RUN: grout-opt %s --grout-set-target=name=h200 --launch-schedule=policy=wave | FileCheck %s --check-prefixes=CHECK,WAVE
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-schedule=policy=nimble | FileCheck %s --check-prefixes=CHECK,NIMBLE
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-schedule=policy=opara | FileCheck %s --check-prefixes=CHECK,OPARA
// RUN: grout-opt %s --grout-set-target=name=cpu --launch-schedule=policy=wave | FileCheck %s --check-prefix=CPU

// A launch, two branches of one and of two launches, and a launch that needs
// both. The longer branch goes on with the first launch's stream where the policy
// looks at times, and the last launch with its; it waits for both branches.

// CHECK-LABEL: launch.plan @f
// CHECK: %[[A:.*]] = launch.tiles "a"
// WAVE: %[[C:.*]] = launch.tiles "c" {{.*}} after programmatic(%[[A]]) starts_early early [] trigger(after_wait) :
// WAVE: %[[B:.*]] = launch.tiles "b" {{.*}} after programmatic(%[[A]]) starts_early early [] trigger(after_wait) branch 1 :
// WAVE: %[[D:.*]] = launch.tiles "d" {{.*}} after programmatic(%[[C]]) starts_early early [] trigger(after_wait) :
// NIMBLE: %[[B:.*]] = launch.tiles "b" {{.*}} after programmatic(%[[A]])
// NIMBLE: %[[C:.*]] = launch.tiles "c" {{.*}} after programmatic(%[[A]]) {{.*}} branch 1 :
// NIMBLE: %[[D:.*]] = launch.tiles "d" {{.*}} after programmatic(%[[C]]) {{.*}} branch 1 :
// OPARA: %[[B:.*]] = launch.tiles "b" {{.*}} after programmatic(%[[A]])
// OPARA: %[[C:.*]] = launch.tiles "c" {{.*}} after programmatic(%[[A]]) {{.*}} branch 1 :
// OPARA: %[[D:.*]] = launch.tiles "d" {{.*}} after programmatic(%[[C]]) {{.*}} branch 1 :
// CHECK: launch.tiles "e" {{.*}} after programmatic(%[[B]]), programmatic(%[[D]]) starts_early early []
// CPU: launch.tiles "b"
// CPU-NOT: branch
launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  %ba = launch.buffer "a" : memref<64x64xf16>
  %bb = launch.buffer "b" : memref<64x64xf16>
  %bc = launch.buffer "c" : memref<64x64xf16>
  %bd = launch.buffer "d" : memref<64x64xf16>
  %a = launch.tiles "a" ins(%x) outs(%ba) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t0: tensor<64x64xf16>):
    %y = tgemm.matmul %t0, %t0 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %b = launch.tiles "b" ins(%ba) outs(%bb) after programmatic(%a) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t0: tensor<64x64xf16>):
    %y = tgemm.matmul %t0, %t0 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %c = launch.tiles "c" ins(%ba) outs(%bc) after programmatic(%a) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t0: tensor<64x64xf16>):
    %y = tgemm.matmul %t0, %t0 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %d = launch.tiles "d" ins(%bc) outs(%bd) after programmatic(%c) starts_early
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t0: tensor<64x64xf16>):
    %y = tgemm.matmul %t0, %t0 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  %e = launch.tiles "e" ins(%bb, %bd) outs(%out) after programmatic(%b), programmatic(%d) starts_early
      : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%t0: tensor<64x64xf16>, %t1: tensor<64x64xf16>):
    %y = tgemm.matmul %t0, %t1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// The tiles of "b" and of "c" fill all SMs. Side by side, only the time of a
// launch would be saved, which is less than branches cost.

// WAVE-LABEL: launch.plan @full
// WAVE: launch.tiles "b"
// WAVE-NOT: branch
launch.plan @full inputs 3 {
^bb0(%x: memref<2048x64xf16>, %v: memref<64x64xf16>, %w: memref<64x2048xf16>, %first: memref<2048x2048xf16>, %second: memref<2048x2048xf16>):
  %ba = launch.buffer "a" : memref<2048x64xf16>
  %a = launch.tiles "a" ins(%x, %v) outs(%ba) starts_early
      : (memref<2048x64xf16>, memref<64x64xf16>) -> memref<2048x64xf16> {
  ^bb0(%t0: tensor<2048x64xf16>, %t1: tensor<64x64xf16>):
    %y = tgemm.matmul %t0, %t1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<2048x64xf16>, tensor<64x64xf16> -> tensor<2048x64xf16>
    launch.yield %y : tensor<2048x64xf16>
  }
  %b = launch.tiles "b" ins(%ba, %w) outs(%first) after programmatic(%a) starts_early
      : (memref<2048x64xf16>, memref<64x2048xf16>) -> memref<2048x2048xf16> {
  ^bb0(%t0: tensor<2048x64xf16>, %t1: tensor<64x2048xf16>):
    %y = tgemm.matmul %t0, %t1 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<2048x64xf16>, tensor<64x2048xf16> -> tensor<2048x2048xf16>
    launch.yield %y : tensor<2048x2048xf16>
  }
  %c = launch.tiles "c" ins(%ba, %w) outs(%second) after programmatic(%a) starts_early
      : (memref<2048x64xf16>, memref<64x2048xf16>) -> memref<2048x2048xf16> {
  ^bb0(%t0: tensor<2048x64xf16>, %t1: tensor<64x2048xf16>):
    %y = tgemm.matmul %t0, %t1 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<2048x64xf16>, tensor<64x2048xf16> -> tensor<2048x2048xf16>
    launch.yield %y : tensor<2048x2048xf16>
  }
}
