// RUN: rm -f %t.out && split-file %s %t
// RUN: not grout-compile %t/syntax.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not grout-compile %t/invalid.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: not grout-compile %t/concat.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=CONCAT
// RUN: not grout-compile %t/windows.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: not grout-compile %t/pooling.mlir --target=h200 -o %t.out 2>&1 | FileCheck %s --check-prefix=POOLING
// RUN: not grout-compile %t/unsupported.mlir -o %t.out 2>&1 | FileCheck %s --check-prefixes=REFUSED,REFUSED-CPU
// RUN: not grout-compile %t/unsupported.mlir --target=h200 -o %t.out 2>&1 | FileCheck %s --check-prefix=REFUSED --implicit-check-not=tile_sizes
// RUN: not grout-compile %t/convolution.mlir --target=h200 -o %t.out 2>&1 | FileCheck %s --check-prefix=CONVOLUTION --implicit-check-not=CPU
// RUN: grout-compile %t/convolution.mlir -o %t.convolution.grout 2>&1 | FileCheck %s --check-prefix=CONVOLUTION-CPU
// RUN: not grout-compile %t/types.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not grout-compile %t/empty.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not grout-compile %t/two.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not grout-compile %t/none.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not grout-compile %t/sizes.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not grout-compile %t/elementwise.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=ELEMENTWISE
// RUN: not grout-compile %t/plan.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: not grout-compile %t/plan.mlir --target=h200 -o %t.out 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: not grout-compile %t/tiles.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=TILES

// After an error there is no output, not even a part of one.
// RUN: not ls %t.out

//--- syntax.mlir
// SYNTAX: syntax.mlir:2:17: error: expected non-function type
func.func @f(%a: tensr<8xf32>)

//--- invalid.mlir
func.func @f(%a: tensor<8x9xf32>, %b: tensor<8x9xf32>, %c: tensor<8x9xf32>)
    -> tensor<8x9xf32> {
// INVALID: invalid.mlir:4:8: error: 'linalg.matmul' op
  %y = linalg.matmul ins(%a, %b : tensor<8x9xf32>, tensor<8x9xf32>)
    outs(%c : tensor<8x9xf32>) -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

//--- concat.mlir
// Upstream's verifier crashes at this.
func.func @f(%a: tensor<8xf32>) -> tensor<16xf32> {
// CONCAT: concat.mlir:4:8: error: 'tensor.concat' op concatenates dimension -1, and there is none before 0
  %y = tensor.concat dim(-1) %a, %a : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

//--- windows.mlir
// As a tile kernel, it would read what is not there.
func.func @f(%x: tensor<1x5x5x8xf16>, %w: tensor<3x3x8x8xf16>, %z: tensor<1x3x3x8xf16>) -> tensor<1x3x3x8xf16> {
// WINDOWS: windows.mlir:4:8: error: 'linalg.conv_2d_nhwc_hwcf' op strides must be positive, got -1
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<[-1, 1]> : tensor<2xi64>, grout.tile_sizes = array<i64: 1, 3, 3, 8, 3, 3, 8>}
    ins(%x, %w : tensor<1x5x5x8xf16>, tensor<3x3x8x8xf16>) outs(%z : tensor<1x3x3x8xf16>) -> tensor<1x3x3x8xf16>
  return %y : tensor<1x3x3x8xf16>
}

//--- pooling.mlir
// Upstream's verifier speaks of an unexpected loop dimension.
func.func @f(%x: tensor<1x8x5x5xf16>, %w: tensor<3x3xf16>, %z: tensor<1x8x3x3xf16>) -> tensor<1x8x3x3xf16> {
// POOLING: pooling.mlir:4:8: error: 'linalg.pooling_nchw_max' op dilations must be positive, got 0
  %y = linalg.pooling_nchw_max {dilations = dense<[1, 0]> : tensor<2xi64>}
    ins(%x, %w : tensor<1x8x5x5xf16>, tensor<3x3xf16>) outs(%z : tensor<1x8x3x3xf16>) -> tensor<1x8x3x3xf16>
  return %y : tensor<1x8x3x3xf16>
}

//--- unsupported.mlir
func.func @f(%a: tensor<1x6x8xf32>, %k: tensor<3x8x4xf32>, %z: tensor<1x4x4xf32>) -> tensor<1x4x4xf32> {
// REFUSED: unsupported.mlir:4:8: error: 'linalg.conv_1d_nwc_wcf' cannot be compiled for {{cpu|h200}}: it is no convolution of images by rows and columns
// REFUSED-CPU: note: it is compiled with a tile size for each of its loops, for instance grout.tile_sizes = array<i64: 1, 4, 4, 3, 8>
  %y = linalg.conv_1d_nwc_wcf ins(%a, %k : tensor<1x6x8xf32>, tensor<3x8x4xf32>)
    outs(%z : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}

// With what the note says, it is compiled for the CPU, and for no other target.

//--- convolution.mlir
func.func @f(%a: tensor<1x6x6x8xf32>, %k: tensor<3x3x8x4xf32>, %z: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
// CONVOLUTION: error: 'linalg.conv_2d_nhwc_hwcf' cannot be compiled for h200: grout.tile_sizes makes kernels for the CPU only
// CONVOLUTION-CPU: remark: linalg.conv_2d_nhwc_hwcf is not converted: it is a tile kernel already, by its grout.tile_sizes
  %y = linalg.conv_2d_nhwc_hwcf {grout.tile_sizes = array<i64: 1, 4, 4, 4, 3, 3, 8>}
    ins(%a, %k : tensor<1x6x6x8xf32>, tensor<3x3x8x4xf32>)
    outs(%z : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %y : tensor<1x4x4x4xf32>
}

//--- types.mlir
#id = affine_map<(i) -> (i)>
// TYPES: types.mlir:3:1: error: cannot be compiled: element type 'i4' is not supported
func.func @f(%a: tensor<8xi4>) -> tensor<8xi8> {
  %e = tensor.empty() : tensor<8xi8>
  %y = linalg.generic {grout.tile_sizes = array<i64: 4>,
      indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xi4>) outs(%e : tensor<8xi8>) {
  ^bb0(%v: i4, %_: i8):
    %w = arith.extsi %v : i4 to i8
    linalg.yield %w : i8
  } -> tensor<8xi8>
  return %y : tensor<8xi8>
}

//--- empty.mlir
// EMPTY: empty.mlir:2:1: error: cannot be compiled: 'tensor<0x8xf32>' in its signature has no elements, as it has extent 0; extents must be at least 1
func.func @f(%x: tensor<0x8xf32>) -> tensor<0x8xf32> {
  %e = tensor.empty() : tensor<0x8xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"],
      grout.tile_sizes = array<i64: 4, 4>}
      ins(%x : tensor<0x8xf32>) outs(%e : tensor<0x8xf32>) {
  ^bb0(%a: f32, %_: f32):
    %t = arith.addf %a, %a : f32
    linalg.yield %t : f32
  } -> tensor<0x8xf32>
  return %y : tensor<0x8xf32>
}

//--- two.mlir
func.func @first(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %y = tgemm.matmul %x, %x
    : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
// TWO: two.mlir:8:1: error: the module has a second function; an artifact holds one
// TWO: two.mlir:1:1: note: the first function is here
func.func @second(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %y = tgemm.matmul %x, %x
    : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

//--- none.mlir
// NONE: error: the module has no function to make an artifact of
func.func private @f(tensor<8xf32>)

//--- elementwise.mlir
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
// ELEMENTWISE: elementwise.mlir:5:8: error: cannot be compiled: there is no kernel for 'math.exp'
// ELEMENTWISE: note: functions hold ops of linalg on tensors
// ELEMENTWISE: note: upstream's --convert-elementwise-to-linalg makes linalg of ops like this one
  %y = math.exp %a : tensor<8xf32>
  return %y : tensor<8xf32>
}

//--- plan.mlir
launch.plan @plan inputs 0 {
^bb0(%out: memref<4xf32>):
  launch.kernel "fills" @kernels [@fill] (%out) writes [0] args [#launch.arg<sync_state>]
    grids [[1]] {block = 32 : i64} : memref<4xf32>
}
// PLAN: plan.mlir:7:1: error: grout-compile takes a module of func.func, on tensors, and makes plans and kernels of them (or plans with kernels for the CPU); it does not take 'gpu.module'
gpu.module @kernels {
}

//--- sizes.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %e = tensor.empty() : tensor<8x9xf32>
// SIZES: sizes.mlir:5:8: error: 'linalg.generic' op needs grout.tile_sizes with a positive size for each of its loops, which must have static extents of at least 1; it may cut one reduction
  %y = linalg.generic {grout.tile_sizes = array<i64: 4>, indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%x: f32, %_: f32):
    %p = math.exp %x : f32
    linalg.yield %p : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

//--- tiles.mlir
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<131072x131072xf32>) -> tensor<131072x131072xf32> {
  %e = tensor.empty() : tensor<131072x131072xf32>
// TILES: tiles.mlir:5:8: error: 'launch.kernel' op has 17179869184 tiles, and a launch at most 2^32 - 1; larger tiles are fewer
  %y = linalg.generic {grout.tile_sizes = array<i64: 1, 1>, indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<131072x131072xf32>) outs(%e : tensor<131072x131072xf32>) {
  ^bb0(%x: f32, %_: f32):
    %p = math.exp %x : f32
    linalg.yield %p : f32
  } -> tensor<131072x131072xf32>
  return %y : tensor<131072x131072xf32>
}
