// RUN: grout-opt %s --scop-copy-updates | FileCheck %s

// An argument that is a result afterwards is updated, once or more often.

// CHECK-LABEL: @in_place
// CHECK-SAME:    %[[T:[a-z0-9]+]]: tensor<10x8xf32> {grout.in_place = 1
// CHECK-NOT:     linalg.copy
// CHECK:         %[[R:.*]] = tensor.scatter %{{.*}} into %[[T]]
// CHECK:         tensor.scatter %{{.*}} into %[[R]]
func.func @in_place(%x: tensor<3x8xf32>, %t: tensor<10x8xf32> {grout.in_place = 1}, %n: tensor<3x1xi64>,
                    %m: tensor<3x1xi64>) -> (tensor<3x8xf32>, tensor<10x8xf32>) {
  %r = tensor.scatter %x into %t[%n] scatter_dims([0]) unique
    : (tensor<3x8xf32>, tensor<10x8xf32>, tensor<3x1xi64>) -> tensor<10x8xf32>
  %s = tensor.scatter %x into %r[%m] scatter_dims([0]) unique
    : (tensor<3x8xf32>, tensor<10x8xf32>, tensor<3x1xi64>) -> tensor<10x8xf32>
  return %x, %s : tensor<3x8xf32>, tensor<10x8xf32>
}

// Other arguments, constants, and what is used elsewhere, are copied.

// CHECK-LABEL: @copies
// CHECK-SAME:    %[[T:[a-z0-9]+]]: tensor<10x8xf32>
// CHECK:         %[[COPY:.*]] = linalg.copy ins(%[[T]]
// CHECK:         %[[R:.*]] = tensor.scatter %{{.*}} into %[[COPY]]
// CHECK:         %[[AGAIN:.*]] = linalg.copy ins(%[[R]]
// CHECK:         tensor.scatter %{{.*}} into %[[AGAIN]]
func.func @copies(%x: tensor<3x8xf32>, %t: tensor<10x8xf32>, %n: tensor<3x1xi64>)
    -> (tensor<10x8xf32>, tensor<10x8xf32>) {
  %r = tensor.scatter %x into %t[%n] scatter_dims([0]) unique
    : (tensor<3x8xf32>, tensor<10x8xf32>, tensor<3x1xi64>) -> tensor<10x8xf32>
  %s = tensor.scatter %x into %r[%n] scatter_dims([0]) unique
    : (tensor<3x8xf32>, tensor<10x8xf32>, tensor<3x1xi64>) -> tensor<10x8xf32>
  return %r, %s : tensor<10x8xf32>, tensor<10x8xf32>
}

// CHECK-LABEL: @temporary
// CHECK-NOT:     linalg.copy
func.func @temporary(%x: tensor<3x8xf32>, %n: tensor<3x1xi64>) -> tensor<10x8xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<10x8xf32>
  %z = linalg.fill ins(%one : f32) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
  %r = tensor.scatter %x into %z[%n] scatter_dims([0]) unique
    : (tensor<3x8xf32>, tensor<10x8xf32>, tensor<3x1xi64>) -> tensor<10x8xf32>
  return %r : tensor<10x8xf32>
}

// A concatenation is in the memory of its parts.

// CHECK-LABEL: @concatenations
// CHECK:         %[[A:.*]] = tensor.concat dim(0) %[[X:.*]], %[[Y:.*]] :
// CHECK:         tensor.scatter %{{.*}} into %[[A]]
// CHECK:         %[[B:.*]] = tensor.concat dim(0)
// CHECK:         %[[COPY:.*]] = linalg.copy ins(%[[B]]
// CHECK:         tensor.scatter %{{.*}} into %[[COPY]]
func.func @concatenations(%x: tensor<3x8xf32>, %n: tensor<3x1xi64>, %w: tensor<8x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<3x8xf32>) {
  %a = tgemm.matmul %x, %w : tensor<3x8xf32>, tensor<8x8xf32> -> tensor<3x8xf32>
  %b = tgemm.matmul %x, %w : tensor<3x8xf32>, tensor<8x8xf32> -> tensor<3x8xf32>
  %0 = tensor.concat dim(0) %a, %b : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<6x8xf32>
  %r = tensor.scatter %x into %0[%n] scatter_dims([0]) unique
    : (tensor<3x8xf32>, tensor<6x8xf32>, tensor<3x1xi64>) -> tensor<6x8xf32>
  %c = tgemm.matmul %x, %w : tensor<3x8xf32>, tensor<8x8xf32> -> tensor<3x8xf32>
  %d = tgemm.matmul %c, %w : tensor<3x8xf32>, tensor<8x8xf32> -> tensor<3x8xf32>
  %1 = tensor.concat dim(0) %c, %d : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<6x8xf32>
  %s = tensor.scatter %x into %1[%n] scatter_dims([0]) unique
    : (tensor<3x8xf32>, tensor<6x8xf32>, tensor<3x1xi64>) -> tensor<6x8xf32>
  %e = tgemm.matmul %c, %w : tensor<3x8xf32>, tensor<8x8xf32> -> tensor<3x8xf32>
  return %r, %s, %e : tensor<6x8xf32>, tensor<6x8xf32>, tensor<3x8xf32>
}
