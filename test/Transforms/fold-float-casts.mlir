// RUN: grout-opt %s --fold-float-casts | FileCheck %s
// RUN: grout-compile %s --target=h200 -o %t.grout
// RUN: grout-compile %s --target=cpu -o %t.grout && grout-run %t.grout --device=cpu --check

// 0.3 of an importer, in the epilogue of a product: the nearest number of f16.
// CHECK-LABEL: func.func @scaled
// CHECK: %[[SCALE:.*]] = arith.constant 3.000490e-01 : f16
// CHECK-NOT: arith.truncf {{.*}} : f64
// CHECK: arith.mulf %{{.*}}, %[[SCALE]] : f16
func.func @scaled(%x: tensor<128x256xf16>, %w: tensor<256x64xf16>) -> tensor<128x64xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 3.000000e-01 : f64
  %e = tensor.empty() : tensor<128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<128x256xf16>, tensor<256x64xf16>) outs(%z : tensor<128x64xf32>) -> tensor<128x64xf32>
  %o = tensor.empty() : tensor<128x64xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%p : tensor<128x64xf32>) outs(%o : tensor<128x64xf16>) {
  ^bb0(%a: f32, %b: f16):
    %narrow = arith.truncf %a : f32 to f16
    %s = arith.truncf %scale : f64 to f16
    %r = arith.mulf %narrow, %s : f16
    linalg.yield %r : f16
  } -> tensor<128x64xf16>
  return %y : tensor<128x64xf16>
}
