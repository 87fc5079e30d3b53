// RUN: grout-compile %s --target=cpu -o %t.grout
// RUN: grout-run %t.grout --check --inject-delays=1 | FileCheck %s
// RUN: not grout-run %t.grout --workers=8 2>&1 | FileCheck %s --check-prefix=FEW

// Tiles that wait come before those that they wait for, so that more tiles must
// be resident than most machines have processors. There are as many workers as
// are needed, unless somebody says how many there are.

// CHECK: result0: {{.*}}: passes
// FEW: error: launch 'f_chain0' needs 17 resident tiles to be free of deadlock, and there are 8 workers; leave their number (--workers of grout-run) to the runtime, which takes up to 1024

func.func @f(%x: tensor<32x16xf32>, %w: tensor<16x32xf32>, %v: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (1, i, j)>, affine_map<(i, j) -> (0, i, j)>]
      : tensor<32x32xf32> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 8, n = 8, k = 8>}
      : tensor<32x16xf32>, tensor<16x32xf32> -> tensor<32x32xf32>
    %y = tgemm.matmul %h, %v {tiling = #tgemm.tiling<m = 8, n = 8, k = 8>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tsync.dependence %h -> %y operand 0 : tensor<32x32xf32>, tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}
