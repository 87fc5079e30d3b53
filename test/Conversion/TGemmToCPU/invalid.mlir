// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels --split-input-file --verify-diagnostics

func.func @no_tiling(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tsync.chain mode(serial) : tensor<32x32xf32> {
    // expected-error @+1 {{cannot be compiled for the CPU: it has no tile shape; run tgemm-assign-tiling or give it one}}
    %y = tgemm.matmul %x, %x
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @no_order(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // expected-error @+1 {{has no tile order; run tsync-assign-order}}
  %0 = tsync.chain mode(persistent) : tensor<32x32xf32> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @unproved(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // expected-error @+1 {{cannot be compiled: nothing has proved that its tiles wait for what they read and cannot deadlock; run tsync-verify}}
  %0 = tsync.chain mode(persistent) order [affine_map<(i, j) -> (i, j)>]
      : tensor<32x32xf32> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @large_tile(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = tsync.chain mode(serial) : tensor<1024x1024xf32> {
    // expected-error @+1 {{a tile needs 4329472 bytes of local memory, more than 2097152; use a smaller tiling}}
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 1024, n = 1024, k = 32>}
      : tensor<1024x1024xf32>, tensor<1024x1024xf32> -> tensor<1024x1024xf32>
    tsync.yield %y : tensor<1024x1024xf32>
  }
  return %0 : tensor<1024x1024xf32>
}

// -----

func.func @computed_fill(%x: tensor<32x32xf32>, %s: f32)
    -> tensor<32x32xf32> {
  %empty = tensor.empty() : tensor<32x32xf32>
  // expected-error @+1 {{cannot be compiled: 'linalg.fill' fills with a value that is not a constant}}
  %fill = linalg.fill ins(%s : f32) outs(%empty : tensor<32x32xf32>)
    -> tensor<32x32xf32>
  %0 = tsync.chain mode(serial) : tensor<32x32xf32> {
    %y = linalg.matmul {grout.tile_sizes = array<i64: 8, 8, 8>}
      ins(%x, %x : tensor<32x32xf32>, tensor<32x32xf32>)
      outs(%fill : tensor<32x32xf32>) -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

// Only a linalg op on the CPU makes a fill part of itself.

func.func @filled_operand(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  // expected-note @+1 {{the tensor is made by 'linalg.fill'}}
  %fill = linalg.fill ins(%one : f32) outs(%empty : tensor<32x32xf32>)
    -> tensor<32x32xf32>
  %0 = tsync.chain mode(serial) : tensor<32x32xf32> {
    // expected-error @+1 {{cannot be compiled: it reads a tensor that is not a strided part of a buffer}}
    %y = tgemm.matmul %fill, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @computed_init(%x: tensor<32x32xf32>, %b: tensor<32xf32>)
    -> tensor<32x32xf32> {
  %empty = tensor.empty() : tensor<32x32xf32>
  // expected-error @+1 {{cannot be compiled: there is no kernel for 'linalg.broadcast', as no pass before made one of it}}
  %init = linalg.broadcast ins(%b : tensor<32xf32>)
    outs(%empty : tensor<32x32xf32>) dimensions = [0]
  %0 = tsync.chain mode(serial) : tensor<32x32xf32> {
    %y = linalg.matmul {grout.tile_sizes = array<i64: 8, 8, 8>}
      ins(%x, %x : tensor<32x32xf32>, tensor<32x32xf32>)
      outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @captured(%x: tensor<32x32xf32>, %s: tensor<32xf32>)
    -> tensor<32x32xf32> {
  %empty = tensor.empty() : tensor<32x32xf32>
  %c0 = arith.constant 0 : index
  %0 = tsync.chain mode(serial) : tensor<32x32xf32> {
    %f = tensor.extract %s[%c0] : tensor<32xf32>
    // expected-error @+1 {{its body uses a value from outside that is not a constant}}
    %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"],
      grout.tile_sizes = array<i64: 8, 32>}
        ins(%x : tensor<32x32xf32>) outs(%empty : tensor<32x32xf32>) {
    ^bb0(%v: f32, %_: f32):
      %scaled = arith.mulf %v, %f : f32
      linalg.yield %scaled : f32
    } -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @overlap(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // expected-error @+1 {{cannot be compiled for cpu: it has no programmatic dependent launch, as mode overlap needs; use serial or persistent}}
  %0 = tsync.chain mode(overlap) : tensor<32x32xf32> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @pdl(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // expected-error @+1 {{cannot be compiled for cpu: it has no programmatic dependent launch, as mode pdl needs; use serial or persistent}}
  %0 = tsync.chain mode(pdl) : tensor<32x32xf32> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @mode_of_edge(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tsync.chain mode(serial) : tensor<32x32xf32> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %z = tgemm.matmul %y, %x {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    // expected-error @+1 {{cannot be compiled for cpu: it has no programmatic dependent launch, as mode pdl needs; use serial}}
    tsync.dependence %y -> %z operand 0 mode(pdl)
      : tensor<32x32xf32>, tensor<32x32xf32>
    tsync.yield %z : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @not_expanded(%x: tensor<32x64xf32>, %w: tensor<64x32xf32>) -> tensor<32x32xf32> {
  %0 = tsync.chain mode(serial) : tensor<32x32xf32> {
    // expected-error @+1 {{cannot be compiled: its tiling has stream-K tiles, but it has no partial sums; run tgemm-expand-stream-k}}
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 32, n = 32, k = 32, stream_k = 2, tail = 1>}
      : tensor<32x64xf32>, tensor<64x32xf32> -> tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}

// -----

func.func @sum_over_ranks(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tsync.chain mode(serial) : tensor<64x64xf32> {
    // expected-error @+1 {{cannot be compiled for the CPU: it sums over ranks; use collective.all_reduce}}
    %y = tgemm.matmul %x, %x {sum_ranks = 2, tiling = #tgemm.tiling<m = 32, n = 32, k = 32>} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    tsync.yield %y : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}
