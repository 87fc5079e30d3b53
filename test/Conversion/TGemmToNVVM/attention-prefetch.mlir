// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=pdl reference=false" --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}

// Attention that waits for its queries has the cache fetch keys and values of its
// first two steps, as many as there are stages, from the caller's buffers.

// CHECK-LABEL: llvm.func @cached_chain0_kernel1(
// CHECK:         nvvm.elect.sync
// CHECK-NOT:     nvvm.cp.async
// CHECK:         scf.for %[[STEP:.*]] =
// CHECK:           nvvm.cp.async.bulk.tensor.prefetch %[[KEYS:arg[0-9]+]], box[
// CHECK:           nvvm.cp.async.bulk.tensor.prefetch %[[VALUES:arg[0-9]+]], box[
// CHECK-NOT:     nvvm.cp.async
// CHECK:         "griddepcontrol.wait;", "~{memory}"
// CHECK-NOT:     nvvm.cp.async.bulk.tensor.prefetch

// PTX-LABEL: .entry cached_chain0_kernel1(
// PTX-COUNT-2: cp.async.bulk.prefetch.tensor.4d.L2.global.tile
// PTX-NOT:     cp.async.bulk.prefetch.tensor
// PTX:         griddepcontrol.wait

func.func @cached(%x: tensor<128x768xf16>, %w: tensor<768x768xf16>, %keys: tensor<8x12x512x64xf16>,
                  %values: tensor<8x12x512x64xf16>) -> tensor<8x12x16x64xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<128x768xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<128x768xf16>) -> tensor<128x768xf16>
  %q = linalg.matmul ins(%x, %w : tensor<128x768xf16>, tensor<768x768xf16>) outs(%z : tensor<128x768xf16>)
    -> tensor<128x768xf16>
  %rows = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [8, 16, 12, 64]
    : tensor<128x768xf16> into tensor<8x16x12x64xf16>
  %r = tgemm.attention %rows, %keys, %values {
      scale = 0.125 : f32,
      layouts = [affine_map<(b, h, i, d) -> (b, i, h, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>,
                 affine_map<(b, h, i, d) -> (b, h, i, d)>, affine_map<(b, h, i, d) -> (b, h, i, d)>]}
    : tensor<8x16x12x64xf16>, tensor<8x12x512x64xf16>, tensor<8x12x512x64xf16> -> tensor<8x12x16x64xf16>
  return %r : tensor<8x12x16x64xf16>
}
