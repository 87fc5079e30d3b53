// RUN: grout-opt %s --convert-linalg-to-scop --scop-schedule \
// RUN:   --convert-scop-to-gpu | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX

// Tiles of 64 x 64 go through shared memory, in columns of 66 elements, so that
// neighbouring columns are in different banks. Reads and writes have 16 bytes.

// CHECK-LABEL: launch.plan @transpose
// CHECK: grids {{\[\[}}4096]] {block = 256 : i64}
// CHECK: llvm.mlir.global internal @transpose_kernel0_shared0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8448 x i8>
// PTX-LABEL: .entry transpose_kernel0
// PTX-COUNT-2: ld.global.v4.b32
// PTX: st.shared.b32
// PTX: bar.sync
// PTX: ld.shared
// PTX: st.global.v4.b32
func.func @transpose(%x: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %e = tensor.empty() : tensor<4096x4096xf16>
  %y = linalg.transpose ins(%x : tensor<4096x4096xf16>) outs(%e : tensor<4096x4096xf16>) permutation = [1, 0]
  return %y : tensor<4096x4096xf16>
}

// Where the innermost dimension stays, rows are copied as they are.

// CHECK-LABEL: launch.plan @heads
// PTX-LABEL: .entry heads_kernel0
// PTX-NOT: bar.sync
// PTX: ld.global.v4.b32
// PTX: st.global.v4.b32
func.func @heads(%x: tensor<16x12x128x64xf16>) -> tensor<16x128x12x64xf16> {
  %e = tensor.empty() : tensor<16x128x12x64xf16>
  %y = linalg.transpose ins(%x : tensor<16x12x128x64xf16>) outs(%e : tensor<16x128x12x64xf16>) permutation = [0, 2, 1, 3]
  return %y : tensor<16x128x12x64xf16>
}

// All of 85 columns, of 48 rows; the last tile has fewer rows.

// CHECK-LABEL: launch.plan @permute
// CHECK: grids {{\[\[}}5472]] {block = 256 : i64}
// CHECK: !llvm.array<16660 x i8>
// PTX-LABEL: .entry permute_kernel0
// PTX: ld.global.v4.b32
// PTX: st.shared
// PTX: bar.sync
// PTX: st.global.b32
func.func @permute(%x: tensor<32x3x85x52x52xf32>) -> tensor<32x3x52x52x85xf32> {
  %e = tensor.empty() : tensor<32x3x52x52x85xf32>
  %y = linalg.transpose ins(%x : tensor<32x3x85x52x52xf32>) outs(%e : tensor<32x3x52x52x85xf32>) permutation = [0, 1, 3, 4, 2]
  return %y : tensor<32x3x52x52x85xf32>
}
