// RUN: grout-opt %s --convert-linalg-to-scop --scop-schedule \
// RUN:   --convert-scop-to-gpu | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX

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
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @bias_gelu(%x: tensor<640x768xf16>, %b: tensor<768xf32>) -> tensor<640x768xf16> {
  %e = tensor.empty() : tensor<640x768xf16>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<640x768xf16>, tensor<768xf32>) outs(%e : tensor<640x768xf16>) {
  ^bb0(%a: f16, %c: f32, %o: f16):
    %w = arith.extf %a : f16 to f32
    %s = arith.addf %w, %c : f32
    %t = math.exp %s : f32
    %r = arith.truncf %t : f32 to f16
    linalg.yield %r : f16
  } -> tensor<640x768xf16>
  return %y : tensor<640x768xf16>
}

// Loops that are dense in every access are one, so rows of 49 are no obstacle:
// 150 x 160 x 49 elements are 1176000 = 1148.4 blocks of 256 threads with four.

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
func.func @odd_rows(%x: tensor<150x160x7x7xf32>, %y: tensor<150x160x7x7xf32>) -> tensor<150x160x7x7xf32> {
  %e = tensor.empty() : tensor<150x160x7x7xf32>
  %z = linalg.add ins(%x, %y : tensor<150x160x7x7xf32>, tensor<150x160x7x7xf32>)
                  outs(%e : tensor<150x160x7x7xf32>) -> tensor<150x160x7x7xf32>
  return %z : tensor<150x160x7x7xf32>
}

// A row of 30 is no multiple of four: two elements at once.

// PTX-LABEL: .entry narrow_kernel0
// PTX: ld.global.v2.b32
// PTX: st.global.v2.b32
func.func @narrow(%x: tensor<64x30xf32>, %s: tensor<64xf32>) -> tensor<64x30xf32> {
  %e = tensor.empty() : tensor<64x30xf32>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x30xf32>, tensor<64xf32>) outs(%e : tensor<64x30xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x30xf32>
  return %y : tensor<64x30xf32>
}
