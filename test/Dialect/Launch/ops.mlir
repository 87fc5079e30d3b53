// RUN: grout-opt %s | grout-opt | FileCheck %s

// CHECK-LABEL: launch.plan @double inputs 1 {
launch.plan @double inputs 1 {
// CHECK: ^bb0(%[[X:.*]]: memref<64x64xf32>, %[[OUT:.*]]: memref<64x64xf32>):
^bb0(%x: memref<64x64xf32>, %out: memref<64x64xf32>):
  // CHECK: %[[H:.*]] = launch.buffer "h" : memref<64x64xf32>
  %h = launch.buffer "h" : memref<64x64xf32>
  // CHECK: %[[C:.*]] = launch.buffer "c" value dense<2.000000e+00> : tensor<2xf32> : memref<2xf32>
  %c = launch.buffer "c" value dense<2.0> : tensor<2xf32> : memref<2xf32>
  // CHECK: launch.kernel "double" @kernels [@double_tile](%[[X]], %[[C]], %[[H]]) args
  // CHECK-SAME: [#launch.arg<tensor_map, operand = 0, offset = 16, sizes = [64, 64], strides = [256], box = [32, 64], swizzle = b128>, #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>, #launch.arg<task_list>, #launch.arg<task_count>]
  // CHECK-SAME: grids {{\[}}[1, 2]]
  // CHECK-SAME: order [#{{.*}}] {block = 384 : i64, cluster = 2 : i64, debug_sync_milliseconds = 5 : i64, residents = 2 : i64, semaphores = 4 : i64, shared_memory = 1024 : i64}
  launch.kernel "double" @kernels [@double_tile] (%x, %c, %h)
    args [#launch.arg<tensor_map, operand = 0, offset = 16, sizes = [64, 64], strides = [256], box = [32, 64], swizzle = b128>,
          #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>,
          #launch.arg<task_list>, #launch.arg<task_count>]
    grids [[1, 2]] order [affine_map<(i, j) -> (j, i)>]
    {semaphores = 4 : i64, residents = 2 : i64, block = 384 : i64, cluster = 2 : i64, shared_memory = 1024 : i64, debug_sync_milliseconds = 5 : i64}
    : memref<64x64xf32>, memref<2xf32>, memref<64x64xf32>
  // CHECK: launch.kernel "copy" @kernels [@copy](%[[H]], %[[OUT]]) edge programmatic
  // CHECK-SAME: grids {{\[}}[16]] :
  launch.kernel "copy" @kernels [@copy] (%h, %out) edge programmatic
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] : memref<64x64xf32>, memref<64x64xf32>
  // CHECK: launch.kernel "two" @kernels [@copy](%[[H]], %[[OUT]])
  // CHECK-SAME: grids {{\[}}[16]] {parts = array<i64: 12, 4>} :
  launch.kernel "two" @kernels [@copy] (%h, %out)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>]
    grids [[16]] {parts = array<i64: 12, 4>} : memref<64x64xf32>, memref<64x64xf32>
  // CHECK: launch.kernel "again" @kernels [@copy](%[[H]], %[[OUT]]) args
  // CHECK-SAME: #launch.arg<semaphores, launch = 1>]
  // CHECK-SAME: grids {{\[}}[16]] {cluster = 8 : i64} :
  launch.kernel "again" @kernels [@copy] (%h, %out) edge full
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>,
          #launch.arg<semaphores, launch = 1>]
    grids [[16]] {cluster = 8 : i64} : memref<64x64xf32>, memref<64x64xf32>
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
  // CHECK: launch.kernel "sum"
  launch.kernel "sum" @kernels [@sum] (%x, %m, %out)
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>,
          #launch.arg<buffer, operand = 2>]
    grids [[1]] : memref<8xi32>, memref<8xi1>, memref<8xi64>
}

// CHECK: launch.plan @nothing inputs 0 reference {
launch.plan @nothing inputs 0 reference {
}
