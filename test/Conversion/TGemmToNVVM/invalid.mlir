// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --split-input-file --verify-diagnostics

func.func @single(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf32> {
    // expected-error @+1 {{cannot be compiled for h200: it multiplies f32, but h200 has MMA instructions for f16 and bf16}}
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    tsync.yield %y : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// -----

func.func @no_tiling(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: it has no tiling; run tgemm-assign-tiling}}
    %y = tgemm.matmul %x, %x
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// The limits of a tiling are those that tgemm-assign-tiling checks.
func.func @rows(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled for h200: it needs blocks with m of 64, 128, 192 or 256 on h200, got 32}}
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 32, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// Sums in steps take as many registers again, unless a block's steps are few.
func.func @sums(%x: tensor<64x512xbf16>, %w: tensor<512x512xbf16>) -> (tensor<64x512xf32>, tensor<64x512xf32>) {
  %0:2 = tsync.chain mode(serial) : tensor<64x512xf32>, tensor<64x512xf32> {
    %y = tgemm.matmul %x, %w {sum_depth = 256, tiling = #tgemm.tiling<m = 64, n = 256, k = 64, split_k = 2>}
      : tensor<64x512xbf16>, tensor<512x512xbf16> -> tensor<64x512xf32>
    // expected-error @+1 {{cannot be compiled for h200: it needs 256 accumulators, with those of its sums, in each thread for a tile, but h200 has room for 184}}
    %z = tgemm.matmul %x, %w {sum_depth = 256, tiling = #tgemm.tiling<m = 64, n = 256, k = 64>}
      : tensor<64x512xbf16>, tensor<512x512xbf16> -> tensor<64x512xf32>
    tsync.yield %y, %z : tensor<64x512xf32>, tensor<64x512xf32>
  }
  return %0#0, %0#1 : tensor<64x512xf32>, tensor<64x512xf32>
}

// -----

// In one kernel, blocks have the warpgroups of the largest tile, and with them
// fewer registers for each thread.
func.func @accumulators(%x: tensor<512x512xf16>)
    -> (tensor<512x512xf16>, tensor<512x512xf16>) {
  %0:2 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<512x512xf16>, tensor<512x512xf16> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 192, n = 64, k = 64>}
      : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    // expected-error @+1 {{its tiles take 192 accumulators a thread, but at most 128 fit in blocks of 512 threads}}
    %z = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 256, n = 192, k = 64>}
      : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    tsync.yield %y, %z : tensor<512x512xf16>, tensor<512x512xf16>
  }
  return %0#0, %0#1 : tensor<512x512xf16>, tensor<512x512xf16>
}

// -----

func.func @wide(%x: tensor<512x512xf16>)
    -> (tensor<512x512xf16>, tensor<512x512xf16>) {
  %0:2 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<512x512xf16>, tensor<512x512xf16> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 192, n = 64, k = 64>}
      : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    // expected-error @+1 {{its blocks have 256 columns, too many for 512 threads}}
    %z = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 256, k = 64>}
      : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    tsync.yield %y, %z : tensor<512x512xf16>, tensor<512x512xf16>
  }
  return %0#0, %0#1 : tensor<512x512xf16>, tensor<512x512xf16>
}

// -----

// All tile kernels of one kernel have clusters of one size.
func.func @cluster_size(%x: tensor<512x512xf16>)
    -> (tensor<512x512xf16>, tensor<512x512xf16>) {
  %0:2 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<512x512xf16>, tensor<512x512xf16> {
    %y = tgemm.matmul %x, %x {
      tiling = #tgemm.tiling<m = 128, n = 64, k = 64, cluster_m = 2>
    } : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    // expected-error @+1 {{cannot be compiled for h200: its tiles take clusters of 1 blocks, but other tiles of its kernel clusters of 2}}
    %z = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    tsync.yield %y, %z : tensor<512x512xf16>, tensor<512x512xf16>
  }
  return %0#0, %0#1 : tensor<512x512xf16>, tensor<512x512xf16>
}

// -----

// Those that split steps do so to as many blocks. One that does not is no
// obstacle: the error is at the third.
func.func @splits(%x: tensor<512x512xf16>)
    -> (tensor<512x512xf16>, tensor<512x512xf16>, tensor<512x512xf16>) {
  %0:3 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>,
             affine_map<(i, j) -> (2, i, j)>]
      residents(1) : tensor<512x512xf16>, tensor<512x512xf16>, tensor<512x512xf16> {
    %w = tgemm.matmul %x, %x {
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, split_k = 4>
    } : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    %y = tgemm.matmul %x, %x {
      tiling = #tgemm.tiling<m = 256, n = 64, k = 64, cluster_m = 4>
    } : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    // expected-error @+1 {{cannot be compiled for h200: it has split-K by 2, but another tile kernel of its launch by 4}}
    %z = tgemm.matmul %x, %x {
      tiling = #tgemm.tiling<m = 128, n = 64, k = 64, cluster_m = 2, split_k = 2>
    } : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    tsync.yield %w, %y, %z
      : tensor<512x512xf16>, tensor<512x512xf16>, tensor<512x512xf16>
  }
  return %0#0, %0#1, %0#2
    : tensor<512x512xf16>, tensor<512x512xf16>, tensor<512x512xf16>
}

// -----

func.func @shared_memory(%x: tensor<512x512xf16>) -> tensor<512x512xf16> {
  %0 = tsync.chain mode(serial) : tensor<512x512xf16> {
    // expected-error @+1 {{a step takes 122880 bytes of shared memory, and 2 of them do not fit into 232448 bytes with the result's buffers}}
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 192, k = 192>}
      : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf16>
    tsync.yield %y : tensor<512x512xf16>
  }
  return %0 : tensor<512x512xf16>
}

// -----

func.func @factor_stride(%x: tensor<64x100xf16>, %w: tensor<100x64xf16>)
    -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{lhs must have rows that start at multiples of 16 bytes, but its strides are (100, 1) elements of 'f16'; pad the rows to a multiple of 8 elements}}
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x100xf16>, tensor<100x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @view_offset(%x: tensor<64x128xf16>, %w: tensor<64x64xf16>)
    -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    %v = tensor.extract_slice %x[0, 4] [64, 64] [1, 1]
      : tensor<64x128xf16> to tensor<64x64xf16>
    // expected-error @+1 {{rhs 0 must have rows that start at multiples of 16 bytes, but its strides are (128, 1) elements of 'f16' from element 4; start the slice at a multiple of 8 elements}}
    %y = tgemm.matmul %w, %v {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @epilogue(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{its epilogue has 'arith.extf', which it cannot have}}
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16> {
    ^bb0(%acc: f32):
      // expected-note @+1 {{the op makes 'f64'; epilogues compute in f16, bf16, f32 and integers}}
      %wide = arith.extf %acc : f32 to f64
      %out = arith.truncf %wide : f64 to f16
      tgemm.yield %out : f16
    }
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @no_order(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{cannot be compiled: it has no tile order; run tsync-assign-order}}
  %0 = tsync.chain mode(persistent) residents(1) : tensor<64x64xf16> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @no_policy(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<64x64xf16> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %z = tgemm.matmul %y, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{has no policy; run tsync-select-policy}}
    tsync.dependence %y -> %z operand 0
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %z : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @not_expanded(%x: tensor<64x128xf16>, %w: tensor<128x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf16> {
    // expected-error @+1 {{cannot be compiled: its tiling has stream-K tiles, but it has no partial sums; run tgemm-expand-stream-k}}
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>}
      : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// An order in which the second product waits for tiles that are still to be
// claimed: with one resident, it never ends.
func.func @unproved(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{cannot be compiled: nothing has proved that its tiles wait for what they read and cannot deadlock; run tsync-verify}}
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (1, i, j)>, affine_map<(i, j) -> (0, i, j)>]
      : tensor<64x64xf16> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %z = tgemm.matmul %y, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.dependence %y -> %z operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %z : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @sum_of_three_warpgroups(%x: tensor<192x64xf16>, %w: tensor<64x64xf16>) -> tensor<192x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<192x64xf16> {
    // expected-error @+1 {{needs blocks with m of 64, 128 or 256 for a sum over ranks on h200, got 192}}
    %y = tgemm.matmul %x, %w {sum_ranks = 2, tiling = #tgemm.tiling<m = 192, n = 64, k = 64>} : tensor<192x64xf16>, tensor<64x64xf16> -> tensor<192x64xf16>
    tsync.yield %y : tensor<192x64xf16>
  }
  return %0 : tensor<192x64xf16>
}

// -----

func.func @sum_of_wide_tiles(%x: tensor<128x64xf16>, %w: tensor<64x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(serial) : tensor<128x256xf16> {
    // expected-error @+1 {{needs blocks with n up to 192 beside m of 128 and a sum over ranks on h200, got 256}}
    %y = tgemm.matmul %x, %w {sum_ranks = 2, tiling = #tgemm.tiling<m = 128, n = 256, k = 64>} : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf16>
    tsync.yield %y : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

func.func @sum_of_odd_rows(%x: tensor<64x64xf16>, %w: tensor<68x64xf16>) -> tensor<64x68xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x68xf16> {
    // expected-error @+1 {{its result is summed over ranks, and its rows do not start and end at multiples of 16 bytes}}
    %y = tgemm.matmul %x, %w {transpose_rhs, sum_ranks = 2, tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<68x64xf16> -> tensor<64x68xf16>
    tsync.yield %y : tensor<64x68xf16>
  }
  return %0 : tensor<64x68xf16>
}
