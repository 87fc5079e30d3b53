// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// Eight elements of a flat array have eight neighbouring ones of the bias, as
// rows of 768 are multiples of eight.

// CHECK-LABEL: llvm.func @bias_kernel0(
// CHECK: %[[ROW:.*]] = arith.constant 768 : i32
// CHECK-NEXT: arith.remui %{{.*}}, %[[ROW]] : i32
// PTX-LABEL: .entry bias_kernel0
// PTX-COUNT-3: ld.global.v4.b32
// PTX-NOT: ld.global
// PTX: st.global.v4.b32
func.func @bias(%x: tensor<491520xf16>, %b: tensor<768xf32>) -> tensor<491520xf16> {
  %e = tensor.empty() : tensor<491520xf16>
  %y = scop.kernel ins(%x, %b : tensor<491520xf16>, tensor<768xf32>) outs(%e : tensor<491520xf16>)
      schedule <[linear band 0 coincident map thread_x vector 8], @S = (d0) -> (d0)> -> tensor<491520xf16> {
  ^bb0(%X: memref<491520xf16>, %B: memref<768xf32>, %Y: memref<491520xf16>):
    scop.stmt @S domain [491520]
        reads(%X[(d0) -> (d0)] : memref<491520xf16>, %B[(d0) -> (d0 mod 768)] : memref<768xf32>)
        writes(%Y[(d0) -> (d0)] : memref<491520xf16>) {
    ^bb0(%a: f16, %c: f32):
      %w = arith.extf %a : f16 to f32
      %s = arith.addf %w, %c : f32
      %r = arith.truncf %s : f32 to f16
      scop.yield %r : f16
    }
  }
  return %y : tensor<491520xf16>
}

// Rows of 30 only are multiples of two; and pairs have one element of Z.

// PTX-LABEL: .entry pairs_kernel0
// PTX-DAG: ld.global.v2.b32
// PTX-DAG: ld.global.v2.b32
// PTX-DAG: ld.global.b32
// PTX: st.global.v4.b32
func.func @pairs(%b: tensor<30xf32>, %z: tensor<960xf32>) -> tensor<1920xf32> {
  %e = tensor.empty() : tensor<1920xf32>
  %y = scop.kernel ins(%b, %z : tensor<30xf32>, tensor<960xf32>) outs(%e : tensor<1920xf32>)
      schedule <[linear band 0 coincident map thread_x vector 4], @S = (d0) -> (d0)> -> tensor<1920xf32> {
  ^bb0(%B: memref<30xf32>, %Z: memref<960xf32>, %Y: memref<1920xf32>):
    scop.stmt @S domain [1920]
        reads(%B[(d0) -> (d0 mod 30)] : memref<30xf32>, %Z[(d0) -> (d0 floordiv 2)] : memref<960xf32>)
        writes(%Y[(d0) -> (d0)] : memref<1920xf32>) {
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      scop.yield %s : f32
    }
  }
  return %y : tensor<1920xf32>
}

// What is divided may be negative: it is moved by a multiple of the divisor, and
// a quotient is moved back.

// CHECK-LABEL: llvm.func @rotated_kernel0(
// CHECK: %[[MOVED:.*]] = arith.addi %{{.*}}, %c-3_i32 : i32
// CHECK: %[[EIGHT:.*]] = arith.constant 8 : i32
// CHECK: %[[POSITIVE:.*]] = arith.addi %[[MOVED]], %{{.*}} : i32
// CHECK-NEXT: arith.remui %[[POSITIVE]], %[[EIGHT]] : i32
// CHECK: %[[MOVED:.*]] = arith.addi %{{.*}}, %c-3_i32{{.*}} : i32
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK: %[[POSITIVE:.*]] = arith.addi %[[MOVED]], %[[FOUR]] : i32
// CHECK-NEXT: %[[QUOTIENT:.*]] = arith.divui %[[POSITIVE]], %[[TWO]] : i32
// CHECK-NEXT: %[[SHIFT:.*]] = arith.constant 2 : i32
// CHECK-NEXT: arith.subi %[[QUOTIENT]], %[[SHIFT]] : i32
func.func @rotated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = scop.kernel ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<8xf32> {
  ^bb0(%X: memref<8xf32>, %Y: memref<8xf32>):
    scop.stmt @S domain [8]
        reads(%X[(d0) -> ((d0 - 3) mod 8)] : memref<8xf32>, %X[(d0) -> ((d0 - 3) floordiv 2 + 2)] : memref<8xf32>)
        writes(%Y[(d0) -> (d0)] : memref<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scop.yield %s : f32
    }
  }
  return %y : tensor<8xf32>
}

// A reshape and its inverse: no division is left.

// CHECK-LABEL: llvm.func @inverse_kernel0(
// CHECK-NOT: arith.divui
// CHECK: llvm.return
func.func @inverse(%x: tensor<16x20xf32>) -> tensor<320xf32> {
  %e = tensor.empty() : tensor<320xf32>
  %y = scop.kernel ins(%x : tensor<16x20xf32>) outs(%e : tensor<320xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<320xf32> {
  ^bb0(%X: memref<16x20xf32>, %Y: memref<320xf32>):
    scop.stmt @S domain [320] reads(%X[(d0) -> (d0 floordiv 20, d0 mod 20)] : memref<16x20xf32>)
        writes(%Y[(d0) -> (d0)] : memref<320xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<320xf32>
}

// Nor of one whose quotient is always 1.

// CHECK-LABEL: llvm.func @one_kernel0(
// CHECK-NOT: arith.divui
// CHECK-NOT: arith.remui
// CHECK: llvm.return
func.func @one(%x: tensor<2x32xf32>) -> tensor<24xf32> {
  %e = tensor.empty() : tensor<24xf32>
  %y = scop.kernel ins(%x : tensor<2x32xf32>) outs(%e : tensor<24xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<24xf32> {
  ^bb0(%X: memref<2x32xf32>, %Y: memref<24xf32>):
    scop.stmt @S domain [24] reads(%X[(d0) -> ((d0 + 40) floordiv 32, (d0 + 40) mod 32)] : memref<2x32xf32>)
        writes(%Y[(d0) -> (d0)] : memref<24xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<24xf32>
}

// All blocks of a row have its only element of Z; the first one stores it.

// CHECK-LABEL: llvm.func @first_kernel0(
// CHECK: %[[COLUMN:.*]] = arith.remui
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[COLUMN]], %{{.*}} : i32
// CHECK: %[[IS_OWN:.*]] = arith.andi %{{.*}}, %[[IS_FIRST]] : i1
// CHECK: scf.if %[[IS_OWN]]
// PTX-LABEL: .entry first_kernel0
// PTX: st.global
// PTX: st.global
func.func @first(%x: tensor<6x10xf32>, %v: tensor<6xf32>) -> (tensor<6x10xf32>, tensor<6xf32>) {
  %e = tensor.empty() : tensor<6x10xf32>
  %f = tensor.empty() : tensor<6xf32>
  %y:2 = scop.kernel ins(%x, %v : tensor<6x10xf32>, tensor<6xf32>) outs(%e, %f : tensor<6x10xf32>, tensor<6xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident], @T = (d0) -> (d0, 0), @S = (d0, d1) -> (d0, d1)>
      -> tensor<6x10xf32>, tensor<6xf32> {
  ^bb0(%X: memref<6x10xf32>, %V: memref<6xf32>, %Y: memref<6x10xf32>, %Z: memref<6xf32>):
    scop.stmt @T domain [6] reads(%V[(d0) -> (d0)] : memref<6xf32>) writes(%Z[(d0) -> (d0)] : memref<6xf32>) {
    ^bb0(%a: f32):
      %r = math.exp %a : f32
      scop.yield %r : f32
    }
    scop.stmt @S domain [6, 10] reads(%X[(d0, d1) -> (d0, d1)] : memref<6x10xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<6x10xf32>) {
    ^bb0(%a: f32):
      %r = math.exp %a : f32
      scop.yield %r : f32
    }
  }
  return %y#0, %y#1 : tensor<6x10xf32>, tensor<6xf32>
}
