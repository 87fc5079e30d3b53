// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels \
// RUN:   | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

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
  %y = scop.kernel ins(%x : tensor<4096x4096xf16>) outs(%e : tensor<4096x4096xf16>)
      schedule <[linear band 0 coincident map thread_y,
                 linear band 0 coincident map thread_x vector 8],
                @S = (d0, d1) -> (d0, d1)> -> tensor<4096x4096xf16> {
  ^bb0(%X: memref<4096x4096xf16>, %Y: memref<4096x4096xf16>):
    scop.stmt @S domain [4096, 4096] reads(%X[(d0, d1) -> (d1, d0)] : memref<4096x4096xf16>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4096x4096xf16>) {
    ^bb0(%a: f16):
      scop.yield %a : f16
    }
  }
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
  %y = scop.kernel ins(%x : tensor<16x12x128x64xf16>) outs(%e : tensor<16x128x12x64xf16>)
      schedule <[linear band 0 coincident,
                 linear band 0 coincident,
                 linear band 0 coincident,
                 linear band 0 coincident map thread_x vector 8],
                @S = (d0, d1, d2, d3) -> (d0, d1, d2, d3)> -> tensor<16x128x12x64xf16> {
  ^bb0(%X: memref<16x12x128x64xf16>, %Y: memref<16x128x12x64xf16>):
    scop.stmt @S domain [16, 128, 12, 64] reads(%X[(d0, d1, d2, d3) -> (d0, d2, d1, d3)] : memref<16x12x128x64xf16>)
        writes(%Y[(d0, d1, d2, d3) -> (d0, d1, d2, d3)] : memref<16x128x12x64xf16>) {
    ^bb0(%a: f16):
      scop.yield %a : f16
    }
  }
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
func.func @permute(%x: tensor<96x85x2704xf32>) -> tensor<96x2704x85xf32> {
  %e = tensor.empty() : tensor<96x2704x85xf32>
  %y = scop.kernel ins(%x : tensor<96x85x2704xf32>) outs(%e : tensor<96x2704x85xf32>)
      schedule <[linear band 0 coincident map block,
                 linear band 0 coincident map thread_y,
                 linear band 0 coincident map thread_x],
                @S = (d0, d1, d2) -> (d0, d1, d2)> -> tensor<96x2704x85xf32> {
  ^bb0(%X: memref<96x85x2704xf32>, %Y: memref<96x2704x85xf32>):
    scop.stmt @S domain [96, 2704, 85] reads(%X[(d0, d1, d2) -> (d0, d2, d1)] : memref<96x85x2704xf32>)
        writes(%Y[(d0, d1, d2) -> (d0, d1, d2)] : memref<96x2704x85xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<96x2704x85xf32>
}

// Without marks reads jump, and no shared memory is used.

// CHECK-LABEL: launch.plan @unmarked
// CHECK: grids {{\[\[}}65536]] {block = 256 : i64}
// PTX-LABEL: .entry unmarked_kernel0
// PTX-NOT: bar.sync
// PTX: ld.global.b16
// PTX: st.global.b16
func.func @unmarked(%x: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %e = tensor.empty() : tensor<4096x4096xf16>
  %y = scop.kernel ins(%x : tensor<4096x4096xf16>) outs(%e : tensor<4096x4096xf16>)
      schedule <[linear band 0 coincident,
                 linear band 0 coincident],
                @S = (d0, d1) -> (d0, d1)> -> tensor<4096x4096xf16> {
  ^bb0(%X: memref<4096x4096xf16>, %Y: memref<4096x4096xf16>):
    scop.stmt @S domain [4096, 4096] reads(%X[(d0, d1) -> (d1, d0)] : memref<4096x4096xf16>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4096x4096xf16>) {
    ^bb0(%a: f16):
      scop.yield %a : f16
    }
  }
  return %y : tensor<4096x4096xf16>
}
