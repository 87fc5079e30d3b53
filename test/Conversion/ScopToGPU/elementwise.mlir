// RUN: grout-opt %s --scop-verify-schedule --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels \
// RUN:   | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// A thread has eight columns of a row: 16 bytes of f16, twice 16 of f32. The
// bias has no rows. tanh and the like are single instructions.

// CHECK-LABEL: launch.plan @bias_gelu
// CHECK: launch.kernel "bias_gelu_kernel0"
// CHECK-SAME: grids {{\[\[}}240]] {block = 256 : i64}
// CHECK-LABEL: llvm.func @bias_gelu_kernel0(
// CHECK-COUNT-1: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-8: "ex2.approx.ftz.f32 $0, $1;"
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// CHECK: llvm.return

// PTX-LABEL: .entry bias_gelu_kernel0
// PTX-COUNT-3: ld.global.v4.b32
// PTX-NOT: ld.global
// PTX: st.global.v4.b32
// PTX-NOT: st.global
// PTX: ret
func.func @bias_gelu(%x: tensor<640x768xf16>, %b: tensor<768xf32>) -> tensor<640x768xf16> {
  %e = tensor.empty() : tensor<640x768xf16>
  %y = scop.kernel ins(%x, %b : tensor<640x768xf16>, tensor<768xf32>) outs(%e : tensor<640x768xf16>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 8],
                @S = (d0, d1) -> (d0, d1)> -> tensor<640x768xf16> {
  ^bb0(%X: memref<640x768xf16>, %B: memref<768xf32>, %Y: memref<640x768xf16>):
    scop.stmt @S domain [640, 768]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<640x768xf16>, %B[(d0, d1) -> (d1)] : memref<768xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<640x768xf16>) {
    ^bb0(%a: f16, %c: f32):
      %w = arith.extf %a : f16 to f32
      %s = arith.addf %w, %c : f32
      %t = math.exp %s : f32
      %r = arith.truncf %t : f32 to f16
      scop.yield %r : f16
    }
  }
  return %y : tensor<640x768xf16>
}

// 1176000 elements are 1148.4 blocks of 256 threads with four.

// CHECK-LABEL: launch.plan @odd_rows
// CHECK: grids {{\[\[}}1149]] {block = 256 : i64}
// CHECK-LABEL: llvm.func @odd_rows_kernel0(
// CHECK: %[[COUNT:.*]] = arith.constant 294000 : i32
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %[[COUNT]] : i32
// CHECK-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.if %[[INSIDE]]
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>

// PTX-LABEL: .entry odd_rows_kernel0
// PTX-COUNT-2: ld.global.v4.b32
// PTX: st.global.v4.b32
func.func @odd_rows(%x: tensor<1176000xf32>, %y: tensor<1176000xf32>) -> tensor<1176000xf32> {
  %e = tensor.empty() : tensor<1176000xf32>
  %z = scop.kernel ins(%x, %y : tensor<1176000xf32>, tensor<1176000xf32>) outs(%e : tensor<1176000xf32>)
      schedule <[linear band 0 coincident map thread_x vector 4], @S = (d0) -> (d0)> -> tensor<1176000xf32> {
  ^bb0(%X: memref<1176000xf32>, %Y: memref<1176000xf32>, %Z: memref<1176000xf32>):
    scop.stmt @S domain [1176000]
        reads(%X[(d0) -> (d0)] : memref<1176000xf32>, %Y[(d0) -> (d0)] : memref<1176000xf32>)
        writes(%Z[(d0) -> (d0)] : memref<1176000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      scop.yield %r : f32
    }
  }
  return %z : tensor<1176000xf32>
}

// Rows of 30 begin at multiples of two elements, not of four: two loads of two.

// PTX-LABEL: .entry split_kernel0
// PTX-COUNT-2: ld.global.v2.b32
// PTX: st.global.v4.b32
func.func @split(%x: tensor<64x30xf32>) -> tensor<64x28xf32> {
  %e = tensor.empty() : tensor<64x28xf32>
  %y = scop.kernel ins(%x : tensor<64x30xf32>) outs(%e : tensor<64x28xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 4],
                @S = (d0, d1) -> (d0, d1)> -> tensor<64x28xf32> {
  ^bb0(%X: memref<64x30xf32>, %Y: memref<64x28xf32>):
    scop.stmt @S domain [64, 28] reads(%X[(d0, d1) -> (d0, d1)] : memref<64x30xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x28xf32>) {
    ^bb0(%a: f32):
      scop.yield %a : f32
    }
  }
  return %y : tensor<64x28xf32>
}

// A schedule without marks: neighbouring threads have neighbouring elements of
// the last loop, one each.

// CHECK-LABEL: launch.plan @unmarked
// CHECK: grids {{\[\[}}8]] {block = 256 : i64}
// PTX-LABEL: .entry unmarked_kernel0
// PTX: ld.global.b32
// PTX: st.global.b32
func.func @unmarked(%x: tensor<64x30xf32>) -> tensor<64x30xf32> {
  %e = tensor.empty() : tensor<64x30xf32>
  %y = scop.kernel ins(%x : tensor<64x30xf32>) outs(%e : tensor<64x30xf32>)
      schedule <[linear band 0 coincident, linear band 0 coincident],
                @S = (d0, d1) -> (d0, d1)> -> tensor<64x30xf32> {
  ^bb0(%X: memref<64x30xf32>, %Y: memref<64x30xf32>):
    scop.stmt @S domain [64, 30] reads(%X[(d0, d1) -> (d0, d1)] : memref<64x30xf32>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<64x30xf32>) {
    ^bb0(%a: f32):
      %r = arith.negf %a : f32
      scop.yield %r : f32
    }
  }
  return %y : tensor<64x30xf32>
}
