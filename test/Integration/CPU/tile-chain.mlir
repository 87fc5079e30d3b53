// RUN: grout-compile %s -o %t.grout --explain | FileCheck %s --check-prefix=CHAIN
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=5 --inject-delays=7 | FileCheck %s
// RUN: grout-run %t.grout --device=cpu --workers=1 --check | FileCheck %s
// RUN: grout-compile %s --mode=serial -o %t.serial.grout
// RUN: grout-run %t.serial.grout --device=cpu --workers=8 --check | FileCheck %s

// A product, a layer norm of its rows, and a product of that: one launch, in
// which tiles of the norm wait for tiles of the first product, and those of the
// second product for tiles of the norm.

// CHAIN: chain 0, mode persistent
// CHECK: y: relative error {{.*}}: passes

// A tile that does not wait is found.
// RUN: grout-opt %s --grout-synchronised-pipeline=target=cpu --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.mlir
// RUN: grout-compile %t.mlir -o %t.same.grout
// RUN: grout-run %t.same.grout --device=cpu --workers=8 --check --repeat=5 --inject-delays=7
// RUN: sed '/func.func @f_chain0_body1/,/func.func @f_chain0_body2/ s/tsync.wait .*//' %t.mlir > %t.mutated.mlir
// RUN: grout-compile %t.mutated.mlir -o %t.mutated.grout
// RUN: not grout-run %t.mutated.grout --device=cpu --workers=8 --check --repeat=5 --inject-delays=7

// So is one that does not post.
// RUN: sed '/func.func @f_chain0_body1/,/func.func @f_chain0_body2/ s/tsync.post .*//' %t.mlir > %t.silent.mlir
// RUN: grout-compile %t.silent.mlir -o %t.silent.grout
// RUN: not grout-run %t.silent.grout --device=cpu --workers=8 --timeout-seconds=1 2>&1 | FileCheck %s --check-prefix=SILENT
// SILENT: (body 2 'f_chain0_body2', {{.*}}) waits for semaphore {{[0-9]+}}: it expects 1 (1 posts in epoch 0) and sees 0; nothing has moved for 1 seconds

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func @f(%x: tensor<301x64xf32>, %w1: tensor<64x96xf32>, %w2: tensor<96x72xf32>)
    -> (tensor<301x72xf32> {grout.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<301x96xf32>
  %er = tensor.empty() : tensor<301xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<301x96xf32>) -> tensor<301x96xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<301x64xf32>, tensor<64x96xf32>) outs(%z1 : tensor<301x96xf32>) -> tensor<301x96xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<301xf32>) -> tensor<301xf32>
  %s = linalg.reduce {arith.addf} ins(%h : tensor<301x96xf32>) outs(%zr : tensor<301xf32>) dimensions = [1]
  %d = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%h, %s : tensor<301x96xf32>, tensor<301xf32>) outs(%e1 : tensor<301x96xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %c = arith.constant 96.0 : f32
    %q = arith.divf %b, %c : f32
    %v = arith.subf %a, %q : f32
    linalg.yield %v : f32
  } -> tensor<301x96xf32>
  %q = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<301x96xf32>) outs(%zr : tensor<301xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.mulf %a, %a : f32
    %v = arith.addf %b, %t : f32
    linalg.yield %v : f32
  } -> tensor<301xf32>
  %n = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%d, %q : tensor<301x96xf32>, tensor<301xf32>) outs(%e1 : tensor<301x96xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %eps = arith.constant 1.0e-5 : f32
    %t = arith.addf %b, %eps : f32
    %i = math.rsqrt %t : f32
    %v = arith.mulf %a, %i : f32
    linalg.yield %v : f32
  } -> tensor<301x96xf32>
  %e2 = tensor.empty() : tensor<301x72xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<301x72xf32>) -> tensor<301x72xf32>
  %y = linalg.matmul ins(%n, %w2 : tensor<301x96xf32>, tensor<96x72xf32>) outs(%z2 : tensor<301x72xf32>) -> tensor<301x72xf32>
  return %y : tensor<301x72xf32>
}
