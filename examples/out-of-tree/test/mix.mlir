// A Hopper kernel that is built from the kit, of ragged shapes. The second op
// waits for launches in mode pdl, and for tiles in mode overlap.
//
// RUN: image-compile %s -o %t.grout --options='target=image-h200 mode=overlap reference=false'
// RUN: grout-run %t.grout --info | FileCheck %s --check-prefix=INFO
// RUN: image-opt %s --grout-synchronised-pipeline='target=image-h200 mode=pdl reference=false' -o %t.pdl.mlir
// RUN: image-opt %t.pdl.mlir --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s
// RUN: image-opt %s --grout-synchronised-pipeline='target=image-h200 mode=overlap reference=false' -o %t.mlir
// RUN: image-opt %t.mlir --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefixes=CHECK,OVERLAP

// INFO: chain for image-h200, mode overlap

// CHECK: .entry chain_chain0_kernel1(
// CHECK: .reqntid 256
// The loader, the consumers, the storer.
// OVERLAP-DAG: ld.acquire.gpu
// CHECK-DAG: cp.async.bulk.tensor.2d.shared::cluster.global
// CHECK-DAG: cp.async.bulk.tensor.2d.global.shared::cta
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// CHECK-DAG: stmatrix.sync.aligned
func.func @chain(%x: tensor<150x96xf16>, %w: tensor<72x96xf16>,
                 %v: tensor<200x72xf16>) -> tensor<150x200xf16> {
  %h = image.mix %x, %w
      : tensor<150x96xf16>, tensor<72x96xf16> -> tensor<150x72xf16>
  %y = image.mix %h, %v
      : tensor<150x72xf16>, tensor<200x72xf16> -> tensor<150x200xf16>
  return %y : tensor<150x200xf16>
}
