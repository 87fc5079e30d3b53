// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference -split-input-file -verify-diagnostics | FileCheck %s

// A kernel in a chain, and two that share a launch.

// CHECK-LABEL: launch.plan @written_reference
// CHECK-COUNT-3: launch.kernel "written_reference_kernel{{[0-2]}}"
// CHECK-NOT: launch.kernel
func.func @written(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tsync.chain mode(serial) : tensor<8xf32> {
    %a = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
        schedule <[linear band 0 coincident], @S = (d0) -> (d0)> tiles [4] -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        %r = arith.addf %v, %v : f32
        scop.yield %r : f32
      }
    }
    tsync.yield %a : tensor<8xf32>
  }
  %f, %z = scop.launch -> tensor<8xf32>, tensor<8xf32> {
    %1 = scop.kernel ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
      scop.stmt @S domain [8] reads(%X[(d0) -> (7 - d0)] : memref<8xf32>) writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
      ^bb0(%v: f32):
        scop.yield %v : f32
      }
    }
    %2 = scop.kernel outs(%e : tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%Y: memref<8xf32>):
      scop.stmt @S domain [8] writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
        %zero = arith.constant 0.0 : f32
        scop.yield %zero : f32
      }
    }
    scop.yield %1, %2 : tensor<8xf32>, tensor<8xf32>
  }
  return %f, %z : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @scan(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @+1 {{there will be no reference to check 'scan' against: 'scop.kernel' has no plain kernel}}
  %s = scop.kernel outs(%x : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%Y: memref<8xf32>):
    scop.stmt @S domain [7] reads(%Y[(d0) -> (d0)] : memref<8xf32>, %Y[(d0) -> (d0 + 1)] : memref<8xf32>)
        writes(%Y[(d0) -> (d0 + 1)] : memref<8xf32>) {
    ^bb0(%v: f32, %w: f32):
      %r = arith.addf %v, %w : f32
      scop.yield %r : f32
    }
  }
  return %s : tensor<8xf32>
}

// -----

func.func @diagonal(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @+1 {{there will be no reference to check 'diagonal' against: 'scop.kernel' has no plain kernel}}
  %s = scop.kernel outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%Y: memref<8x8xf32>):
    scop.stmt @S domain [8] writes(%Y[(d0) -> (d0, d0)] : memref<8x8xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
  }
  return %s : tensor<8x8xf32>
}
