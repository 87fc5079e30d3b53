// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s

// What one instruction stores of the 8 elements that a thread scatters.

// Loops that are one: the place of a head is the same for all 8, and columns are
// neighbours. Keys and values arrive before the first of them is stored, and the
// place is checked once for each.

// CHECK-LABEL: llvm.func @cache_kernel0(
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<8xf16>
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult
// CHECK:         scf.if %[[INSIDE]] {
// CHECK:           llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>
// CHECK-NOT:       llvm.store
// CHECK-NOT:     llvm.load
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>
// CHECK-NOT:       llvm.store
func.func @cache(%x: tensor<1536xf16>, %n: tensor<1xi64>, %k: tensor<12x100x64xf16> {grout.in_place = 0 : i64},
                 %v: tensor<12x100x64xf16> {grout.in_place = 1 : i64})
    -> (tensor<12x100x64xf16>, tensor<12x100x64xf16>) {
  %r:2 = scop.kernel ins(%x, %n : tensor<1536xf16>, tensor<1xi64>) outs(%k, %v : tensor<12x100x64xf16>, tensor<12x100x64xf16>)
      schedule <[linear band 0 coincident map thread_x vector 8, sequence band 1],
                @S = (d0) -> (d0, 0), @T = (d0) -> (d0, 1)> -> tensor<12x100x64xf16>, tensor<12x100x64xf16> {
  ^bb0(%X: memref<1536xf16>, %N: memref<1xi64>, %K: memref<12x100x64xf16>, %V: memref<12x100x64xf16>):
    scop.stmt @S domain [768]
        reads(%X[(d0) -> (d0)] : memref<1536xf16>, %N[(d0) -> (0)] : memref<1xi64>) {
    ^bb0(%e: f16, %at: i64):
      %c64 = arith.constant 64 : index
      %i = scop.index 0 : index
      %head = arith.divui %i, %c64 : index
      %column = arith.remui %i, %c64 : index
      %place = arith.index_cast %at : i64 to index
      scop.scatter %e into %K[%head, %place, %column] : memref<12x100x64xf16>
      scop.yield
    }
    scop.stmt @T domain [768]
        reads(%X[(d0) -> (d0 + 768)] : memref<1536xf16>, %N[(d0) -> (0)] : memref<1xi64>) {
    ^bb0(%e: f16, %at: i64):
      %c64 = arith.constant 64 : index
      %i = scop.index 0 : index
      %head = arith.divui %i, %c64 : index
      %column = arith.remui %i, %c64 : index
      %place = arith.index_cast %at : i64 to index
      scop.scatter %e into %V[%head, %place, %column] : memref<12x100x64xf16>
      scop.yield
    }
  }
  return %r#0, %r#1 : tensor<12x100x64xf16>, tensor<12x100x64xf16>
}

// From the fourth element of a row on: vectors of 4, of which the place is
// computed twice.

// CHECK-LABEL: llvm.func @shifted_kernel0(
// CHECK-COUNT-2: llvm.store {{.*}} {alignment = 8 : i64} : vector<4xf16>
// CHECK-NOT:     llvm.store
func.func @shifted(%x: tensor<4x16xf16>, %n: tensor<4xi64>, %t: tensor<100x32xf16> {grout.in_place = 0 : i64})
    -> tensor<100x32xf16> {
  %r = scop.kernel ins(%x, %n : tensor<4x16xf16>, tensor<4xi64>) outs(%t : tensor<100x32xf16>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_x vector 8],
                @S = (d0, d1) -> (d0, d1)> -> tensor<100x32xf16> {
  ^bb0(%X: memref<4x16xf16>, %N: memref<4xi64>, %T: memref<100x32xf16>):
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0)] : memref<4xi64>, %X[(d0, d1) -> (d0, d1)] : memref<4x16xf16>) {
    ^bb0(%at: i64, %v: f16):
      %c4 = arith.constant 4 : index
      %i = arith.index_cast %at : i64 to index
      %j = scop.index 1 : index
      %column = arith.addi %j, %c4 : index
      scop.scatter %v into %T[%i, %column] : memref<100x32xf16>
      scop.yield
    }
  }
  return %r : tensor<100x32xf16>
}

// Each element has a place of its own.

// CHECK-LABEL: llvm.func @places_kernel0(
// CHECK-COUNT-8: llvm.store {{.*}} : f16, !llvm.ptr<1>
// CHECK-NOT:     llvm.store
func.func @places(%x: tensor<4x16xf16>, %n: tensor<4x16xi64>, %t: tensor<100x16xf16> {grout.in_place = 0 : i64})
    -> tensor<100x16xf16> {
  %r = scop.kernel ins(%x, %n : tensor<4x16xf16>, tensor<4x16xi64>) outs(%t : tensor<100x16xf16>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_x vector 8],
                @S = (d0, d1) -> (d0, d1)> -> tensor<100x16xf16> {
  ^bb0(%X: memref<4x16xf16>, %N: memref<4x16xi64>, %T: memref<100x16xf16>):
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0, d1)] : memref<4x16xi64>, %X[(d0, d1) -> (d0, d1)] : memref<4x16xf16>) {
    ^bb0(%at: i64, %v: f16):
      %i = arith.index_cast %at : i64 to index
      %j = scop.index 1 : index
      scop.scatter %v into %T[%i, %j] : memref<100x16xf16>
      scop.yield
    }
  }
  return %r : tensor<100x16xf16>
}

// Columns are computed, too: they may be anywhere.

// CHECK-LABEL: llvm.func @columns_kernel0(
// CHECK-COUNT-8: llvm.store {{.*}} : f16, !llvm.ptr<1>
// CHECK-NOT:     llvm.store
func.func @columns(%x: tensor<4x16xf16>, %n: tensor<16xi64>, %t: tensor<4x100xf16> {grout.in_place = 0 : i64})
    -> tensor<4x100xf16> {
  %r = scop.kernel ins(%x, %n : tensor<4x16xf16>, tensor<16xi64>) outs(%t : tensor<4x100xf16>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_x vector 8],
                @S = (d0, d1) -> (d0, d1)> -> tensor<4x100xf16> {
  ^bb0(%X: memref<4x16xf16>, %N: memref<16xi64>, %T: memref<4x100xf16>):
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d1)] : memref<16xi64>, %X[(d0, d1) -> (d0, d1)] : memref<4x16xf16>) {
    ^bb0(%at: i64, %v: f16):
      %i = scop.index 0 : index
      %j = arith.index_cast %at : i64 to index
      scop.scatter %v into %T[%i, %j] : memref<4x100xf16>
      scop.yield
    }
  }
  return %r : tensor<4x100xf16>
}
