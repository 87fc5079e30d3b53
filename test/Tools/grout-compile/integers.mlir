// RUN: grout-compile --target=h200 %s -o %t.grout 2>&1 | count 0
// RUN: grout-run %t.grout --info | FileCheck %s
// RUN: grout-compile --target=h200 %s --emit=ptx -o - | FileCheck %s --check-prefix=PTX

// Integers on a GPU: in the signature, in the kernels, and in the reference.
// Nothing is left out, so there is no remark.

// CHECK:      input x: i8[64x128], 8192 bytes
// CHECK-NEXT: input y: i32[64x128], 32768 bytes
// CHECK-NEXT: output result0: i64[64], 512 bytes
// CHECK-NEXT: output result1: i16[64x128], 16384 bytes
// CHECK:      launch 0 'integers_kernel0_and_1_more'
// CHECK-NEXT: grid: 16 x 1 x 1 blocks of 256 threads
// CHECK-NEXT: shared by 2 kernels, of 8, 8 blocks
// CHECK:      reference plan on the GPU
// CHECK:      Input input0 i8[64x128]

// PTX-LABEL: .entry integers_kernel0_and_1_more
// PTX-DAG:   ld.global.v4.b32
// PTX-DAG:   shfl.sync
// PTX-DAG:   st.global.v4.b16

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @integers(%x: tensor<64x128xi8>, %y: tensor<64x128xi32>)
    -> (tensor<64xi64>, tensor<64x128xi16>) {
  %zeros = arith.constant dense<0> : tensor<64xi64>
  %sums = linalg.generic {
      indexing_maps = [#id, #id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<64x128xi8>, tensor<64x128xi32>)
      outs(%zeros : tensor<64xi64>) {
  ^bb0(%a: i8, %b: i32, %sum: i64):
    %wide = arith.extsi %a : i8 to i64
    %wider = arith.extui %b : i32 to i64
    %p = arith.muli %wide, %wider : i64
    %s = arith.addi %sum, %p : i64
    linalg.yield %s : i64
  } -> tensor<64xi64>
  %e = tensor.empty() : tensor<64x128xi16>
  %low = linalg.generic {
      indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<64x128xi32>) outs(%e : tensor<64x128xi16>) {
  ^bb0(%b: i32, %_: i16):
    %t = arith.trunci %b : i32 to i16
    linalg.yield %t : i16
  } -> tensor<64x128xi16>
  return %sums, %low : tensor<64xi64>, tensor<64x128xi16>
}
