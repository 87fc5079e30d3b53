// RUN: grout-opt %s --grout-set-target=name=h200 --tsync-verify --launch-form-plans --launch-schedule --convert-tiles-to-kernels --canonicalize --cse > %t.mlir
// RUN: FileCheck %s --check-prefix=UNEVEN < %t.mlir
// RUN: FileCheck %s --check-prefix=CLUSTER < %t.mlir
// RUN: FileCheck %s --check-prefix=AHEAD < %t.mlir
// RUN: FileCheck %s --check-prefix=FILTER < %t.mlir
// RUN: FileCheck %s --check-prefix=CHAIN < %t.mlir
// RUN: FileCheck %s --check-prefix=GROUPS < %t.mlir
// RUN: grout-opt %s --grout-set-target=name=h200 --tsync-verify --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --tsync-verify --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Convolutions: TMA copies pixels of images, at one element of the filter.

// REPORT-DAG: uneven_chain0_kernel0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: cluster_chain0_kernel0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: ahead_chain0_kernel1: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: filter_chain0_kernel1: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

// Rows and columns differ in all they have. Of a box of pixels, columns come
// first: it begins 4 columns and rows before the image. Its last column is
// read up to 4 later, of which 5 are zeros, so that it ends 1 behind the image;
// its last row up to 4 later, with no zeros, so that it ends 4 before.

// UNEVEN-LABEL: launch.kernel "uneven_chain0_kernel0"
// UNEVEN-SAME:    #launch.arg<tensor_map, operand = 0, sizes = [72, 15, 14, 2], strides = [144, 2160, 30240], box = [64, 128], swizzle = b128, im2col = <lower = [-4, -4], upper = [1, -4], steps = [3, 2]>>
// UNEVEN-SAME:    #launch.arg<tensor_map, operand = 1, sizes = [72, 5, 3, 64], strides = [144, 720, 2160], box = [64, 1, 1, 64], swizzle = b128>
// UNEVEN-SAME:    #launch.arg<tensor_map, operand = 2, sizes = [64, 98], strides = [128], box = [64, 64], swizzle = b128>
// UNEVEN-SAME:    grids {{\[\[}}1, 1]]

// A step has two blocks of the reduction, which has 15 for each 64 channels: one
// for each element of the filter.

// UNEVEN-LABEL: llvm.func @uneven_chain0_kernel0(
// UNEVEN:         nvvm.elect.sync
// UNEVEN:           nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32
// UNEVEN:           %[[BLOCK:.*]] = arith.muli %{{.*}}, %c2_i32
// UNEVEN-NEXT:      %[[CHANNELS:.*]] = arith.divui %[[BLOCK]], %c15_i32
// UNEVEN-NEXT:      %[[CHANNEL:.*]] = arith.muli %[[CHANNELS]], %c64_i32
// UNEVEN-NEXT:      %[[TAP:.*]] = arith.remui %[[BLOCK]], %c15_i32
// UNEVEN-NEXT:      %[[ROW:.*]] = arith.divui %[[TAP]], %c5_i32
// UNEVEN-NEXT:      %[[COLUMN:.*]] = arith.remui %[[TAP]], %c5_i32
// UNEVEN:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1, %{{.*}}, box[%[[CHANNEL]], %[[COLUMN]], %[[ROW]], %{{.*}}]
// UNEVEN-NOT:       im2col[
// UNEVEN:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1,

// Pixel i of all 98 is pixel i mod 49 of image i / 49, of 7 in a row.

// UNEVEN:         nvvm.elect.sync
// UNEVEN:           nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c32768_i32
// UNEVEN:           %[[BLOCK:.*]] = arith.muli %{{.*}}, %c2_i32
// UNEVEN-NEXT:      %[[CHANNELS:.*]] = arith.divui %[[BLOCK]], %c15_i32
// UNEVEN-NEXT:      %[[CHANNEL:.*]] = arith.muli %[[CHANNELS]], %c64_i32
// UNEVEN-NEXT:      %[[TAP:.*]] = arith.remui %[[BLOCK]], %c15_i32
// UNEVEN-NEXT:      %[[ROW:.*]] = arith.divui %[[TAP]], %c5_i32
// UNEVEN-NEXT:      %[[COLUMN:.*]] = arith.remui %[[TAP]], %c5_i32
// UNEVEN:           %[[PIXEL:.*]] = arith.remui %[[FIRST:.*]], %c49_i32
// UNEVEN-NEXT:      %[[PC:.*]] = arith.remui %[[PIXEL]], %c7_i32
// UNEVEN-NEXT:      %[[XS:.*]] = arith.muli %[[PC]], %c3_i32
// UNEVEN-NEXT:      %[[X:.*]] = arith.addi %[[XS]], %c-4_i32
// UNEVEN-NEXT:      %[[PR:.*]] = arith.divui %[[PIXEL]], %c7_i32
// UNEVEN-NEXT:      %[[YS:.*]] = arith.muli %[[PR]], %c2_i32
// UNEVEN-NEXT:      %[[Y:.*]] = arith.addi %[[YS]], %c-4_i32
// UNEVEN-NEXT:      %[[IMAGE:.*]] = arith.divui %[[FIRST]], %c49_i32
// UNEVEN-NEXT:      %[[DX:.*]] = arith.trunci %[[COLUMN]] : i32 to i16
// UNEVEN-NEXT:      %[[DYS:.*]] = arith.muli %[[ROW]], %c2_i32
// UNEVEN-NEXT:      %[[DY:.*]] = arith.trunci %[[DYS]] : i32 to i16
// UNEVEN:           nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO:.*]], %arg0, %[[FULL:.*]], box[%[[CHANNEL]], %[[X]], %[[Y]], %[[IMAGE]]] im2col[%[[DX]], %[[DY]]]
// UNEVEN-SAME:        {mode = #nvvm.tma_load_mode<im2col>}
// UNEVEN:           nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg0, %[[FULL]], box[%{{.*}}, %[[X]], %[[Y]], %[[IMAGE]]] im2col[

// PTX-LABEL: .entry uneven_chain0_kernel0(
// PTX-DAG:     cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint
// PTX-DAG:     cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes{{.*}}, {{[{]%rs[0-9]+, %rs[0-9]+[}]}}
func.func @uneven(%x: tensor<2x14x15x72xf16>, %w: tensor<64x3x5x72xf16>) -> tensor<98x64xf16> {
  %0 = tsync.chain mode(serial) : tensor<98x64xf16> {
    %y = tgemm.conv2d %x, %w {strides = array<i64: 2, 3>, dilations = array<i64: 2, 1>, padding = array<i64: 4, 0, 4, 5>,
      tiling = #tgemm.tiling<m = 128, n = 64, k = 128, stages = 3>}
      : tensor<2x14x15x72xf16>, tensor<64x3x5x72xf16> -> tensor<98x64xf16>
    tsync.yield %y : tensor<98x64xf16>
  }
  return %0 : tensor<98x64xf16>
}

// In a cluster, a block copies its share of the pixels to all blocks of its row,
// here half of 64; and of the features to all of its column.

// CLUSTER-LABEL: launch.kernel "cluster_chain0_kernel0"
// CLUSTER-SAME:    operand = 0, sizes = [64, 16, 16, 8], strides = [128, 2048, 32768], box = [64, 32], swizzle = b128, im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>>
// CLUSTER-SAME:    operand = 1, sizes = [64, 3, 3, 256], strides = [128, 384, 1152], box = [64, 1, 1, 32], swizzle = b128>
// CLUSTER-SAME:    cluster = 4 : i64
// CLUSTER-LABEL: llvm.func @cluster_chain0_kernel0(
// CLUSTER:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1, {{.*}}, box[{{.*}}] multicast_mask = %{{.*}} :
// CLUSTER:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0, {{.*}}, box[{{.*}}] im2col[%{{.*}}, %{{.*}}] multicast_mask = %{{.*}} {mode = #nvvm.tma_load_mode<im2col>}

// PTX-LABEL: .entry cluster_chain0_kernel0(
// PTX-DAG:     cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [
// PTX-DAG:     cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [
func.func @cluster(%x: tensor<8x16x16x64xf16>, %w: tensor<256x3x3x64xf16>) -> tensor<2048x256xf16> {
  %0 = tsync.chain mode(serial) : tensor<2048x256xf16> {
    %y = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4, cluster_m = 2, cluster_n = 2>}
      : tensor<8x16x16x64xf16>, tensor<256x3x3x64xf16> -> tensor<2048x256xf16>
    tsync.yield %y : tensor<2048x256xf16>
  }
  return %0 : tensor<2048x256xf16>
}

// A convolution that starts before its input is there loads its filter, and has
// the cache fetch more of it.

// AHEAD-LABEL: llvm.func @ahead_chain0_kernel0(
// AHEAD-NOT:     nvvm.cp.async.bulk.tensor.prefetch
// AHEAD-LABEL: llvm.func @ahead_chain0_kernel1(
// AHEAD-NOT:     griddepcontrol
// AHEAD:         nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %arg1, %{{.*}}, box[%{{.*}}, %{{.*}}, %{{.*}}, %[[FEATURE:.*]]] l2_cache_hint = %[[HINT:.*]] :
// AHEAD-NOT:     griddepcontrol
// AHEAD:         nvvm.cp.async.bulk.tensor.prefetch %arg1, box[%{{.*}}, %{{.*}}, %{{.*}}, %[[FEATURE]]] l2_cache_hint = %[[HINT]] :
// AHEAD-NOT:     nvvm.cp.async
// AHEAD:         "griddepcontrol.wait;", "~{memory}"
// AHEAD:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0, {{.*}} im2col[

// PTX-LABEL: .entry ahead_chain0_kernel1(
// PTX:         cp.async.bulk.prefetch.tensor.4d.L2.global.tile.L2::cache_hint
func.func @ahead(%x: tensor<1x8x8x1024xf16>, %w: tensor<1024x3x3x1024xf16>, %v: tensor<2048x3x3x1024xf16>) -> tensor<64x2048xf16> {
  %0 = tsync.chain mode(pdl) : tensor<64x2048xf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 6>}
      : tensor<1x8x8x1024xf16>, tensor<1024x3x3x1024xf16> -> tensor<64x1024xf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [1, 8, 8, 1024] : tensor<64x1024xf16> into tensor<1x8x8x1024xf16>
    %y = tgemm.conv2d %i, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 6>}
      : tensor<1x8x8x1024xf16>, tensor<2048x3x3x1024xf16> -> tensor<64x2048xf16>
    tsync.yield %y : tensor<64x2048xf16>
  }
  return %0 : tensor<64x2048xf16>
}

// Nor does one whose filter is a result: pixels are loaded before.

// FILTER-LABEL: llvm.func @filter_chain0_kernel1(
// FILTER-NOT:     griddepcontrol
// FILTER:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0, {{.*}} im2col[
// FILTER-NOT:     nvvm.cp.async
// FILTER:         "griddepcontrol.wait;", "~{memory}"
// FILTER:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
func.func @filter(%x: tensor<64x4608xf16>, %w: tensor<4608x4608xf16>, %v: tensor<8x64x64x512xf16>) -> tensor<32768x64xf16> {
  %0 = tsync.chain mode(pdl) : tensor<32768x64xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 6>}
      : tensor<64x4608xf16>, tensor<4608x4608xf16> -> tensor<64x4608xf16>
    %i = tensor.expand_shape %h [[0], [1, 2, 3]] output_shape [64, 3, 3, 512] : tensor<64x4608xf16> into tensor<64x3x3x512xf16>
    %y = tgemm.conv2d %v, %i {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 6>}
      : tensor<8x64x64x512xf16>, tensor<64x3x3x512xf16> -> tensor<32768x64xf16>
    tsync.yield %y : tensor<32768x64xf16>
  }
  return %0 : tensor<32768x64xf16>
}

// In one kernel, each convolution has its own maps. Before pixels of the second
// come, tiles of the first are waited for.

// CHAIN-LABEL: launch.kernel "chain_chain0"
// CHAIN-SAME:    operand = 0, sizes = [64, 16, 16, 2], strides = [128, 2048, 32768], box = [64, 128], swizzle = b128, im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>>
// CHAIN-SAME:    sizes = [64, 16, 16, 2], strides = [128, 2048, 32768], box = [64, 64], swizzle = b128, im2col = <lower = [-1, -1], upper = [-2, -2], steps = [2, 2]>>
// CHAIN-LABEL: llvm.func @chain_chain0(
// CHAIN-NOT:     tsync.wait
// CHAIN:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0, {{.*}} im2col[
// CHAIN-NOT:     nvvm.cp.async
// CHAIN:         tsync.wait {{.*}} proxy(async)
// CHAIN-NOT:     tsync.wait
// CHAIN:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg3, {{.*}} im2col[

// PTX-LABEL: .entry chain_chain0(
// PTX-DAG:     ld.acquire.gpu.global
// PTX-DAG:     fence.proxy.async.global;
// PTX-DAG:     .im2col.
func.func @chain(%x: tensor<2x16x16x64xbf16>, %w: tensor<64x3x3x64xbf16>, %v: tensor<128x3x3x64xbf16>, %b: tensor<128xbf16>) -> tensor<128x128xbf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>] : tensor<128x128xbf16> {
    %h = tgemm.conv2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 128, n = 64, k = 64, stages = 4>}
      : tensor<2x16x16x64xbf16>, tensor<64x3x3x64xbf16> -> tensor<512x64xbf16>
    %i = tensor.expand_shape %h [[0, 1, 2], [3]] output_shape [2, 16, 16, 64] : tensor<512x64xbf16> into tensor<2x16x16x64xbf16>
    %y = tgemm.conv2d %i, %v epilogue(%b : tensor<128xbf16>) {
      strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 0, 1, 0>,
      epilogue_maps = [affine_map<(m, n) -> (n)>],
      tiling = #tgemm.tiling<m = 64, n = 128, k = 64, stages = 4>}
      : tensor<2x16x16x64xbf16>, tensor<128x3x3x64xbf16> -> tensor<128x128xbf16> {
    ^bb0(%acc: f32, %in: bf16):
      %wide = arith.extf %in : bf16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to bf16
      tgemm.yield %out : bf16
    }
    tsync.dependence %h -> %y operand 0 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [4], counts = [1],
         lower = affine_map<(i, j, k) -> (i * 2 - 1)>,
         upper = affine_map<(i, j, k) -> (i * 2 + 1)>>
        : tensor<512x64xbf16>, tensor<128x128xbf16>
    tsync.yield %y : tensor<128x128xbf16>
  }
  return %0 : tensor<128x128xbf16>
}

// Of groups, a tile loads the channels of its own: from those of the first feature
// of its block on. 48 features are of two groups, of 24 channels each.

// GROUPS-LABEL: llvm.func @groups_chain0_kernel0(
// GROUPS:         %[[BLOCK:.*]] = arith.divui %{{.*}}, %c48_i32
// GROUPS-NEXT:    %[[FEATURE:.*]] = arith.muli %[[BLOCK]], %c48_i32
// GROUPS-NEXT:    %[[GROUP:.*]] = arith.divui %[[FEATURE]], %c24_i32
// GROUPS-NEXT:    %[[FIRST:.*]] = arith.muli %[[GROUP]], %c24_i32
// GROUPS:         %[[CHANNEL:.*]] = arith.addi %[[FIRST]], %{{.*}}
// GROUPS:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0, {{.*}}, box[%[[CHANNEL]], {{.*}}] im2col[

// PTX-LABEL: .entry groups_chain0_kernel0(
func.func @groups(%x: tensor<1x8x8x168xf16>, %w: tensor<168x3x3x48xf16>) -> tensor<64x168xf16> {
  %0 = tsync.chain mode(serial) : tensor<64x168xf16> {
    %y = tgemm.conv2d %x, %w {groups = 7 : i64, feature_block = 48 : i64, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
      tiling = #tgemm.tiling<m = 64, n = 48, k = 64, stages = 3>}
      : tensor<1x8x8x168xf16>, tensor<168x3x3x48xf16> -> tensor<64x168xf16>
    tsync.yield %y : tensor<64x168xf16>
  }
  return %0 : tensor<64x168xf16>
}
