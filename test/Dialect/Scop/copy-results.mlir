// RUN: grout-opt %s --scop-copy-results | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=mlir -o - \
// RUN:   | FileCheck %s --check-prefix=PLAN

// The first of two equal results stays.

// CHECK-LABEL: func.func @twice
// CHECK: %[[Y:.*]] = linalg.exp
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[Y]] {{.*}} outs(%[[E]]
// CHECK: return %[[Y]], %[[COPY]]

// One kernel writes both.
// PLAN-LABEL: launch.plan @twice
// PLAN: launch.kernel "twice_kernel0"
// PLAN-NOT: launch.kernel
// PLAN-LABEL: launch.plan @unmade
func.func @twice(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y, %y : tensor<4x8xf32>, tensor<4x8xf32>
}

// An argument, a constant, a part of a result; a result with another shape is
// none of these.

// CHECK-LABEL: func.func @unmade
// CHECK: %[[C:.*]] = arith.constant dense
// CHECK: %[[Y:.*]] = linalg.exp
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: %[[R:.*]] = tensor.expand_shape %[[Y]]
// CHECK: linalg.copy ins(%arg0
// CHECK: linalg.copy ins(%[[C]]
// CHECK: linalg.copy ins(%[[S]]
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[R]]
func.func @unmade(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2x2x8xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = tensor.extract_slice %x[0, 2] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  return %x, %c, %s, %r : tensor<4x8xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2x2x8xf32>
}
