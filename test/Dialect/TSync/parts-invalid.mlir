// RUN: grout-opt %s -split-input-file -tsync-verify=residents=4 -verify-diagnostics

// Tiles in parts, in chains that are otherwise synchronised by launch: what the
// proof finds if something of the dependence is left out.

#tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 4, tail = 2>

// No wait.

func.func @no_wait(%x: tensor<128x256xf16>, %w: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(serial)
      order [affine_map<(i, j, p) -> (0, i, j, p)>, affine_map<(i, j) -> (1, i, j, 0)>]
      : tensor<128x512xf16> {
    // expected-note @+1 {{the producer is here}}
    %s = tgemm.partial_sums %x, %w {tiling = #tiling}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<2x2x3x4096xf32>
    // expected-error @+1 {{tile matmul1[0, 6] at step 0 reads what is written by tile partial_sums0[0, 0, 0], but does not wait for it (operand 2)}}
    %y = tgemm.matmul %x, %w partial_sums(%s : tensor<2x2x3x4096xf32>) {tiling = #tiling}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    tsync.yield %y : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

#tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 4, tail = 2>

// A guard that leaves out a column of tiles that have parts.

func.func @guard(%x: tensor<128x256xf16>, %w: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(pdl)
      order [affine_map<(i, j, p) -> (0, i, j, p)>, affine_map<(i, j) -> (1, i, j, 0)>]
      : tensor<128x512xf16> {
    // expected-note @+1 {{the producer is here}}
    %s = tgemm.partial_sums %x, %w {tiling = #tiling}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<2x2x3x4096xf32>
    // expected-error @+1 {{tile matmul1[0, 6] at step 0 reads what is written by tile partial_sums0[0, 0, 0], but does not wait for it (operand 2)}}
    %y = tgemm.matmul %x, %w partial_sums(%s : tensor<2x2x3x4096xf32>) {tiling = #tiling}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    tsync.dependence %s -> %y operand 2 policy
        <semaphore = affine_map<(i, j, p) -> (i, j)>, shape = [2, 2], counts = [3],
         lower = affine_map<(i, j, k) -> (i, j - 6)>,
         upper = affine_map<(i, j, k) -> (i, j - 6)>,
         guard = affine_map<(i, j) -> (j - 7)>>
        : tensor<2x2x3x4096xf32>, tensor<128x512xf16>
    tsync.yield %y : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

#tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 4, tail = 2>

// A post less than there are parts is waited for.

func.func @count(%x: tensor<128x256xf16>, %w: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(serial)
      order [affine_map<(i, j, p) -> (0, i, j, p)>, affine_map<(i, j) -> (1, i, j, 0)>]
      : tensor<128x512xf16> {
    %s = tgemm.partial_sums %x, %w {tiling = #tiling}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<2x2x3x4096xf32>
    %y = tgemm.matmul %x, %w partial_sums(%s : tensor<2x2x3x4096xf32>) {tiling = #tiling}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-error @+1 {{semaphore [0, 0] is posted 3 times, but its count is 2: a wait would cover too few tiles}}
    tsync.dependence %s -> %y operand 2 policy
        <semaphore = affine_map<(i, j, p) -> (i, j)>, shape = [2, 2], counts = [2],
         lower = affine_map<(i, j, k) -> (i, j - 6)>,
         upper = affine_map<(i, j, k) -> (i, j - 6)>,
         guard = affine_map<(i, j) -> (j - 6)>>
        : tensor<2x2x3x4096xf32>, tensor<128x512xf16>
    tsync.yield %y : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

#tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 4, tail = 2>

// Tiles before their parts, with no more places than there are such tiles.

func.func @order(%x: tensor<128x256xf16>, %w: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(serial)
      order [affine_map<(i, j, p) -> (1, i, j, p)>, affine_map<(i, j) -> (0, i, j, 0)>]
      : tensor<128x512xf16> {
    // expected-note @+1 {{the producer is here}}
    %s = tgemm.partial_sums %x, %w {tiling = #tiling}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<2x2x3x4096xf32>
    %y = tgemm.matmul %x, %w partial_sums(%s : tensor<2x2x3x4096xf32>) {tiling = #tiling}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    // expected-error @+1 {{deadlock: 5 resident tiles are needed, but there are 4; tile matmul1[1, 7] waits for the later tile partial_sums0[1, 1, 2]}}
    tsync.dependence %s -> %y operand 2 policy
        <semaphore = affine_map<(i, j, p) -> (i, j)>, shape = [2, 2], counts = [3],
         lower = affine_map<(i, j, k) -> (i, j - 6)>,
         upper = affine_map<(i, j, k) -> (i, j - 6)>,
         guard = affine_map<(i, j) -> (j - 6)>>
        : tensor<2x2x3x4096xf32>, tensor<128x512xf16>
    tsync.yield %y : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}
