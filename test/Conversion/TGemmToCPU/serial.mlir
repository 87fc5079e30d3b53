// RUN: grout-opt %s --grout-set-target=name=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s

// In mode serial each kernel is a launch, without semaphores, and needs neither
// policies nor an order.

// CHECK-LABEL: launch.plan @serial
// CHECK:         %[[FIRST:.*]] = launch.kernel "serial_chain0_kernel0" @serial_kernels [@serial_chain0_kernel0]
// CHECK-NOT:     semaphores
// CHECK:         launch.kernel "serial_chain0_kernel1" @serial_kernels [@serial_chain0_kernel1]({{.*}}) writes [2] after full(%[[FIRST]]) args
// CHECK-NOT:     tsync

func.func @serial(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>)
    -> tensor<32x32xf32> {
  %0 = tsync.chain mode(serial) : tensor<32x32xf32> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    %y = tgemm.matmul %h, %w {tiling = #tgemm.tiling<m = 32, n = 32, k = 32>}
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    tsync.dependence %h -> %y operand 0
      : tensor<32x32xf32>, tensor<32x32xf32>
    tsync.yield %y : tensor<32x32xf32>
  }
  return %0 : tensor<32x32xf32>
}
