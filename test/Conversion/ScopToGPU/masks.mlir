// Masked vectors: rows that begin within a slot of memory, and end in one.
//
// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels \
// RUN:   | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// Rows of 30,522 elements of 2 bytes: every other one begins 4 bytes behind a
// multiple of 16, or 8, or 12. A slot of eight is one load, whatever of it is
// in the row, since the buffer ends with a slot. In the rounds between the
// first and the last nothing is masked.

// CHECK-LABEL: launch.plan @long_rows
// CHECK: grids {{\[\[}}160]] {block = 1024 : i64}
// CHECK-LABEL: llvm.func @long_rows_kernel0
// CHECK: %[[BEFORE:.*]] = arith.andi %{{.*}}, %c7_i32 : i32
// CHECK: %[[FIRST:.*]] = arith.subi %{{.*}}, %[[BEFORE]] : i32
// CHECK: arith.cmpi ult, %{{.*}}, %c30522_i32{{.*}} : i32
// CHECK: arith.cmpi ult, %[[FIRST]], %c30515_i32{{.*}} : i32
// CHECK: %[[WIDE:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-NOT: scf.if
// CHECK: nvvm.shfl.sync

// PTX-LABEL: .entry long_rows_kernel0
// PTX-NOT: ld.global
// PTX-COUNT-4: ld.global.v4.b32
// PTX-NOT: ld.global
// PTX: bar.sync
// The first slot, whole or not.
// PTX: st.global.v4.b32
// PTX: st.global.b16
// PTX: st.global.b16
// Two rounds of whole slots.
// PTX: st.global.v4.b32
// PTX-NOT: st.global.b16
// PTX: st.global.v4.b32
// The last.
// PTX: st.global.v4.b32
// PTX: st.global.b16
func.func @long_rows(%x: tensor<160x30522xf16>) -> tensor<160x30522xf16> {
  %e = tensor.empty() : tensor<160x30522xf16>
  %y = scop.kernel ins(%x : tensor<160x30522xf16>) outs(%e : tensor<160x30522xf16>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction map thread_x vector 8 masked],
                @start = (d0) -> (d0, 0, 0), @sum = (d0, d1) -> (d0, 1, d1), @quotient = (d0, d1) -> (d0, 2, d1)>
      -> tensor<160x30522xf16> {
  ^bb0(%X: memref<160x30522xf16>, %Y: memref<160x30522xf16>):
    %sums = scop.local : memref<160xf32>
    scop.stmt @start domain [160] writes(%sums[(d0) -> (d0)] : memref<160xf32>) {
      %start = arith.constant 0.0 : f32
      scop.yield %start : f32
    }
    scop.stmt @sum domain [160, 30522]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<160x30522xf16>, %sums[(d0, d1) -> (d0)] : memref<160xf32>)
        writes(%sums[(d0, d1) -> (d0)] : memref<160xf32>) reductions [1] {
    ^bb0(%a: f16, %s: f32):
      %w = arith.extf %a : f16 to f32
      %r = arith.addf %w, %s : f32
      scop.yield %r : f32
    }
    scop.stmt @quotient domain [160, 30522]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<160x30522xf16>, %sums[(d0, d1) -> (d0)] : memref<160xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<160x30522xf16>) {
    ^bb0(%a: f16, %s: f32):
      %w = arith.extf %a : f16 to f32
      %d = arith.divf %w, %s : f32
      %r = arith.truncf %d : f32 to f16
      scop.yield %r : f16
    }
  }
  return %y : tensor<160x30522xf16>
}

// More rounds than a thread keeps: the loop has those in which nothing is
// masked.

// PTX-LABEL: .entry sums_kernel0
// PTX: selp.f32
// PTX: [[LOOP:\$L__BB.*]]:
// PTX-NOT: selp
// PTX-COUNT-4: ld.global.L1::no_allocate.v4.b32
// PTX-NOT: selp
// PTX: bra{{.*}} [[LOOP]]
// PTX: ld.global.L1::no_allocate.v4.b32
// PTX: selp.f32
// PTX: shfl.sync
func.func @sums(%x: tensor<4304x8195xf16>) -> tensor<4304xf32> {
  %e = tensor.empty() : tensor<4304xf32>
  %y = scop.kernel ins(%x : tensor<4304x8195xf16>) outs(%e : tensor<4304xf32>)
      schedule <[linear band 0 coincident, sequence band 1, linear band 2 reduction map thread_x vector 8 masked],
                @start = (d0) -> (d0, 0, 0), @sum = (d0, d1) -> (d0, 1, d1)> -> tensor<4304xf32> {
  ^bb0(%X: memref<4304x8195xf16>, %Y: memref<4304xf32>):
    scop.stmt @start domain [4304] writes(%Y[(d0) -> (d0)] : memref<4304xf32>) {
      %start = arith.constant 0.0 : f32
      scop.yield %start : f32
    }
    scop.stmt @sum domain [4304, 8195]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4304x8195xf16>, %Y[(d0, d1) -> (d0)] : memref<4304xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<4304xf32>) reductions [1] {
    ^bb0(%a: f16, %s: f32):
      %w = arith.extf %a : f16 to f32
      %r = arith.addf %w, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<4304xf32>
}

// An outer loop; reads that begin elsewhere than writes. Those of the first
// input do by a multiple of two elements, so that is how wide they are, and in
// the row; the last element of the buffer may be one alone. The bias begins
// anywhere: it comes out of two neighbouring vectors, shifted by up to three,
// and the last of its 33 elements alone, which is the same for all threads.

// CHECK-LABEL: llvm.func @parts_kernel0
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: llvm.load {{.*}} -> vector<2xf32>
// CHECK: scf.if {{.*}} -> (vector<2xf32>)
// CHECK: %[[END:.*]] = arith.constant 314 : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[END]]]
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> f32
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.if {{.*}} -> (vector<4xf32>)
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> f32
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.if {{.*}} -> (vector<4xf32>)
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> f32
// CHECK-COUNT-9: arith.select
// CHECK: scf.if
// CHECK: llvm.store {{.*}} : vector<4xf32>
// CHECK: } else {
// CHECK-COUNT-4: scf.if

// PTX-LABEL: .entry parts_kernel0
// PTX-DAG: ld.global.v2.b32
// PTX-DAG: ld.global.v4.b32
// PTX-DAG: ld.global.v4.b32
// PTX-DAG: ld.global.b32 {{.*}}+128];
// PTX-NOT: ld.global.b32 {{.*}}+4];
// PTX-COUNT-9: selp.b32
// PTX: st.global.v4.b32
// PTX-COUNT-4: st.global.b32
func.func @parts(%x: tensor<9x35xf32>, %bias: tensor<33xf32>) -> tensor<8x33xf32> {
  %p = tensor.extract_slice %x[1, 1] [8, 33] [1, 1] : tensor<9x35xf32> to tensor<8x33xf32>
  %e = tensor.empty() : tensor<8x33xf32>
  %y = scop.kernel ins(%p, %bias : tensor<8x33xf32>, tensor<33xf32>) outs(%e : tensor<8x33xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 4 masked],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x33xf32> {
  ^bb0(%X: memref<8x33xf32>, %B: memref<33xf32>, %Y: memref<8x33xf32>):
    scop.stmt @S domain [8, 33]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<8x33xf32>, %B[(d0, d1) -> (d1)] : memref<33xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x33xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<8x33xf32>
}

// Sums of columns: each row of the array begins elsewhere, but a thread's
// columns are the same in all.

// PTX-LABEL: .entry columns_kernel0
// PTX-COUNT-2: ld.global.v4.b32
// PTX-COUNT-9: selp.b32
// PTX: shfl.sync
// PTX: st.global.v4.b32
// PTX: st.global.b32
func.func @columns(%x: tensor<8x33xf32>) -> tensor<33xf32> {
  %e = tensor.empty() : tensor<33xf32>
  %y = scop.kernel ins(%x : tensor<8x33xf32>) outs(%e : tensor<33xf32>)
      schedule <[linear band 0 coincident map thread_x vector 4 masked, sequence band 1, linear band 2 reduction map thread_y],
                @start = (d0) -> (d0, 0, 0), @sum = (d0, d1) -> (d0, 1, d1)> -> tensor<33xf32> {
  ^bb0(%X: memref<8x33xf32>, %Y: memref<33xf32>):
    scop.stmt @start domain [33] writes(%Y[(d0) -> (d0)] : memref<33xf32>) {
      %start = arith.constant 0.0 : f32
      scop.yield %start : f32
    }
    scop.stmt @sum domain [33, 8]
        reads(%X[(d0, d1) -> (d1, d0)] : memref<8x33xf32>, %Y[(d0, d1) -> (d0)] : memref<33xf32>)
        writes(%Y[(d0, d1) -> (d0)] : memref<33xf32>) reductions [1] {
    ^bb0(%a: f32, %s: f32):
      %r = arith.addf %a, %s : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<33xf32>
}

// Elements of two bytes, which begin 1, 3, 5 or 7 elements behind a multiple of
// eight in every other row: four words are selected, and shifted by a half.

// PTX-LABEL: .entry halves_kernel0
// PTX-COUNT-2: ld.global.v4.b32
// PTX-NOT: ld.global
// PTX-COUNT-4: shf.r.wrap.b32
// PTX: st.global.v4.b32
func.func @halves(%x: tensor<8x1025xf16>) -> tensor<8x1024xf16> {
  %p = tensor.extract_slice %x[0, 1] [8, 1024] [1, 1] : tensor<8x1025xf16> to tensor<8x1024xf16>
  %e = tensor.empty() : tensor<8x1024xf16>
  %y = scop.kernel ins(%p : tensor<8x1024xf16>) outs(%e : tensor<8x1024xf16>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 8 masked],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x1024xf16> {
  ^bb0(%X: memref<8x1024xf16>, %Y: memref<8x1024xf16>):
    scop.stmt @S domain [8, 1024]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<8x1024xf16>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x1024xf16>) {
    ^bb0(%a: f16):
      %r = arith.negf %a : f16
      scop.yield %r : f16
    }
  }
  return %y : tensor<8x1024xf16>
}

// A row of 39 elements that other rows begin anywhere beside: its last seven
// are four, two and one. LLVM has one load for the last two.

// PTX-LABEL: .entry tail_kernel0
// PTX: ld.global.v4.b32
// PTX: ld.global.v2.b32 {{.*}}+64];
// PTX-NEXT: ld.global.v2.b32 {{.*}}+72];
// PTX: ld.global.v4.b32
// PTX: ld.global.v2.b32 {{.*}}+64];
// PTX-NEXT: ld.global.v2.b32 {{.*}}+72];
// PTX: st.global.v4.b32
func.func @tail(%x: tensor<8x39xf16>, %bias: tensor<39xf16>) -> tensor<8x39xf16> {
  %e = tensor.empty() : tensor<8x39xf16>
  %y = scop.kernel ins(%x, %bias : tensor<8x39xf16>, tensor<39xf16>) outs(%e : tensor<8x39xf16>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 8 masked],
                @S = (d0, d1) -> (d0, d1)> -> tensor<8x39xf16> {
  ^bb0(%X: memref<8x39xf16>, %B: memref<39xf16>, %Y: memref<8x39xf16>):
    scop.stmt @S domain [8, 39]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<8x39xf16>, %B[(d0, d1) -> (d1)] : memref<39xf16>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<8x39xf16>) {
    ^bb0(%a: f16, %b: f16):
      %r = arith.addf %a, %b : f16
      scop.yield %r : f16
    }
  }
  return %y : tensor<8x39xf16>
}
