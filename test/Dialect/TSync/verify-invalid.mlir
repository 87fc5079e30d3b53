// RUN: grout-opt %s -split-input-file -tsync-verify -verify-diagnostics

// No wait at all.

func.func @no_wait(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-error @+1 {{tile matmul1[0, 0] at step 0 reads what is written by tile matmul0[0, 0], but does not wait for it (operand 0)}}
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// The wait is for the other row.

func.func @wrong_row(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-error @+1 {{tile matmul1[0, 0] at step 0 reads what is written by tile matmul0[0, 0], but does not wait for it (operand 0)}}
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (1 - i)>,
         upper = affine_map<(i, j, k) -> (1 - i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// The wait comes a step too late.

func.func @late(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-error @+1 {{tile matmul1[0, 0] at step 1 reads what is written by tile matmul0[0, 1], but does not wait for it (operand 0)}}
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i, j)>, shape = [2, 8], counts = [1],
         lower = affine_map<(i, j, k) -> (i, k - 1)>,
         upper = affine_map<(i, j, k) -> (i, k - 1)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// A count that covers too little.

func.func @count_too_low(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    // expected-error @+1 {{semaphore [0] is posted 8 times, but its count is 7: a wait would cover too few tiles}}
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [7],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// A count that is never reached.

func.func @count_too_high(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    // expected-error @+1 {{semaphore [0] is posted 8 times, but its count is 9: a wait could never end}}
    tsync.dependence %h -> %o operand 0 policy 
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [9],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// In mode overlap the same is proved: a wait for the kernel before does not cover
// the one before that, whose tiles an epilogue reads.

func.func @overlap_no_wait(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<256x256xf16>, %w3: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<128x512xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %l = tgemm.matmul %x, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x256xf16> -> tensor<128x256xf16>
    // expected-error @+1 {{tile matmul2[0, 0] at step 0 reads what is written by tile matmul0[0, 0], but does not wait for it (operand 2)}}
    %r = tgemm.matmul %l, %w3 epilogue(%h : tensor<128x512xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
    } : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16> {
    ^bb0(%acc: f32, %in: f16):
      %out = arith.truncf %acc : f32 to f16
      %sum = arith.addf %out, %in : f16
      tgemm.yield %sum : f16
    }
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

// So are counts: one post that is missing, or one too many.

func.func @overlap_count(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    // expected-error @+1 {{semaphore [0] is posted 8 times, but its count is 7: a wait would cover too few tiles}}
    tsync.dependence %h -> %o operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [7],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
        : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// Two tiles at one time.

func.func @tie(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, 0)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    // expected-error @+2 {{tile matmul0[0, 1] has the same place in the order as tile matmul0[0, 0]}}
    // expected-note @+1 {{the producer is here}}
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

// Without an order nothing can be said.

func.func @no_order(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  // expected-error @+1 {{has no tile order; run tsync-assign-order}}
  %0 = tsync.chain mode(persistent)
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

// A policy that tells steps apart does not fit what the epilogue reads.

func.func @epilogue_step(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %o = tgemm.matmul %x, %x epilogue(%h : tensor<64x64xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 32, n = 32, k = 32>
    } : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16> {
    ^bb0(%acc: f32, %r: f16):
      tgemm.yield %r : f16
    }
    // expected-error @+1 {{operand 2 is read once, after the last step, but the policy's waits depend on the step}}
    tsync.dependence %h -> %o operand 2 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [2],
         lower = affine_map<(i, j, k) -> (i + k)>,
         upper = affine_map<(i, j, k) -> (i + k)>>
        : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// The end of %h is not waited for by %r, which starts early, though %l has waited:
// only tiles of %l tell so, and %r waits for none.

func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>, %w3: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<128x512xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-note @+1 {{the producer is here}}
    %l = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    // expected-error @+1 {{tile matmul2[0, 0] at step 0 reads what is written by tile matmul1[0, 0], but does not wait for it (operand 0)}}
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
    tsync.dependence %h -> %r operand 2 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<128x512xf16>, tensor<128x512xf16>
    tsync.yield %r : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

// An operand by tile is not covered by the wait for the launch of another one: who
// loads the factor does not wait for it.

func.func @f(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>, %w3: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<128x512xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-note @+1 {{the producer is here}}
    %l = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    // expected-error @+1 {{tile matmul2[1, 0] at step 0 reads what is written by tile matmul1[1, 0], but does not wait for it (operand 0)}}
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
    tsync.dependence %l -> %r operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [4],
         lower = affine_map<(i, j, k) -> (0)>,
         upper = affine_map<(i, j, k) -> (0)>>
      : tensor<128x256xf16>, tensor<128x512xf16>
    tsync.dependence %h -> %r operand 2 mode(pdl)
      : tensor<128x512xf16>, tensor<128x512xf16>
    tsync.yield %r : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

// Nor is a factor by what the epilogue waits for, which is later.

func.func @f(%x: tensor<128x256xf16>, %w: tensor<256x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<128x256xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x256xf16> -> tensor<128x256xf16>
    // expected-error @+1 {{tile matmul1[0, 0] at step 0 reads what is written by tile matmul0[0, 0], but does not wait for it (operand 0)}}
    %o = tgemm.matmul %h, %w epilogue(%h : tensor<128x256xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
    } : tensor<128x256xf16>, tensor<256x256xf16> -> tensor<128x256xf16> {
    ^bb0(%acc: f32, %in: f16):
      %out = arith.truncf %acc : f32 to f16
      %sum = arith.addf %out, %in : f16
      tgemm.yield %sum : f16
    }
    tsync.dependence %h -> %o operand 2 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [4],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<128x256xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// Counts matter where a dependence is by tile.

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
    tsync.dependence %h -> %l operand 0 mode(pdl)
      : tensor<128x512xf16>, tensor<128x256xf16>
    // expected-error @+1 {{semaphore [0] is posted 4 times, but its count is 3: a wait would cover too few tiles}}
    tsync.dependence %l -> %r operand 0 mode(overlap) policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [3],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<128x256xf16>, tensor<128x512xf16>
    tsync.dependence %h -> %r operand 2 mode(overlap) policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [2], counts = [8],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<128x512xf16>, tensor<128x512xf16>
    tsync.yield %r : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

// Two blocks split the steps, and the first waits for what both of them read.

func.func @other_block(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-error @+1 {{tile matmul1[0, 0] at step 4 reads what is written by tile matmul0[0, 4], but does not wait for it (operand 0)}}
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 2>}
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

// Every other step waits for what the next one reads, but that is another block's.

func.func @next_block(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x256xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-error @+1 {{tile matmul1[0, 0] at step 1 reads what is written by tile matmul0[0, 1], but does not wait for it (operand 0)}}
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 8>}
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

// Each of two blocks has waited for half of the row when its steps are over, but
// the epilogue of either reads from all of it.

func.func @half(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<128x512xf16> {
    // expected-note @+1 {{the producer is here}}
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-error @+1 {{tile matmul1[0, 3] at step 4 reads what is written by tile matmul0[0, 3], but does not wait for it (operand 2)}}
    %o = tgemm.matmul %h, %w2 epilogue(%h : tensor<128x512xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 2>
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
