// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels \
// RUN:   | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// A warp for each row of 128: one load of four elements, which stay in
// registers for all phases; maximum and sum by five shuffles each; no shared
// memory.

// CHECK-LABEL: launch.plan @softmax
// CHECK: grids {{\[\[}}512]] {block = 256 : i64}

// PTX-LABEL: .entry softmax_kernel0
// PTX: ld.global.v4.b32
// PTX-NOT: ld.global
// PTX-COUNT-5: shfl.sync.bfly
// PTX-COUNT-4: ex2.approx
// PTX-COUNT-5: shfl.sync.bfly
// PTX-NOT: bar.sync
// PTX: st.global.v4.b32
func.func @softmax(%x: tensor<4096x128xf32>) -> tensor<4096x128xf32> {
  %e = tensor.empty() : tensor<4096x128xf32>
  %y = scop.kernel ins(%x : tensor<4096x128xf32>) outs(%e : tensor<4096x128xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction map thread_x vector 4, sequence band 3],
                @start_max = (d0) -> (d0, 0, 0, 0), @max = (d0, d1) -> (d0, 1, d1, 0),
                @exp = (d0, d1) -> (d0, 2, d1, 0), @start_sum = (d0) -> (d0, 0, 0, 1),
                @sum = (d0, d1) -> (d0, 2, d1, 1), @quotient = (d0, d1) -> (d0, 3, d1, 0)>
      -> tensor<4096x128xf32> {
  ^bb0(%X: memref<4096x128xf32>, %Y: memref<4096x128xf32>):
    %sums = scop.local : memref<4096xf32>
    %exps = scop.local : memref<4096x128xf32>
    %maxs = scop.local : memref<4096xf32>
    scop.stmt @start_max domain [4096] writes(%maxs[(d0) -> (d0)] : memref<4096xf32>) {
      %start = arith.constant 0xFF800000 : f32
      scop.yield %start : f32
    }
    scop.stmt @max domain [4096, 128]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %maxs[(d0, d1) -> (d0)] : memref<4096xf32>)
        writes(%maxs[(d0, d1) -> (d0)] : memref<4096xf32>) reductions [1] {
    ^bb0(%a: f32, %m: f32):
      %r = arith.maxnumf %a, %m : f32
      scop.yield %r : f32
    }
    scop.stmt @exp domain [4096, 128]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %maxs[(d0, d1) -> (d0)] : memref<4096xf32>)
        writes(%exps[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>) {
    ^bb0(%a: f32, %m: f32):
      %d = arith.subf %a, %m : f32
      %r = math.exp %d : f32
      scop.yield %r : f32
    }
    scop.stmt @start_sum domain [4096] writes(%sums[(d0) -> (d0)] : memref<4096xf32>) {
      %start = arith.constant 0.0 : f32
      scop.yield %start : f32
    }
    scop.stmt @sum domain [4096, 128]
        reads(%exps[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %sums[(d0, d1) -> (d0)] : memref<4096xf32>)
        writes(%sums[(d0, d1) -> (d0)] : memref<4096xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
    scop.stmt @quotient domain [4096, 128]
        reads(%exps[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %sums[(d0, d1) -> (d0)] : memref<4096xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>) {
    ^bb0(%a: f32, %s: f32):
      %r = arith.divf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<4096x128xf32>
}

// A row that a warp could not keep: four warps and more, which meet in shared
// memory. The last round has no elements for some threads.

// CHECK-LABEL: launch.plan @long_rows
// CHECK: grids {{\[\[}}160]] {block = 1024 : i64}
// PTX-LABEL: .entry long_rows_kernel0
// PTX-COUNT-15: ld.global.v2.b32
// PTX: st.shared
// PTX: bar.sync
// PTX: ld.shared
func.func @long_rows(%x: tensor<160x30522xf32>) -> tensor<160x30522xf32> {
  %e = tensor.empty() : tensor<160x30522xf32>
  %y = scop.kernel ins(%x : tensor<160x30522xf32>) outs(%e : tensor<160x30522xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction map thread_x vector 2, sequence band 3],
                @start_max = (d0) -> (d0, 0, 0, 0), @max = (d0, d1) -> (d0, 1, d1, 0),
                @exp = (d0, d1) -> (d0, 2, d1, 0), @start_sum = (d0) -> (d0, 0, 0, 1),
                @sum = (d0, d1) -> (d0, 2, d1, 1), @quotient = (d0, d1) -> (d0, 3, d1, 0)>
      -> tensor<160x30522xf32> {
  ^bb0(%X: memref<160x30522xf32>, %Y: memref<160x30522xf32>):
    %sums = scop.local : memref<160xf32>
    %exps = scop.local : memref<160x30522xf32>
    %maxs = scop.local : memref<160xf32>
    scop.stmt @start_max domain [160] writes(%maxs[(d0) -> (d0)] : memref<160xf32>) {
      %start = arith.constant 0xFF800000 : f32
      scop.yield %start : f32
    }
    scop.stmt @max domain [160, 30522]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<160x30522xf32>, %maxs[(d0, d1) -> (d0)] : memref<160xf32>)
        writes(%maxs[(d0, d1) -> (d0)] : memref<160xf32>) reductions [1] {
    ^bb0(%a: f32, %m: f32):
      %r = arith.maxnumf %a, %m : f32
      scop.yield %r : f32
    }
    scop.stmt @exp domain [160, 30522]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<160x30522xf32>, %maxs[(d0, d1) -> (d0)] : memref<160xf32>)
        writes(%exps[(d0, d1) -> (d0, d1)] : memref<160x30522xf32>) {
    ^bb0(%a: f32, %m: f32):
      %d = arith.subf %a, %m : f32
      %r = math.exp %d : f32
      scop.yield %r : f32
    }
    scop.stmt @start_sum domain [160] writes(%sums[(d0) -> (d0)] : memref<160xf32>) {
      %start = arith.constant 0.0 : f32
      scop.yield %start : f32
    }
    scop.stmt @sum domain [160, 30522]
        reads(%exps[(d0, d1) -> (d0, d1)] : memref<160x30522xf32>, %sums[(d0, d1) -> (d0)] : memref<160xf32>)
        writes(%sums[(d0, d1) -> (d0)] : memref<160xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
    scop.stmt @quotient domain [160, 30522]
        reads(%exps[(d0, d1) -> (d0, d1)] : memref<160x30522xf32>, %sums[(d0, d1) -> (d0)] : memref<160xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<160x30522xf32>) {
    ^bb0(%a: f32, %s: f32):
      %r = arith.divf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<160x30522xf32>
}

// Columns: neighbouring threads have neighbouring columns, four each, and share
// out the rows. There are few, so a block takes 32 bytes of a row.

// CHECK-LABEL: launch.plan @columns
// CHECK: grids {{\[\[}}128]] {block = 512 : i64}
// PTX-LABEL: .entry columns_kernel0
// PTX-COUNT-8: ld.global.v4.b32
// PTX: bar.sync
// PTX: st.global.v4.b32
func.func @columns(%x: tensor<4096x1024xf32>, %start: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = scop.kernel ins(%x : tensor<4096x1024xf32>) outs(%start : tensor<1024xf32>)
      schedule <[linear band 0 coincident map thread_x vector 4, linear band 0 reduction map thread_y],
                @S = (d0, d1) -> (d1, d0)> -> tensor<1024xf32> {
  ^bb0(%X: memref<4096x1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S domain [4096, 1024]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4096x1024xf32>, %Y[(d0, d1) -> (d1)] : memref<1024xf32>)
        writes(%Y[(d0, d1) -> (d1)] : memref<1024xf32>) reductions [0] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %s, %a : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<1024xf32>
}

// Short columns: eight threads for each, though there are few. More would have
// as much to combine as to sum up.

// CHECK-LABEL: launch.plan @short_columns
// CHECK: grids {{\[\[}}256]] {block = 256 : i64}
func.func @short_columns(%x: tensor<64x65x1024xf16>, %start: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %y = scop.kernel ins(%x : tensor<64x65x1024xf16>) outs(%start : tensor<64x1024xf32>)
      schedule <[linear band 0 coincident map block, linear band 0 coincident map thread_x vector 8,
                 linear band 0 reduction map thread_y],
                @S = (d0, d1, d2) -> (d0, d2, d1)> -> tensor<64x1024xf32> {
  ^bb0(%X: memref<64x65x1024xf16>, %Y: memref<64x1024xf32>):
    scop.stmt @S domain [64, 65, 1024]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<64x65x1024xf16>, %Y[(d0, d1, d2) -> (d0, d2)] : memref<64x1024xf32>)
        writes(%Y[(d0, d1, d2) -> (d0, d2)] : memref<64x1024xf32>) reductions [1] {
    ^bb0(%a: f16, %s: f32):
      %w = arith.extf %a : f16 to f32
      %r = arith.addf %s, %w : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<64x1024xf32>
}

// More than a thread could keep of a row that nothing else needs: a loop.

// CHECK-LABEL: llvm.func @all_kernel0(
// CHECK: scf.for
func.func @all(%x: tensor<1048576xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %y = scop.kernel ins(%x : tensor<1048576xf32>) outs(%e : tensor<f32>)
      schedule <[sequence band 0, linear band 1 reduction map thread_x vector 4],
                @start = () -> (0, 0), @sum = (d0) -> (1, d0)> -> tensor<f32> {
  ^bb0(%X: memref<1048576xf32>, %Y: memref<f32>):
    scop.stmt @start domain [] writes(%Y[() -> ()] : memref<f32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero : f32
    }
    scop.stmt @sum domain [1048576]
        reads(%X[(d0) -> (d0)] : memref<1048576xf32>, %Y[(d0) -> ()] : memref<f32>)
        writes(%Y[(d0) -> ()] : memref<f32>) reductions [0] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %s, %a : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<f32>
}

// Few elements: a warp nevertheless, half of which repeats a row.

// CHECK-LABEL: launch.plan @few
// CHECK: grids {{\[\[}}1]] {block = 32 : i64}
func.func @few(%x: tensor<2x16xf32>, %start: tensor<2xf32>) -> tensor<2xf32> {
  %y = scop.kernel ins(%x : tensor<2x16xf32>) outs(%start : tensor<2xf32>)
      schedule <[linear band 0 coincident, linear band 0 reduction map thread_x vector 4],
                @S = (d0, d1) -> (d0, d1)> -> tensor<2xf32> {
  ^bb0(%X: memref<2x16xf32>, %Y: memref<2xf32>):
    scop.stmt @S domain [2, 16]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<2x16xf32>, %Y[(d0, d1) -> (d0)] : memref<2xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<2xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %s, %a : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<2xf32>
}

// An inner loop without a mark: every thread has four columns, and goes through
// their rows in a loop; threads need not meet.

// CHECK-LABEL: launch.plan @alone
// CHECK: grids {{\[\[}}8]] {block = 32 : i64}
// CHECK-LABEL: llvm.func @alone_kernel0(
// CHECK: scf.for
// CHECK-NOT: nvvm.shfl
// PTX-LABEL: .entry alone_kernel0
// PTX-COUNT-4: ld.global.v4.b32
// PTX-NOT: bar.sync
// PTX: st.global.v4.b32
func.func @alone(%x: tensor<4096x1024xf32>, %start: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = scop.kernel ins(%x : tensor<4096x1024xf32>) outs(%start : tensor<1024xf32>)
      schedule <[linear band 0 coincident map thread_x vector 4, linear band 0 reduction],
                @S = (d0, d1) -> (d1, d0)> -> tensor<1024xf32> {
  ^bb0(%X: memref<4096x1024xf32>, %Y: memref<1024xf32>):
    scop.stmt @S domain [4096, 1024]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4096x1024xf32>, %Y[(d0, d1) -> (d1)] : memref<1024xf32>)
        writes(%Y[(d0, d1) -> (d1)] : memref<1024xf32>) reductions [0] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %s, %a : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<1024xf32>
}

// No marks at all. A thread has a row, whose exponentials it keeps in memory of
// its own, since 128 are too many for registers.

// CHECK-LABEL: launch.plan @unmarked_softmax
// CHECK: grids {{\[\[}}128]] {block = 32 : i64}
// CHECK-LABEL: llvm.func @unmarked_softmax_kernel0(
// CHECK: llvm.alloca %{{.*}} x f32
// CHECK-COUNT-3: scf.for
// PTX-LABEL: .entry unmarked_softmax_kernel0
// PTX-NOT: bar.sync
// PTX: st.local
// PTX: ld.local
// PTX: st.global.b32
func.func @unmarked_softmax(%x: tensor<4096x128xf32>) -> tensor<4096x128xf32> {
  %e = tensor.empty() : tensor<4096x128xf32>
  %y = scop.kernel ins(%x : tensor<4096x128xf32>) outs(%e : tensor<4096x128xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction, sequence band 3],
                @start_max = (d0) -> (d0, 0, 0, 0), @max = (d0, d1) -> (d0, 1, d1, 0),
                @exp = (d0, d1) -> (d0, 2, d1, 0), @start_sum = (d0) -> (d0, 0, 0, 1),
                @sum = (d0, d1) -> (d0, 2, d1, 1), @quotient = (d0, d1) -> (d0, 3, d1, 0)>
      -> tensor<4096x128xf32> {
  ^bb0(%X: memref<4096x128xf32>, %Y: memref<4096x128xf32>):
    %sums = scop.local : memref<4096xf32>
    %exps = scop.local : memref<4096x128xf32>
    %maxs = scop.local : memref<4096xf32>
    scop.stmt @start_max domain [4096] writes(%maxs[(d0) -> (d0)] : memref<4096xf32>) {
      %start = arith.constant 0xFF800000 : f32
      scop.yield %start : f32
    }
    scop.stmt @max domain [4096, 128]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %maxs[(d0, d1) -> (d0)] : memref<4096xf32>)
        writes(%maxs[(d0, d1) -> (d0)] : memref<4096xf32>) reductions [1] {
    ^bb0(%a: f32, %m: f32):
      %r = arith.maxnumf %a, %m : f32
      scop.yield %r : f32
    }
    scop.stmt @exp domain [4096, 128]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %maxs[(d0, d1) -> (d0)] : memref<4096xf32>)
        writes(%exps[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>) {
    ^bb0(%a: f32, %m: f32):
      %d = arith.subf %a, %m : f32
      %r = math.exp %d : f32
      scop.yield %r : f32
    }
    scop.stmt @start_sum domain [4096] writes(%sums[(d0) -> (d0)] : memref<4096xf32>) {
      %start = arith.constant 0.0 : f32
      scop.yield %start : f32
    }
    scop.stmt @sum domain [4096, 128]
        reads(%exps[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %sums[(d0, d1) -> (d0)] : memref<4096xf32>)
        writes(%sums[(d0, d1) -> (d0)] : memref<4096xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
    scop.stmt @quotient domain [4096, 128]
        reads(%exps[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>, %sums[(d0, d1) -> (d0)] : memref<4096xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4096x128xf32>) {
    ^bb0(%a: f32, %s: f32):
      %r = arith.divf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<4096x128xf32>
}

// A loop that keeps its order: how often a value is greater than the largest so
// far. What an iteration leaves goes through the loop.

// CHECK-LABEL: llvm.func @records_kernel0(
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32)
// PTX-LABEL: .entry records_kernel0
// PTX: st.global.b32
func.func @records(%x: tensor<64x256xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %y = scop.kernel ins(%x : tensor<64x256xf32>) outs(%e : tensor<64xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2],
                @start = (d0) -> (d0, 0, 0), @S = (d0, d1) -> (d0, 1, d1)> -> tensor<64xf32> {
  ^bb0(%X: memref<64x256xf32>, %Y: memref<64xf32>):
    %maxs = scop.local : memref<64xf32>
    scop.stmt @start domain [64] writes(%maxs[(d0) -> (d0)] : memref<64xf32>, %Y[(d0) -> (d0)] : memref<64xf32>) {
      %zero = arith.constant 0.0 : f32
      scop.yield %zero, %zero : f32, f32
    }
    scop.stmt @S domain [64, 256]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<64x256xf32>, %maxs[(d0, d1) -> (d0)] : memref<64xf32>,
              %Y[(d0, d1) -> (d0)] : memref<64xf32>)
        writes(%maxs[(d0, d1) -> (d0)] : memref<64xf32>, %Y[(d0, d1) -> (d0)] : memref<64xf32>) {
    ^bb0(%a: f32, %m: f32, %count: f32):
      %one = arith.constant 1.0 : f32
      %more = arith.addf %count, %one : f32
      %is_greater = arith.cmpf ogt, %a, %m : f32
      %max = arith.select %is_greater, %a, %m : f32
      %new = arith.select %is_greater, %more, %count : f32
      scop.yield %max, %new : f32, f32
    }
  }
  return %y : tensor<64xf32>
}

// Sums over the middle of an array of 100 MB. Two waves of blocks, of 128 bytes
// of columns each: 64 threads share a column, with all that they read under way
// at once.

// CHECK-LABEL: launch.plan @middle
// CHECK: grids {{\[\[}}1536]] {block = 512 : i64}
// PTX-LABEL: .entry middle_kernel0
// PTX-COUNT-8: ld.global.L1::no_allocate.v4.b32
// PTX-NOT: ld.global
// PTX: bar.sync
func.func @middle(%x: tensor<64x512x768xf32>, %start: tensor<64x768xf32>) -> tensor<64x768xf32> {
  %y = scop.kernel ins(%x : tensor<64x512x768xf32>) outs(%start : tensor<64x768xf32>)
      schedule <[linear band 0 coincident map block, linear band 0 coincident map thread_x vector 4, linear band 0 reduction map thread_y],
                @S = (d0, d1, d2) -> (d0, d2, d1)> -> tensor<64x768xf32> {
  ^bb0(%X: memref<64x512x768xf32>, %Y: memref<64x768xf32>):
    scop.stmt @S domain [64, 512, 768]
        reads(%X[(d0, d1, d2) -> (d0, d1, d2)] : memref<64x512x768xf32>, %Y[(d0, d1, d2) -> (d0, d2)] : memref<64x768xf32>)
        writes(%Y[(d0, d1, d2) -> (d0, d2)] : memref<64x768xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %s, %a : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<64x768xf32>
}
