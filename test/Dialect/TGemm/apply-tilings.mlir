// RUN: grout-opt %s --split-input-file --tgemm-apply-tilings --verify-diagnostics | FileCheck %s

// The products of all functions have the tilings of the list, in order.

// CHECK-NOT:   tgemm.tilings
// CHECK-LABEL: func.func @first
// CHECK:       tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 3>
// CHECK-LABEL: func.func @second
// CHECK:       tiling = #tgemm.tiling<m = 128, n = 64, k = 64>
// CHECK-LABEL: func.func @convolution
// CHECK:       tgemm.conv2d {{.*}}tiling = #tgemm.tiling<m = 64, n = 8, k = 64>
module attributes {tgemm.tilings = [#tgemm.tiling<m = 64, n = 64, k = 64, stages = 3>,
                                    #tgemm.tiling<m = 128, n = 64, k = 64>,
                                    #tgemm.tiling<m = 64, n = 8, k = 64>]} {
  func.func @first(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
    %y = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    return %y : tensor<64x64xf16>
  }
  func.func @second(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    return %y : tensor<64x64xf16>
  }
  func.func @convolution(%x: tensor<2x6x7x64xf16>, %w: tensor<8x3x3x64xf16>) -> tensor<40x8xf16> {
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>}
      : tensor<2x6x7x64xf16>, tensor<8x3x3x64xf16> -> tensor<40x8xf16>
    return %y : tensor<40x8xf16>
  }
}

// -----

// expected-error @+1 {{tgemm.tilings has 0 tilings, but the module has 1 products}}
module attributes {tgemm.tilings = []} {
  func.func @f(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
    %y = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    return %y : tensor<64x64xf16>
  }
}

// -----

// expected-error @+1 {{tgemm.tilings must be a list of #tgemm.tiling, got #tgemm.tiling<m = 64, n = 64, k = 64>}}
module attributes {tgemm.tilings = #tgemm.tiling<m = 64, n = 64, k = 64>} {
  func.func @f(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
    %y = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    return %y : tensor<64x64xf16>
  }
}

// -----

// expected-error @+1 {{tgemm.tilings must be a list of #tgemm.tiling, got [64]}}
module attributes {tgemm.tilings = [64]} {
}

// -----

// expected-error @+1 {{tgemm.tilings is an attribute of modules}}
func.func private @f() attributes {tgemm.tilings = []}

// -----

module attributes {tgemm.tilings = [#tgemm.tiling<m = 64, n = 64, k = 64>]} {
  func.func @f(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
    // expected-error @+1 {{has a tiling, and another one in tgemm.tilings}}
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    return %y : tensor<64x64xf16>
  }
}
