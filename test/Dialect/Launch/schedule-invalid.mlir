// RUN: grout-opt %s --grout-set-target=name=h200 --launch-schedule --verify-diagnostics

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error @+1 {{has its order already: plans are scheduled before convert-tiles-to-kernels}}
  %t = launch.kernel "a" @m [@a] (%x, %y) writes [1] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
}
