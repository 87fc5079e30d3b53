// RUN: grout-opt %s --convert-linalg-to-scop --scop-schedule \
// RUN:   --convert-scop-to-gpu | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX

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
  %y = linalg.softmax dimension(1) ins(%x : tensor<4096x128xf32>)
                                   outs(%e : tensor<4096x128xf32>) -> tensor<4096x128xf32>
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
  %y = linalg.softmax dimension(1) ins(%x : tensor<160x30522xf32>)
                                   outs(%e : tensor<160x30522xf32>) -> tensor<160x30522xf32>
  return %y : tensor<160x30522xf32>
}

// Columns: neighbouring threads have neighbouring columns, four each, and share
// out the rows. There are few, so a block takes 32 bytes of a row.

// CHECK-LABEL: launch.plan @columns
// CHECK: grids {{\[\[}}128]] {block = 1024 : i64}
// PTX-LABEL: .entry columns_kernel0
// PTX-COUNT-4: ld.global.v4.b32
// PTX: bar.sync
// PTX: st.global.v4.b32
func.func @columns(%x: tensor<2048x1024xf32>, %start: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = linalg.reduce ins(%x : tensor<2048x1024xf32>) outs(%start : tensor<1024xf32>) dimensions = [0]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  return %y : tensor<1024xf32>
}

// More than a thread could keep of a row that nothing else needs: a loop.

// CHECK-LABEL: llvm.func @all_kernel0(
// CHECK: scf.for
func.func @all(%x: tensor<1048576xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %y = linalg.reduce ins(%x : tensor<1048576xf32>) outs(%i : tensor<f32>) dimensions = [0]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  return %y : tensor<f32>
}

// Few elements: a warp nevertheless, half of which repeats a row.

// CHECK-LABEL: launch.plan @few
// CHECK: grids {{\[\[}}1]] {block = 32 : i64}
func.func @few(%x: tensor<2x16xf32>, %start: tensor<2xf32>) -> tensor<2xf32> {
  %y = linalg.reduce ins(%x : tensor<2x16xf32>) outs(%start : tensor<2xf32>) dimensions = [1]
    (%a: f32, %o: f32) {
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
  return %y : tensor<2xf32>
}
