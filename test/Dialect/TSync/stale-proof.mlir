// RUN: grout-opt %s --split-input-file --grout-set-target=name=h200 --tsync-select-edge-modes=modes=pdl \
// RUN:   --tsync-select-policy --tsync-assign-order | FileCheck %s

// What is proved of a chain no longer holds when it gets another policy, ...

// CHECK-LABEL: func.func @policy
// CHECK:       tsync.chain mode(persistent)
// CHECK-NOT:   residents
// CHECK:       policy <
func.func @policy(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> tensor<128x256xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0
      : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  return %0 : tensor<128x256xf16>
}

// -----

// another order, ...

// CHECK-LABEL: func.func @order
// CHECK:       tsync.chain mode(persistent) order
// CHECK-NOT:   residents
// CHECK:       return
func.func @order(%x: tensor<128x256xf16>, %w: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %0 = tsync.chain mode(persistent) residents(1) : tensor<128x512xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    tsync.yield %h : tensor<128x512xf16>
  }
  return %0 : tensor<128x512xf16>
}

// -----

// or other modes. Where nothing changes, it stays.

// CHECK-LABEL: func.func @modes
// CHECK:       tsync.chain mode(overlap)
// CHECK-NOT:   residents
// CHECK:       mode(pdl)
// CHECK:       tsync.chain mode(persistent)
// CHECK-SAME:  residents(1)
func.func @modes(%x: tensor<128x256xf16>, %w1: tensor<256x512xf16>, %w2: tensor<512x256xf16>) -> (tensor<128x256xf16>, tensor<128x512xf16>) {
  %0 = tsync.chain mode(overlap)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>]
      residents(1) : tensor<128x256xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    %o = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x512xf16>, tensor<512x256xf16> -> tensor<128x256xf16>
    tsync.dependence %h -> %o operand 0
      : tensor<128x512xf16>, tensor<128x256xf16>
    tsync.yield %o : tensor<128x256xf16>
  }
  %1 = tsync.chain mode(persistent) order [affine_map<(i, j) -> (i, j)>]
      residents(1) : tensor<128x512xf16> {
    %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16>
    tsync.yield %h : tensor<128x512xf16>
  }
  return %0, %1 : tensor<128x256xf16>, tensor<128x512xf16>
}
