// RUN: grout-compile %s --mode=serial -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=20 --inject-delays=7 | FileCheck %s

// Rows of a concatenation are replaced while a product reads one of its parts:
// in another buffer.

// CHECK-COUNT-2: relative error {{.*}}: passes

func.func @f(%a0: tensor<64x64xf16>, %a1: tensor<64x64xf16>, %a2: tensor<64x64xf16>, %a3: tensor<64x64xf16>, %a4: tensor<16x1xi32>, %a5: tensor<16x128xf16>) -> (tensor<64x128xf16>, tensor<64x64xf16>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : f16
  %t1 = tensor.empty() : tensor<64x64xf32>
  %t2 = linalg.fill ins(%zero : f32) outs(%t1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t3 = linalg.matmul ins(%a0, %a1 : tensor<64x64xf16>, tensor<64x64xf16>) outs(%t2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t4 = tensor.empty() : tensor<64x64xf16>
  %t5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t3 : tensor<64x64xf32>) outs(%t4 : tensor<64x64xf16>) {
  ^bb0(%i0: f32, %o: f16):
  %q = arith.truncf %i0 : f32 to f16
  linalg.yield %q : f16
  } -> tensor<64x64xf16>
  %t6 = tensor.empty() : tensor<64x64xf32>
  %t7 = linalg.fill ins(%zero : f32) outs(%t6 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t8 = linalg.matmul ins(%a0, %a2 : tensor<64x64xf16>, tensor<64x64xf16>) outs(%t7 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t9 = tensor.empty() : tensor<64x64xf16>
  %t10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t8 : tensor<64x64xf32>) outs(%t9 : tensor<64x64xf16>) {
  ^bb0(%i0: f32, %o: f16):
  %q = arith.truncf %i0 : f32 to f16
  linalg.yield %q : f16
  } -> tensor<64x64xf16>
  %t11 = tensor.concat dim(1) %t5, %t10 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x128xf16>
  %t12 = tensor.scatter %a5 into %t11[%a4] scatter_dims([0]) unique : (tensor<16x128xf16>, tensor<64x128xf16>, tensor<16x1xi32>) -> tensor<64x128xf16>
  %t13 = tensor.empty() : tensor<64x64xf32>
  %t14 = linalg.fill ins(%zero : f32) outs(%t13 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t15 = linalg.matmul ins(%t5, %a3 : tensor<64x64xf16>, tensor<64x64xf16>) outs(%t14 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t16 = tensor.empty() : tensor<64x64xf16>
  %t17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t15 : tensor<64x64xf32>) outs(%t16 : tensor<64x64xf16>) {
  ^bb0(%i0: f32, %o: f16):
  %q = arith.truncf %i0 : f32 to f16
  linalg.yield %q : f16
  } -> tensor<64x64xf16>
  return %t12, %t17 : tensor<64x128xf16>, tensor<64x64xf16>
}
