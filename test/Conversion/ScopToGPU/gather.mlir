// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// Each thread computes the places of its own elements, of which those that may
// be outside of the array are moved to its nearest one. A truth value is a byte
// in memory.

// CHECK-LABEL:   llvm.func @gather_kernel0(
// CHECK:           %[[AT:.*]] = llvm.load {{.*}} : !llvm.ptr<1> -> i64
// CHECK-COUNT-4:   llvm.load {{.*}} : !llvm.ptr<1> -> i8
// CHECK:           llvm.store
// PTX-LABEL:     .entry gather_kernel0(
// PTX:             ld.global.b64 [[AT:%rd[0-9]+]]
// PTX:             max.s64 [[LOW:%rd[0-9]+]], [[AT]], 0;
// PTX:             min.s64 %rd{{[0-9]+}}, [[LOW]], 99;
// PTX-COUNT-4:     ld.global.b8
// PTX:             st.global.b32
func.func @gather(%t: tensor<100x16xi1>, %n: tensor<4xi64>) -> tensor<4x16xi1> {
  %e = tensor.empty() : tensor<4x16xi1>
  %r = scop.kernel ins(%t, %n : tensor<100x16xi1>, tensor<4xi64>) outs(%e : tensor<4x16xi1>)
      schedule <[linear band 0 coincident map thread_y, linear band 0 coincident map thread_x vector 4],
                @S = (d0, d1) -> (d0, d1)> -> tensor<4x16xi1> {
  ^bb0(%T: memref<100x16xi1>, %N: memref<4xi64>, %Y: memref<4x16xi1>):
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0)] : memref<4xi64>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x16xi1>) {
    ^bb0(%at: i64):
      %i = arith.index_cast %at : i64 to index
      %j = scop.index 1 : index
      %v = scop.gather %T[%i, %j] : memref<100x16xi1>
      scop.yield %v : i1
    }
  }
  return %r : tensor<4x16xi1>
}

// Rows of five begin at other places of a vector. Points before and behind a
// row are where its first and last are, as loads are not masked.

// PTX-LABEL:     .entry gather_masked_kernel0(
// PTX:             max.s32 [[FIRST:%r[0-9]+]], %r{{[0-9]+}}, 0;
// PTX-COUNT-4:     ld.global.b32
// PTX:             st.global
func.func @gather_masked(%t: tensor<17x5xf32>, %n: tensor<12xi64>) -> tensor<12x5xf32> {
  %e = tensor.empty() : tensor<12x5xf32>
  %r = scop.kernel ins(%t, %n : tensor<17x5xf32>, tensor<12xi64>) outs(%e : tensor<12x5xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 4 masked],
                @S = (d0, d1) -> (d0, d1)> -> tensor<12x5xf32> {
  ^bb0(%T: memref<17x5xf32>, %N: memref<12xi64>, %Y: memref<12x5xf32>):
    scop.stmt @S domain [12, 5]
        reads(%N[(d0, d1) -> (d0)] : memref<12xi64>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<12x5xf32>) {
    ^bb0(%at: i64):
      %i = arith.index_cast %at : i64 to index
      %j = scop.index 1 : index
      %v = scop.gather %T[%i, %j] : memref<17x5xf32>
      scop.yield %v : f32
    }
  }
  return %r : tensor<12x5xf32>
}
