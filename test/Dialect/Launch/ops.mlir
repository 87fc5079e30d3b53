// RUN: grout-opt %s | grout-opt | FileCheck %s

// CHECK-LABEL: launch.plan @double inputs 1 {
launch.plan @double inputs 1 {
// CHECK: ^bb0(%[[X:.*]]: memref<64x64xf32>, %[[OUT:.*]]: memref<64x64xf32>):
^bb0(%x: memref<64x64xf32>, %out: memref<64x64xf32>):
  // CHECK: %[[H:.*]] = launch.buffer "h" : memref<64x64xf32>
  %h = launch.buffer "h" : memref<64x64xf32>
  // CHECK: %[[C:.*]] = launch.buffer "c" value dense<2.000000e+00> : tensor<2xf32> : memref<2xf32>
  %c = launch.buffer "c" value dense<2.0> : tensor<2xf32> : memref<2xf32>
  // CHECK: %[[START:.*]] = launch.start
  %start = launch.start
  // CHECK: %[[S:.*]] = launch.semaphores 4
  %s = launch.semaphores 4
  // CHECK: %[[T0:.*]] = launch.kernel "double" @kernels [@double_tile](%[[X]], %[[C]], %[[H]]) writes [2] after programmatic(%[[START]]) uses(%[[S]]) args
  // CHECK-SAME: [#launch.arg<tensor_map, operand = 0, offset = 16, sizes = [64, 64], strides = [256], box = [32, 64], swizzle = b128>, #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>, #launch.arg<task_list>, #launch.arg<task_count>]
  // CHECK-SAME: grids {{\[}}[1, 2]]
  // CHECK-SAME: order [#{{.*}}] {block = 384 : i64, cluster = 2 : i64, debug_sync_milliseconds = 5 : i64, residents = 2 : i64, shared_memory = 1024 : i64}
  %t0 = launch.kernel "double" @kernels [@double_tile] (%x, %c, %h) writes [2]
    after programmatic(%start) uses(%s)
    args [#launch.arg<tensor_map, operand = 0, offset = 16, sizes = [64, 64], strides = [256], box = [32, 64], swizzle = b128>,
          #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>,
          #launch.arg<task_list>, #launch.arg<task_count>]
    grids [[1, 2]] order [affine_map<(i, j) -> (j, i)>]
    {residents = 2 : i64, block = 384 : i64, cluster = 2 : i64, shared_memory = 1024 : i64, debug_sync_milliseconds = 5 : i64}
    : memref<64x64xf32>, memref<2xf32>, memref<64x64xf32>
  // CHECK: %[[T1:.*]] = launch.kernel "copy" @kernels [@copy](%[[H]], %[[C]], %[[OUT]]) writes [2] after tile(%[[T0]]) early [1] uses(%[[S]]) args
  // CHECK-SAME: #launch.arg<semaphores>]
  // CHECK-SAME: grids {{\[}}[16]] :
  %t1 = launch.kernel "copy" @kernels [@copy] (%h, %c, %out) writes [2]
    after tile(%t0) early [1] uses(%s)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 2>,
          #launch.arg<sync_state>, #launch.arg<semaphores>]
    grids [[16]] : memref<64x64xf32>, memref<2xf32>, memref<64x64xf32>
  // CHECK: launch.kernel "two" @kernels [@copy](%[[H]], %[[OUT]]) writes [1] after full(%[[T0]]), launch_order(%[[T0]]), full(%[[T1]]) args
  // CHECK-SAME: grids {{\[}}[16]] {parts = array<i64: 12, 4>, triggers_before_wait} :
  %t2 = launch.kernel "two" @kernels [@copy] (%h, %out) writes [1]
    after full(%t0), launch_order(%t0), full(%t1)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {parts = array<i64: 12, 4>, triggers_before_wait} : memref<64x64xf32>, memref<64x64xf32>
}

// CHECK-LABEL: launch.plan @integers inputs 2 {
launch.plan @integers inputs 2 {
^bb0(%x: memref<8xi32>, %m: memref<8xi1>, %out: memref<8xi64>):
  // CHECK: launch.buffer "h" : memref<8xi16>
  %h = launch.buffer "h" : memref<8xi16>
  // CHECK: launch.buffer "c" value dense<[true, false]> : tensor<2xi1> : memref<2xi1>
  %c = launch.buffer "c" value dense<[true, false]> : tensor<2xi1> : memref<2xi1>
  // CHECK: launch.buffer "d" value dense<-3> : tensor<2xi8> : memref<2xi8>
  %d = launch.buffer "d" value dense<-3> : tensor<2xi8> : memref<2xi8>
  // CHECK: launch.kernel "sum" @kernels [@sum](%{{.*}}) writes [2] args
  %t = launch.kernel "sum" @kernels [@sum] (%x, %m, %out) writes [2]
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>,
          #launch.arg<buffer, operand = 2>]
    grids [[1]] : memref<8xi32>, memref<8xi1>, memref<8xi64>
}

// Launches that write different columns of a buffer, or different rows, need no
// order; whoever reads it is ordered after all.

// CHECK-LABEL: launch.plan @parts inputs 1 {
launch.plan @parts inputs 1 {
^bb0(%x: memref<64x96xf32>, %out: memref<64x96xf32>):
  %c = launch.buffer "c" : memref<64x96xf32>
  // CHECK: launch.part %{{.*}} : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1]>>
  %left = launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1]>>
  // CHECK: launch.part %{{.*}} : memref<64x96xf32> as memref<8x4x64xf32, strided<[384, 96, 1], offset: 32>>
  %upper = launch.part %c : memref<64x96xf32> as memref<8x4x64xf32, strided<[384, 96, 1], offset: 32>>
  %lower = launch.part %c : memref<64x96xf32> as memref<32x64xf32, strided<[96, 1], offset: 3104>>
  %t0 = launch.kernel "left" @kernels [@f] (%x, %left) writes [1]
    args [#launch.arg<buffer, operand = 1>] grids [[1]] : memref<64x96xf32>, memref<64x32xf32, strided<[96, 1]>>
  %t1 = launch.kernel "upper" @kernels [@f] (%upper) writes [0]
    args [#launch.arg<buffer, operand = 0>] grids [[1]] : memref<8x4x64xf32, strided<[384, 96, 1], offset: 32>>
  %t2 = launch.kernel "lower" @kernels [@f] (%lower) writes [0]
    args [#launch.arg<buffer, operand = 0>] grids [[1]] : memref<32x64xf32, strided<[96, 1], offset: 3104>>
  launch.kernel "all" @kernels [@f] (%c, %out) writes [1] after full(%t0), full(%t1), full(%t2)
    args [#launch.arg<buffer, operand = 0>] grids [[1]] : memref<64x96xf32>, memref<64x96xf32>
}

// Tensors may have another shape than their buffers.

// CHECK-LABEL: launch.plan @tiles inputs 2 {
launch.plan @tiles inputs 2 {
^bb0(%x: memref<64x64xf16>, %w: memref<4096xf16>, %out: memref<64x64xf16>):
  %h = launch.buffer "h" : memref<64x64xf16>
  %s = launch.semaphores 1
  // CHECK: %[[T:.*]] = launch.tiles "first" ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) uses(%[[S:.*]]) starts_early trigger(at_entry) order [#{{.*}}] : (memref<64x64xf16>, memref<4096xf16>) -> memref<64x64xf16> {
  %t = launch.tiles "first" ins(%x, %w) outs(%h) uses(%s) starts_early
      trigger(at_entry) order [affine_map<(i, j) -> (i, j)>]
      : (memref<64x64xf16>, memref<4096xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // CHECK: tsync.post_tiles %{{.*}} base 0 semaphore #{{.*}} shape [1] : tensor<64x64xf16>
    tsync.post_tiles %y base 0 semaphore affine_map<(i, j) -> (i)> shape [1]
      : tensor<64x64xf16>
    // CHECK: launch.yield %{{.*}} : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  // CHECK: launch.tiles "second" ins(%{{.*}}, %{{.*}}) outs(%{{.*}}) after tile(%[[T]]) uses(%[[S]]) starts_early early [1] attributes {residents = 2 : i64} : (memref<64x64xf16>, memref<4096xf16>) -> memref<64x64xf16> {
  %t1 = launch.tiles "second" ins(%h, %w) outs(%out) after tile(%t) uses(%s)
      starts_early early [1] attributes {residents = 2 : i64}
      : (memref<64x64xf16>, memref<4096xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // CHECK: tsync.wait_tiles %{{.*}} operand 0 base 0 policy <semaphore =
    tsync.wait_tiles %y operand 0 base 0 policy
      <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
       lower = affine_map<(i, j, k) -> (i)>,
       upper = affine_map<(i, j, k) -> (i)>> : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// CHECK: launch.plan @nothing inputs 0 reference of @something {
launch.plan @nothing inputs 0 reference of @something {
}

// Tensor maps that walk along pixels: of images, of signals and of volumes.
// CHECK-LABEL: func.func private @im2col
// CHECK-SAME: image = #launch.arg<tensor_map, operand = 2, sizes = [64, 56, 57, 1], strides = [128, 7168, 408576], box = [64, 128], swizzle = b128, im2col = <lower = [-1, 0], upper = [-2, 127], steps = [1, 8]>>
// CHECK-SAME: pixels = #launch.im2col<lower = [-128, 127], upper = [-128, 127], steps = [8, 1]>
// CHECK-SAME: signal = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 2], strides = [16, 64], box = [8, 1024], im2col = <lower = [-32768], upper = [32767], steps = [2]>>
// CHECK-SAME: volume = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 4, 4, 2], strides = [16, 64, 256, 1024], box = [256, 1], im2col = <lower = [-16, 0, 15], upper = [0, -16, 15], steps = [1, 2, 3]>>
func.func private @im2col() attributes {
  image = #launch.arg<tensor_map, operand = 2, sizes = [64, 56, 57, 1], strides = [128, 7168, 408576], box = [64, 128], swizzle = b128, im2col = <lower = [-1, 0], upper = [-2, 127], steps = [1, 8]>>,
  pixels = #launch.im2col<lower = [-128, 127], upper = [-128, 127], steps = [8, 1]>,
  signal = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 2], strides = [16, 64], box = [8, 1024], im2col = <lower = [-32768], upper = [32767], steps = [2]>>,
  volume = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 4, 4, 2], strides = [16, 64, 256, 1024], box = [256, 1], im2col = <lower = [-16, 0, 15], upper = [0, -16, 15], steps = [1, 2, 3]>>
}
