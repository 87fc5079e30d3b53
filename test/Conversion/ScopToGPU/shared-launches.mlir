// RUN: grout-opt %s --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-schedule{tree=auto},scop-merge-launches),launch-form-plans,launch-schedule,convert-tiles-to-kernels)' \
// RUN:   | FileCheck %s
// RUN: grout-compile %s --target=h200 --no-reference --scop-restructure=never --emit=ptx -o - \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-pipeline="target=h200 reference=false" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// Blocks 0 to 7 sum eight columns each, the next eight a row each; both have
// 1,024 threads. The transpose has 12 blocks, of which 256 threads do
// something, and meet without the others. The cast has eight like these.

// CHECK-LABEL: launch.plan @four
// CHECK: launch.kernel "four_kernel0_and_3_more" @four_kernels [@four_kernel0_and_3_more](
// CHECK-SAME: grids {{\[\[}}36]] {block = 1024 : i64, parts = array<i64: 8, 8, 12, 8>}
// CHECK-NOT: launch.kernel

// The largest need: of the transpose, 64 columns of 66 elements.
// CHECK: llvm.mlir.global internal @[[SHARED:.*]]() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8448 x i8>
// CHECK-NOT: llvm.mlir.global
// CHECK: llvm.func @four_kernel0_and_3_more(
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 1024, 1, 1>
// CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[C16:.*]] = arith.constant 16 : i32
// CHECK: %[[IS16:.*]] = arith.cmpi ult, %[[BLOCK]], %[[C16]] : i32
// CHECK: scf.if %[[IS16]] {
// CHECK: %[[IS8:.*]] = arith.cmpi ult, %{{.*}}, %{{c8_i32.*}} : i32
// CHECK: scf.if %[[IS8]] {
// CHECK-NOT: arith.subi
// CHECK: llvm.mlir.addressof @[[SHARED]]
// CHECK: nvvm.barrier0
// CHECK: } else {
// CHECK: %[[COLUMNS:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: arith.subi %[[COLUMNS]], %{{c8_i32.*}} : i32
// CHECK: llvm.mlir.addressof @[[SHARED]]
// CHECK: nvvm.barrier0
// CHECK: } else {
// CHECK: %[[IS28:.*]] = arith.cmpi ult, %{{.*}}, %{{c28_i32.*}} : i32
// CHECK: scf.if %[[IS28]] {
// CHECK: %[[WORKS:.*]] = arith.cmpi ult, %{{.*}}, %{{c256_i32.*}} : i32
// CHECK: scf.if %[[WORKS]] {
// CHECK: arith.subi %{{.*}}, %{{c16_i32.*}} : i32
// CHECK: llvm.mlir.addressof @[[SHARED]]
// CHECK: %[[ID:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(256 : i32)
// CHECK: nvvm.barrier id = %[[ID]] number_of_threads = %[[COUNT]]
// CHECK: } else {
// CHECK: scf.if
// CHECK: arith.subi %{{.*}}, %{{c28_i32.*}} : i32
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return

// PTX-LABEL: .entry four_kernel0_and_3_more(
// PTX: .reqntid 1024, 1, 1
// PTX: .shared .align 16 .b8 {{.*}}[8448];
// PTX-NOT: .shared .align
// PTX-COUNT-3: bar.sync
// PTX-NOT: bar.sync
// PTX-LABEL: .entry two_areas
func.func @four(%x: tensor<8192xf32>, %y: tensor<256x192xf16>, %z: tensor<8x16384xf32>, %w: tensor<8192x64xf32>)
    -> (tensor<8192xf16>, tensor<192x256xf16>, tensor<8xf32>, tensor<64xf32>) {
  %ea = tensor.empty() : tensor<8192xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8192xf32>) outs(%ea : tensor<8192xf16>) {
  ^bb0(%v: f32, %_: f16):
    %r = arith.truncf %v : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8192xf16>
  %et = tensor.empty() : tensor<192x256xf16>
  %t = linalg.transpose ins(%y : tensor<256x192xf16>) outs(%et : tensor<192x256xf16>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<8xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.reduce { arith.addf } ins(%z : tensor<8x16384xf32>) outs(%fr : tensor<8xf32>) dimensions = [1]
  %ec = tensor.empty() : tensor<64xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<64xf32>) -> tensor<64xf32>
  %c = linalg.reduce { arith.addf } ins(%w : tensor<8192x64xf32>) outs(%fc : tensor<64xf32>) dimensions = [0]
  return %a, %t, %r, %c : tensor<8192xf16>, tensor<192x256xf16>, tensor<8xf32>, tensor<64xf32>
}

// The second area of a kernel is behind its first one. Only the launch that
// comes second waits for another, in all of its blocks.

// CHECK-LABEL: launch.plan @two_areas
// CHECK-LABEL: llvm.func @two_areas_kernel0_and_1_more(
// CHECK-NEXT: griddepcontrol.wait
// CHECK-NEXT: griddepcontrol.launch_dependents
// CHECK: %[[FIRST:.*]] = llvm.mlir.addressof @[[AREAS:.*]] : !llvm.ptr<3>
// CHECK-NOT: llvm.getelementptr %[[FIRST]][128]
// CHECK: nvvm.barrier0
// CHECK: %[[SECOND:.*]] = llvm.mlir.addressof @[[AREAS]] : !llvm.ptr<3>
// CHECK-NEXT: llvm.getelementptr %[[SECOND]][128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: nvvm.barrier0
// CHECK: llvm.mlir.addressof @[[AREAS]] : !llvm.ptr<3>
// CHECK: nvvm.barrier id
// CHECK-LABEL: llvm.func @two_areas_kernel1(
// CHECK-NEXT: griddepcontrol.wait
func.func @two_areas(%x: tensor<4x8192xf32>, %y: tensor<256x192xf16>) -> (tensor<4x8192xf32>, tensor<192x256xf16>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x8192xf32>
  %a = linalg.softmax dimension(1) ins(%x : tensor<4x8192xf32>) outs(%e : tensor<4x8192xf32>) -> tensor<4x8192xf32>
  %et = tensor.empty() : tensor<192x256xf16>
  %t = linalg.transpose ins(%y : tensor<256x192xf16>) outs(%et : tensor<192x256xf16>) permutation = [1, 0]
  // Needs the whole softmax.
  %er = tensor.empty() : tensor<4xf32>
  %r = scop.kernel ins(%a : tensor<4x8192xf32>) outs(%er : tensor<4xf32>)
      schedule <[linear band 0 coincident], @S = (d0) -> (d0)> -> tensor<4xf32> {
  ^bb0(%X: memref<4x8192xf32>, %Y: memref<4xf32>):
    scop.stmt @S domain [4] reads(%X[(d0) -> (d0, 0)] : memref<4x8192xf32>) writes(%Y[(d0) -> (d0)] : memref<4xf32>) {
    ^bb0(%v: f32):
      scop.yield %v : f32
    }
  }
  return %a, %t, %r : tensor<4x8192xf32>, tensor<192x256xf16>, tensor<4xf32>
}
