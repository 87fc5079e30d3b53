// RUN: grout-opt %s --launch-place-buffers --split-input-file | FileCheck %s

// Three intermediates in a row: the first has been read when the third is
// written. The output is too small for them.

// CHECK-LABEL: launch.plan @row
// CHECK: launch.buffer "a" at 0 : memref<256xf32>
// CHECK: launch.buffer "b" at 1024 : memref<256xf32>
// CHECK: launch.buffer "c" at 0 : memref<256xf32>
// CHECK: launch.buffer "constant" value
// CHECK-NOT: at
// CHECK-SAME: : memref<2xf32>
launch.plan @row inputs 1 {
^bb0(%x: memref<256xf32>, %out: memref<16xf32>):
  %a = launch.buffer "a" : memref<256xf32>
  %b = launch.buffer "b" : memref<256xf32>
  %c = launch.buffer "c" : memref<256xf32>
  %d = launch.buffer "constant" value dense<[1.0, 2.0]> : tensor<2xf32> : memref<2xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %a) writes [1] args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %1 = launch.kernel "1" @m [@e] (%a, %b) writes [1] after full(%0) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %2 = launch.kernel "2" @m [@e] (%b, %c) writes [1] after programmatic(%1) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %3 = launch.kernel "3" @m [@e] (%c, %d, %out) writes [2] after full(%2) args [] grids [[1]] : memref<256xf32>, memref<2xf32>, memref<16xf32>
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
^bb0(%x: memref<256xf32>, %out: memref<16xf32>):
  %a = launch.buffer "a" : memref<256xf32>
  %b = launch.buffer "b" : memref<256xf32>
  %c = launch.buffer "c" : memref<256xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %a) writes [1] args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %1 = launch.kernel "1" @m [@e] (%a, %b) writes [1] after full(%0) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %2 = launch.kernel "2" @m [@e] (%x, %c) writes [1] after launch_order(%1) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %3 = launch.kernel "3" @m [@e] (%b, %c, %out) writes [2] after full(%2) args [] grids [[1]] : memref<256xf32>, memref<256xf32>, memref<16xf32>
}

// -----

// Until "3" writes the output, two intermediates that have been read by then are
// in it. What "3" reads is in the workspace, and so is what does not fit.

// CHECK-LABEL: launch.plan @in_output
// CHECK: launch.buffer "a" at 0 of argument 1 : memref<256xf32>
// CHECK: launch.buffer "b" at 1024 of argument 1 : memref<256xf32>
// CHECK: launch.buffer "c" at {{[0-9]+}} : memref<256xf32>
// CHECK: launch.buffer "large" at 0 : memref<1024xf32>
launch.plan @in_output inputs 1 {
^bb0(%x: memref<256xf32>, %out: memref<544xf32>):
  %a = launch.buffer "a" : memref<256xf32>
  %b = launch.buffer "b" : memref<256xf32>
  %c = launch.buffer "c" : memref<256xf32>
  %large = launch.buffer "large" : memref<1024xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %a, %large) writes [1, 2] args [] grids [[1]] : memref<256xf32>, memref<256xf32>, memref<1024xf32>
  %1 = launch.kernel "1" @m [@e] (%a, %large, %b) writes [2] after full(%0) args [] grids [[1]] : memref<256xf32>, memref<1024xf32>, memref<256xf32>
  %2 = launch.kernel "2" @m [@e] (%b, %c) writes [1] after full(%1) args [] grids [[1]] : memref<256xf32>, memref<256xf32>
  %3 = launch.kernel "3" @m [@e] (%c, %out) writes [1] after full(%2) args [] grids [[1]] : memref<256xf32>, memref<544xf32>
}

// -----

// Launches that overlap by tile share nothing with the output, an output that a
// launch of another branch writes holds nothing, and neither does one that is in
// place of an input, or is written first.

// CHECK-LABEL: launch.plan @full_outputs
// CHECK: launch.buffer "a" at 0 : memref<64xf32>
// CHECK: launch.buffer "b" at 256 : memref<64xf32>
launch.plan @full_outputs inputs 1 in_place [-1, -1, 0, -1] {
^bb0(%x: memref<64xf32>, %first: memref<64xf32>, %beside: memref<64xf32>, %updated: memref<64xf32>, %by_tile: memref<64xf32>):
  %a = launch.buffer "a" : memref<64xf32>
  %b = launch.buffer "b" : memref<64xf32>
  %0 = launch.kernel "0" @m [@e] (%updated, %first) writes [1] args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %1 = launch.kernel "1" @m [@e] (%updated, %a) writes [1] after full(%0) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %2 = launch.kernel "2" @m [@e] (%updated, %beside) writes [1] after full(%0) branch 1 args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %3 = launch.kernel "3" @m [@e] (%a, %b) writes [1] after full(%1) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %4 = launch.kernel "4" @m [@e] (%b, %by_tile) writes [1] after tile(%3) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %5 = launch.kernel "5" @m [@e] (%a, %b, %updated) writes [2] after full(%4), full(%2) args [] grids [[1]] : memref<64xf32>, memref<64xf32>, memref<64xf32>
}

// -----

// Exchanges get bytes of the symmetric memory of their own, in order.

// CHECK-LABEL: launch.plan @exchanges
// CHECK: "a" {{.*}} exchange <ranks = 2, bytes = 300, offset = 0>
// CHECK: "b" {{.*}} exchange <ranks = 2, bytes = 256, offset = 512>
launch.plan @exchanges inputs 1 {
^bb0(%x: memref<4xf32>):
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 300> : memref<4xf32>
  %b = launch.kernel "b" @m [@e] (%x) after full(%a) args [] grids [[1]] exchange <ranks = 2, bytes = 256> : memref<4xf32>
}

// Those that are cleared share bytes, unless they follow each other: also as the
// last of a run and the first of the next. So an even number of them has two
// regions, and an odd number three.

// CHECK-LABEL: launch.plan @even
// CHECK: "a" {{.*}} exchange <ranks = 2, bytes = 256, offset = 0, cleared = true>
// CHECK: "b" {{.*}} exchange <ranks = 2, bytes = 300, offset = 512, cleared = true>
// CHECK: "c" {{.*}} exchange <ranks = 2, bytes = 512, offset = 0, cleared = true>
// CHECK: "d" {{.*}} exchange <ranks = 2, bytes = 256, offset = 512, cleared = true>
launch.plan @even inputs 1 {
^bb0(%x: memref<4xf32>):
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 256, cleared = true> : memref<4xf32>
  %b = launch.kernel "b" @m [@e] (%x) after full(%a) args [] grids [[1]] exchange <ranks = 2, bytes = 300, cleared = true> : memref<4xf32>
  %c = launch.kernel "c" @m [@e] (%x) after full(%b) args [] grids [[1]] exchange <ranks = 2, bytes = 512, cleared = true> : memref<4xf32>
  %d = launch.kernel "d" @m [@e] (%x) after full(%c) args [] grids [[1]] exchange <ranks = 2, bytes = 256, cleared = true> : memref<4xf32>
}

// CHECK-LABEL: launch.plan @odd
// CHECK: "a" {{.*}} offset = 0, cleared = true>
// CHECK: "b" {{.*}} offset = 256, cleared = true>
// CHECK: "c" {{.*}} offset = 0, cleared = true>
// CHECK: "d" {{.*}} offset = 256, cleared = true>
// CHECK: "e" {{.*}} offset = 512, cleared = true>
launch.plan @odd inputs 1 {
^bb0(%x: memref<4xf32>):
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 256, cleared = true> : memref<4xf32>
  %b = launch.kernel "b" @m [@e] (%x) after full(%a) args [] grids [[1]] exchange <ranks = 2, bytes = 256, cleared = true> : memref<4xf32>
  %c = launch.kernel "c" @m [@e] (%x) after full(%b) args [] grids [[1]] exchange <ranks = 2, bytes = 256, cleared = true> : memref<4xf32>
  %d = launch.kernel "d" @m [@e] (%x) after full(%c) args [] grids [[1]] exchange <ranks = 2, bytes = 256, cleared = true> : memref<4xf32>
  %e = launch.kernel "e" @m [@e] (%x) after full(%d) args [] grids [[1]] exchange <ranks = 2, bytes = 256, cleared = true> : memref<4xf32>
}
