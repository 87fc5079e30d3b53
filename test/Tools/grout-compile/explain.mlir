// REQUIRES: grout-compile
// RUN: grout-compile %s --target=h200 --no-reference --explain --timeline=%t.svg -o %t.grout | FileCheck %s
// RUN: FileCheck %s --check-prefix=SVG < %t.svg
// RUN: grout-compile %s --target=h200 --no-reference --mode=serial --explain -o %t.grout | FileCheck %s --check-prefix=SERIAL
// RUN: grout-compile %s --target=h200 --no-reference --mode=pdl --explain --timeline=%t.pdl.svg -o %t.pdl.grout | FileCheck %s --check-prefix=PDL
// RUN: FileCheck %s --check-prefix=PDL-SVG < %t.pdl.svg
// RUN: grout-run %t.pdl.grout --info | FileCheck %s --check-prefix=PDL-INFO
// RUN: grout-compile %s --target=h200 --no-reference --mode=overlap --explain --timeline=%t.overlap.svg -o %t.overlap.grout | FileCheck %s --check-prefix=OVERLAP
// RUN: FileCheck %s --check-prefix=OVERLAP-SVG < %t.overlap.svg
// RUN: grout-run %t.overlap.grout --info | FileCheck %s --check-prefix=OVERLAP-INFO
// RUN: grout-compile %s --target=h200 --no-reference --mode=overlap --edge-modes=pdl --explain --timeline=%t.edge.svg -o %t.edge.grout | FileCheck %s --check-prefix=EDGE
// RUN: FileCheck %s --check-prefix=PDL-SVG < %t.edge.svg
// RUN: grout-compile %s --target=h200 --no-reference --mode=pdl --edge-modes=serial --explain -o %t.grout | FileCheck %s --check-prefix=ORDER

// CHECK: chain 0, mode persistent, target h200
// CHECK: kernel matmul0 (tgemm.matmul)
// CHECK:   problem     512 x 1024 x 256 (M x N x K), 1 product of f16
// CHECK:   tile        128 x 128, steps of 64, 4 stages
// CHECK:   tiles       4 x 8 = 32, 4 steps each
// CHECK:   waves       0.24 of 132 processors
// CHECK: kernel matmul1
// CHECK: edge matmul0 -> matmul1 (operand 0)
// CHECK:   relation    { matmul1[i0, i1, i2] -> matmul0[
// CHECK:   policy      RowSync,
// CHECK:   semaphores  4 (0 to 3), complete after 8 posts each
// CHECK:   waits       1 in the first tile of matmul1, of 16 steps
// CHECK: proof         every read is covered, no overwrite is lost, no deadlock with 1 resident tile or more
// CHECK: launch two_chain0
// CHECK:   threads         384 in a block
// CHECK:   shared memory   {{[0-9]+}} of 232448 bytes
// CHECK:   registers

// A legend and two panels.
// SVG: <svg xmlns
// SVG: >matmul1</text>
// SVG: >matmul0</text>
// SVG: one kernel after another:
// SVG: synchronised by tile:
// SVG: </svg>

// SERIAL: chain 0, mode serial
// SERIAL-NOT: start
// SERIAL: policy      none: kernels wait for kernels
// SERIAL: proof         every kernel ends before the next begins
// SERIAL: launch two_chain0

// PDL: chain 0, mode pdl
// PDL: kernel matmul0
// PDL:   start       when all launches before have ended
// PDL-NOT: operand
// PDL: kernel matmul1
// PDL:        start       before matmul0 has ended
// PDL-NEXT:   operand 0   loaded after the wait: matmul0 writes it
// PDL-NEXT:   operand 1   loaded without a wait: no kernel of the chain writes it
// PDL: policy      none: kernels wait for kernels
// PDL: proof         every kernel waits for those before it before it touches what the chain writes
// PDL: launch two_chain0_kernel0
// PDL: launch two_chain0_kernel1

// OVERLAP: chain 0, mode overlap
// OVERLAP: kernel matmul0
// OVERLAP:   start       when all launches before have ended
// OVERLAP: kernel matmul1
// OVERLAP:   start       when all blocks of matmul0 have started
// OVERLAP-NOT: operand
// OVERLAP: edge matmul0 -> matmul1 (operand 0)
// OVERLAP:   policy      RowSync,
// OVERLAP: proof         every read is covered, no overwrite is lost, no deadlock with 1 resident tile or more
// OVERLAP-NEXT: residency     by launch order: no block starts before all those of earlier kernels have, so none waits for one that is not resident
// OVERLAP: launch two_chain0_kernel0
// OVERLAP: launch two_chain0_kernel1

// What a mode of its own does to an edge, and what the other way would be worth.
// EDGE: chain 0, mode overlap
// EDGE: kernel matmul1
// EDGE:        start       before matmul0 has ended
// EDGE-NEXT:   operand 0   loaded after the wait: matmul0 writes it
// EDGE:        by tile     gains nothing: all tiles of the kernel before run at once; costs 1.50 us (model)
// EDGE: edge matmul0 -> matmul1 (operand 0)
// EDGE:   mode        pdl
// EDGE:   policy      none: kernels wait for kernels

// ORDER: kernel matmul1
// ORDER:   start       when all launches before have ended
// ORDER:   mode        serial

// OVERLAP-SVG: one kernel after another:
// OVERLAP-SVG: launches that overlap, synchronised by tile:

// OVERLAP-INFO: two for h200, mode overlap
// OVERLAP-INFO: launch 0 'two_chain0_kernel0'
// OVERLAP-INFO:   32 tasks, 4 semaphores
// OVERLAP-INFO-NOT: semaphores of launch
// OVERLAP-INFO: launch 1 'two_chain0_kernel1'
// OVERLAP-INFO:   16 tasks, 0 semaphores
// OVERLAP-INFO:   uses the semaphores of launch 0
// OVERLAP-INFO:   after launch 0, Tile

// PDL-SVG: one kernel after another:
// PDL-SVG: programmatic dependent launch:

// PDL-INFO: two for h200, mode pdl
// PDL-INFO: launch 0 'two_chain0_kernel0'
// PDL-INFO-NOT: after
// PDL-INFO: launch 1 'two_chain0_kernel1'
// PDL-INFO: after launch 0, Programmatic
func.func @two(%x: tensor<512x256xf16>, %w1: tensor<256x1024xf16>,
               %w2: tensor<1024x512xf16>) -> tensor<512x512xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
    : tensor<512x256xf16>, tensor<256x1024xf16> -> tensor<512x1024xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
    : tensor<512x1024xf16>, tensor<1024x512xf16> -> tensor<512x512xf16>
  return %y : tensor<512x512xf16>
}
