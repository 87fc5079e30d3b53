// RUN: grout-opt %s --grout-set-target=name=h200 --convert-tiles-to-kernels --split-input-file --verify-diagnostics

launch.plan @many inputs 3 {
^bb0(%x: memref<64x64xf16>, %w: memref<65536x64x64xf16>, %ends: memref<65536xi32>, %y: memref<64x64xf16>):
  %0 = launch.tiles "many" ins(%x, %w, %ends) outs(%y) : (memref<64x64xf16>, memref<65536x64x64xf16>, memref<65536xi32>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>, %b: tensor<65536x64x64xf16>, %e: tensor<65536xi32>):
    // expected-error @+1 {{cannot be compiled for h200: it has 65536 groups of rows, but kernels take fewer than 65536}}
    %1 = tgemm.grouped_matmul %a, %b ends(%e : tensor<65536xi32>) {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<65536x64x64xf16> -> tensor<64x64xf16>
    launch.yield %1 : tensor<64x64xf16>
  }
}

// -----

// A table of so many groups does not fit beside the stages.
launch.plan @table inputs 3 {
^bb0(%x: memref<64x64xf16>, %w: memref<40000x64x64xf16>, %ends: memref<40000xi32>, %y: memref<64x64xf16>):
  %0 = launch.tiles "table" ins(%x, %w, %ends) outs(%y) : (memref<64x64xf16>, memref<40000x64x64xf16>, memref<40000xi32>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>, %b: tensor<40000x64x64xf16>, %e: tensor<40000xi32>):
    // expected-error @+1 {{with the result's buffers and the table of groups, which takes 524296 bytes}}
    %1 = tgemm.grouped_matmul %a, %b ends(%e : tensor<40000xi32>) {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<40000x64x64xf16> -> tensor<64x64xf16>
    launch.yield %1 : tensor<64x64xf16>
  }
}

// -----

// Written by hand: no pass puts another kernel into the launch.
launch.plan @two inputs 3 {
^bb0(%x: memref<64x64xf16>, %w: memref<4x64x64xf16>, %ends: memref<4xi32>, %y: memref<64x64xf16>, %z: memref<64x64xf16>):
  %0 = launch.tiles "two" ins(%x, %w, %ends) outs(%y, %z) : (memref<64x64xf16>, memref<4x64x64xf16>, memref<4xi32>) -> (memref<64x64xf16>, memref<64x64xf16>) {
  ^bb0(%a: tensor<64x64xf16>, %b: tensor<4x64x64xf16>, %e: tensor<4xi32>):
    // expected-error @+1 {{cannot be compiled for h200: its rows are in groups, but other tile kernels are in its launch}}
    %1 = tgemm.grouped_matmul %a, %b ends(%e : tensor<4xi32>) {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<4x64x64xf16> -> tensor<64x64xf16>
    %2 = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %1, %2 : tensor<64x64xf16>, tensor<64x64xf16>
  }
}
