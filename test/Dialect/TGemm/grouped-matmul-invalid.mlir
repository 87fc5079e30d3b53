// RUN: grout-opt %s -split-input-file -verify-diagnostics

func.func @ends_type(%x: tensor<64x32xf16>, %w: tensor<4x32x64xf16>, %ends: tensor<4xi64>) {
  // expected-error @+1 {{must be static 1-D tensor of i32, but got 'tensor<4xi64>'}}
  %0 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi64>) : tensor<64x32xf16>, tensor<4x32x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @groups(%x: tensor<64x32xf16>, %w: tensor<4x32x64xf16>, %ends: tensor<5xi32>) {
  // expected-error @+1 {{rhs 0 must be 5 x 32 x 64 (groups, K and N), but is 4 x 32 x 64}}
  %0 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<5xi32>) : tensor<64x32xf16>, tensor<4x32x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @transposed(%x: tensor<64x32xf16>, %w: tensor<4x32x64xf16>, %ends: tensor<4xi32>) {
  // expected-error @+1 {{rhs 0 must be 4 x 64 x 32 (groups, N and K), but is 4 x 32 x 64}}
  %0 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) {transpose_rhs} : tensor<64x32xf16>, tensor<4x32x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @rows(%x: tensor<64x32xf16>, %w: tensor<4x32x64xf16>, %ends: tensor<4xi32>) {
  // expected-error @+1 {{lhs has 64 rows, but the result 63}}
  %0 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) : tensor<64x32xf16>, tensor<4x32x64xf16> -> tensor<63x64xf16>
  return
}

// -----

func.func @types(%x: tensor<64x32xf16>, %w: tensor<4x32x64xbf16>, %ends: tensor<4xi32>) {
  // expected-error @+1 {{rhs 0 has elements of 'bf16', but lhs of 'f16'}}
  %0 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) : tensor<64x32xf16>, tensor<4x32x64xbf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @empty(%x: tensor<0x32xf16>, %w: tensor<4x32x64xf16>, %ends: tensor<4xi32>) {
  // expected-error @+1 {{needs extents of at least 1}}
  %0 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) : tensor<0x32xf16>, tensor<4x32x64xf16> -> tensor<0x64xf16>
  return
}

// -----

func.func @parts(%x: tensor<64x256xf16>, %w: tensor<4x256x64xf16>, %ends: tensor<4xi32>) {
  // expected-error @+1 {{cannot use stream-K}}
  %0 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 1>} : tensor<64x256xf16>, tensor<4x256x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @chain(%x: tensor<64x64xf16>, %w: tensor<4x64x64xf16>, %p: tensor<64x64xf16>, %ends: tensor<4xi32>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    // expected-error @+1 {{needs a chain of its own: what its tiles write is known only when it runs}}
    %1 = tgemm.grouped_matmul %x, %w ends(%ends : tensor<4xi32>) {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<4x64x64xf16> -> tensor<64x64xf16>
    %2 = tgemm.matmul %1, %p {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %2 : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
