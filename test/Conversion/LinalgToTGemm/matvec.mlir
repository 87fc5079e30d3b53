// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-matvec | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-matvec | FileCheck %s --check-prefix=CPU
// RUN: grout-compile %s --target=h200 --mode=auto --emit=mlir -o - | FileCheck %s --check-prefix=PLAN

// CPU:     linalg.matmul
// CPU-NOT: linalg.matvec

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Sums are in f32, rounded once, and in one kernel with what is done with them.

// CHECK-LABEL: @row
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x64xf16>, %[[W:[a-z0-9]+]]: tensor<48x64xf16>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1]] : tensor<1x64xf16> into tensor<64xf16>
// CHECK:         %[[Z:.*]] = linalg.fill {{.*}} -> tensor<48xf32>
// CHECK:         %[[S:.*]] = linalg.matvec ins(%[[W]], %[[V]] : tensor<48x64xf16>, tensor<64xf16>) outs(%[[Z]] : tensor<48xf32>)
// CHECK:         arith.truncf
// CHECK:         tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [1, 48] : tensor<48xf16> into tensor<1x48xf16>
// CHECK:         linalg.exp
// PLAN:      launch.plan @row
// PLAN:        launch.kernel
// PLAN-NOT:    launch.kernel
// PLAN:      }
func.func @row(%x: tensor<1x64xf16>, %w: tensor<48x64xf16>) -> tensor<1x48xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x48xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<1x48xf16>) -> tensor<1x48xf16>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<1x64xf16>, tensor<48x64xf16>)
    outs(%z : tensor<1x48xf16>) -> tensor<1x48xf16>
  %r = linalg.exp ins(%h : tensor<1x48xf16>) outs(%e : tensor<1x48xf16>) -> tensor<1x48xf16>
  return %r : tensor<1x48xf16>
}

// With a tiling, of two rows, of rows of a factor, and of a large one.

// CHECK-LABEL: @others
// CHECK-NOT:     linalg.matvec
// CHECK-LABEL: @large
// CHECK-NOT:     linalg.matvec
func.func private @others(%x: tensor<1x64xf16>, %xs: tensor<2x64xf16>, %w: tensor<48x64xf16>, %v: tensor<64x48xf16>)
    -> (tensor<1x48xf16>, tensor<2x48xf16>, tensor<1x48xf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x48xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<1x48xf16>) -> tensor<1x48xf16>
  %es = tensor.empty() : tensor<2x48xf16>
  %zs = linalg.fill ins(%zero : f16) outs(%es : tensor<2x48xf16>) -> tensor<2x48xf16>
  %a = linalg.matmul indexing_maps = [#x, #w, #y] {tgemm.tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    ins(%x, %w : tensor<1x64xf16>, tensor<48x64xf16>) outs(%z : tensor<1x48xf16>) -> tensor<1x48xf16>
  %b = linalg.matmul indexing_maps = [#x, #w, #y] ins(%xs, %w : tensor<2x64xf16>, tensor<48x64xf16>)
    outs(%zs : tensor<2x48xf16>) -> tensor<2x48xf16>
  %c = linalg.matmul ins(%x, %v : tensor<1x64xf16>, tensor<64x48xf16>) outs(%z : tensor<1x48xf16>) -> tensor<1x48xf16>
  return %a, %b, %c : tensor<1x48xf16>, tensor<2x48xf16>, tensor<1x48xf16>
}

func.func private @large(%x: tensor<1x4096xf16>, %w: tensor<2049x4096xf16>) -> tensor<1x2049xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2049xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2049xf32>) -> tensor<1x2049xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<1x4096xf16>, tensor<2049x4096xf16>)
    outs(%z : tensor<1x2049xf32>) -> tensor<1x2049xf32>
  return %h : tensor<1x2049xf32>
}

// One row after another.

// CHECK-LABEL: @chain
// CHECK:         linalg.matvec ins(%{{.*}} : tensor<48x64xf16>, tensor<64xf16>)
// CHECK:         linalg.matvec ins(%{{.*}} : tensor<64x48xf16>, tensor<48xf16>)
func.func private @chain(%x: tensor<1x64xf16>, %w: tensor<48x64xf16>, %v: tensor<64x48xf16>) -> tensor<1x64xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x48xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<1x48xf16>) -> tensor<1x48xf16>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<1x64xf16>, tensor<48x64xf16>)
    outs(%z : tensor<1x48xf16>) -> tensor<1x48xf16>
  %f = tensor.empty() : tensor<1x64xf16>
  %y = linalg.fill ins(%zero : f16) outs(%f : tensor<1x64xf16>) -> tensor<1x64xf16>
  %r = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %v : tensor<1x48xf16>, tensor<64x48xf16>)
    outs(%y : tensor<1x64xf16>) -> tensor<1x64xf16>
  return %r : tensor<1x64xf16>
}
