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

// -----

// By launch and by tile in one chain. The residual needs no wait of its own: the
// tiles of %l that %r waits for come after the end of %h, for which %l waits.
// CHECK: tsync.chain mode(overlap) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>, %w3: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<128x512xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %l = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    %r = tgemm.matmul %l, %w3 epilogue(%h : tensor<128x512xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
    } : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16> {
    ^bb0(%acc: f32, %in: f16):
      %out = arith.truncf %acc : f32 to f16
      %sum = arith.addf %out, %in : f16
      tgemm.yield %sum : f16
    }
    tsync.dependence %h -> %l operand 0 mode(pdl)
      : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.dependence %l -> %r operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [4],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<128x256xf16>, tensor<128x512xf16>
    tsync.yield %r : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

// A wait for the launch before covers those before it, too, as each waits at its
// end at the latest.
// CHECK: tsync.chain mode(pdl) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>, %w3: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(pdl)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<128x512xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %l = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    %r = tgemm.matmul %l, %w3 epilogue(%h : tensor<128x512xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
    } : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16> {
    ^bb0(%acc: f32, %in: f16):
      %out = arith.truncf %acc : f32 to f16
      %sum = arith.addf %out, %in : f16
      tgemm.yield %sum : f16
    }
    tsync.dependence %h -> %l operand 0 mode(overlap) policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.dependence %l -> %r operand 0 mode(pdl)
      : tensor<128x256xf16>, tensor<128x512xf16>
    tsync.dependence %h -> %r operand 2 mode(pdl)
      : tensor<128x512xf16>, tensor<128x512xf16>
    tsync.yield %r : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

// So does an ordinary launch.
// CHECK: tsync.chain mode(overlap) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>, %w3: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<128x512xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %l = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    %r = tgemm.matmul %l, %w3 epilogue(%h : tensor<128x512xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
    } : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16> {
    ^bb0(%acc: f32, %in: f16):
      %out = arith.truncf %acc : f32 to f16
      %sum = arith.addf %out, %in : f16
      tgemm.yield %sum : f16
    }
    tsync.dependence %h -> %l operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.dependence %l -> %r operand 0 mode(serial)
      : tensor<128x256xf16>, tensor<128x512xf16>
    tsync.yield %r : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

// The first step waits for what all of them read.
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
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [2, 8], counts = [1],
         lower = affine_map<(i, j, k) -> (i, 0)>,
         upper = affine_map<(i, j, k) -> (i, 7 - k * 8)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// Two blocks split the steps: the first step of each does.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 2>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [2, 8], counts = [1],
         lower = affine_map<(i, j, k) -> (i, (k floordiv 4) * 4)>,
         upper = affine_map<(i, j, k) -> (i, 3 + (k floordiv 4) * 4 - (k mod 4) * 4)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// Every other step waits for what the next one reads, which the same block runs.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 4>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [2, 8], counts = [1],
         lower = affine_map<(i, j, k) -> (i, k - k mod 2)>,
         upper = affine_map<(i, j, k) -> (i, k + 1 - (k mod 2) * 2)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// Blocks that split rows or columns run all steps.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, cluster_m = 2, cluster_n = 2>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [2, 8], counts = [1],
         lower = affine_map<(i, j, k) -> (i, 0)>,
         upper = affine_map<(i, j, k) -> (i, 7 - k * 8)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// When the steps are over, all of the row has been waited for, so the epilogue
// needs no wait of its own.
// CHECK: tsync.chain mode(persistent) order [{{.*}}] residents(1)
func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x512xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 epilogue(%h : tensor<128x512xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
    } : tensor<128x512xf16>, tensor<512x512xf16> -> tensor<128x512xf16> {
    ^bb0(%acc: f32, %in: f16):
      %out = arith.truncf %acc : f32 to f16
      %sum = arith.addf %out, %in : f16
      tgemm.yield %sum : f16
    }
    tsync.dependence %h -> %o operand 0 policy
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [2, 8], counts = [1],
         lower = affine_map<(i, j, k) -> (i, k)>,
         upper = affine_map<(i, j, k) -> (i, k)>>
        : tensor<128x512xf16>, tensor<128x512xf16>
    tsync.yield %o : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

// Others may implement the interface for ops of linalg, so that their answers are
// recorded. Those of Grout's ops are not, and what is stale goes.
// CHECK-LABEL: func.func @proved_answers
// CHECK: linalg.matmul {grout.tile_sizes = array<i64: 64, 64, 64>, tsync.proved_answers = {{-?[0-9]+}} : i64}
// CHECK: tgemm.matmul {{.*}} {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
func.func @proved_answers(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %e = tensor.empty() : tensor<64x64xf16>
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    %h = linalg.matmul {grout.tile_sizes = array<i64: 64, 64, 64>}
      ins(%x, %x : tensor<64x64xf16>, tensor<64x64xf16>) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
    %o = tgemm.matmul %h, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>, tsync.proved_answers = 5}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.dependence %h -> %o operand 0 : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
