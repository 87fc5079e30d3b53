// RUN: grout-opt %s --launch-place-buffers --split-input-file | FileCheck %s

// Three intermediates in a row: the first has been read when the third is
// written.

// CHECK-LABEL: launch.plan @row
// CHECK: launch.buffer "a" at 0 : memref<256xf32>
// CHECK: launch.buffer "b" at 1024 : memref<256xf32>
// CHECK: launch.buffer "c" at 0 : memref<256xf32>
// CHECK: launch.buffer "constant" value
// CHECK-NOT: at
// CHECK-SAME: : memref<2xf32>
launch.plan @row inputs 1 {
^bb0(%x: memref<256xf32>, %out: memref<256xf32>):
  %a = launch.buffer "a" : memref<256xf32>
  %b = launch.buffer "b" : memref<256xf32>
  %c = launch.buffer "c" : memref<256xf32>
  %d = launch.buffer "constant" value dense<[1.0, 2.0]> : tensor<2xf32> : memref<2xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %a) writes [1] args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %1 = launch.kernel "1" @m [@e] (%a, %b) writes [1] after full(%0) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %2 = launch.kernel "2" @m [@e] (%b, %c) writes [1] after programmatic(%1) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %3 = launch.kernel "3" @m [@e] (%c, %d, %out) writes [2] after full(%2) args [] grids [[1]] : memref<256xf32>, memref<2xf32>, memref<256xf32>
}

// -----

// Two branches without edges between them share nothing, though one is behind
// the other in the block. What has a place keeps it.

// CHECK-LABEL: launch.plan @branches
// CHECK: launch.buffer "a" at 2048 : memref<256xf32>
// CHECK: launch.buffer "b" at 512 : memref<256xf32>
// CHECK: launch.buffer "c" at 0 : memref<128xf32>
launch.plan @branches inputs 1 {
^bb0(%x: memref<256xf32>, %out: memref<256xf32>, %more: memref<128xf32>):
  %a = launch.buffer "a" at 2048 : memref<256xf32>
  %b = launch.buffer "b" : memref<256xf32>
  %c = launch.buffer "c" at 0 : memref<128xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %c) writes [1] args [] grids [[1]] : memref<256xf32>, memref<128xf32>
  %1 = launch.kernel "1" @m [@e] (%x, %a) writes [1] args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %2 = launch.kernel "2" @m [@e] (%a, %out) writes [1] after full(%1) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %3 = launch.kernel "3" @m [@e] (%x, %b) writes [1] args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %4 = launch.kernel "4" @m [@e] (%b, %c, %more) writes [2] after full(%3), full(%0) args [] grids [[1]] : memref<256xf32>, memref<128xf32>, memref<128xf32>
}

// -----

// "2" may start before "1" has ended: it may not write where "1" reads.

// CHECK-LABEL: launch.plan @early
// CHECK: launch.buffer "a" at [[A:[0-9]+]] : memref<256xf32>
// CHECK: launch.buffer "b" at {{[0-9]+}} : memref<256xf32>
// CHECK-NOT: launch.buffer "c" at [[A]] :
// CHECK: launch.buffer "c" at {{[0-9]+}} : memref<256xf32>
launch.plan @early inputs 1 {
^bb0(%x: memref<256xf32>, %out: memref<256xf32>):
  %a = launch.buffer "a" : memref<256xf32>
  %b = launch.buffer "b" : memref<256xf32>
  %c = launch.buffer "c" : memref<256xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %a) writes [1] args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %1 = launch.kernel "1" @m [@e] (%a, %b) writes [1] after full(%0) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %2 = launch.kernel "2" @m [@e] (%x, %c) writes [1] after launch_order(%1) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %3 = launch.kernel "3" @m [@e] (%b, %c, %out) writes [2] after full(%2) args [] grids [[1]] : memref<256xf32>, memref<256xf32>, memref<256xf32>
}
