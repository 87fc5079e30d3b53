// RUN: grout-opt %s -split-input-file -tsync-verify | FileCheck %s
// RUN: not grout-opt %s -split-input-file -tsync-verify=residents=8 2>&1 | FileCheck %s --check-prefix=BOUND

// A row of producers for each consumer tile.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// One semaphore for all: coarser is safe.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> ()>, shape = [], counts = [16],
         lower = affine_map<(i, j, k) -> ()>,
         upper = affine_map<(i, j, k) -> ()>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// A box of both rows, clamped at the ends.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i - 1)>,
         upper = affine_map<(i, j, k) -> (i + 1)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// Rows of both kernels in turn.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (i, 0, j)>, affine_map<(i, j) -> (i, 1, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// Consumers first: with eight of them resident nothing moves, with nine it does.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(9)
// BOUND: error: {{.*}}9
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (1, i, j)>, affine_map<(i, j) -> (0, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// In mode overlap kernels start one after another, so the same order is one for
// each kernel alone, and one resident is enough.
// CHECK: tsync.chain mode(overlap) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (1, i, j)>, affine_map<(i, j) -> (0, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}
