// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=2 --check | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference | FileCheck %s --check-prefix=PLAN

// The square root is near its largest value, 1, where the roundings of most of
// its results to f16 have one sign; the sums add them up. The reference has the
// same roundings, so that what is left is a few elements and f32.

// CHECK:     product: relative error {{0|[0-9.]+e-0[5-9]}}, {{.*}}, tolerance 0.001 (f16): passes
// CHECK:     root: relative error {{0|[0-9.]+e-0[5-9]}}, {{.*}}, tolerance 0.001 (f16): passes
// CHECK:     sums: relative error {{0|[0-9.]+e-0[5-9]}}, {{.*}}, tolerance 0.001 (f16): passes

// A cast is one in the reference, too; the sums of a product are not rounded.
// PLAN:      math.rsqrt %{{.*}} : f64
// PLAN:      %[[ROUNDED:.*]] = arith.truncf %{{.*}} : f64 to f16
// PLAN-NEXT: arith.extf %[[ROUNDED]] : f16 to f64
// PLAN:      arith.mulf %{{.*}} : f64
// PLAN-NEXT: arith.addf %{{.*}} : f64
// PLAN-NOT:  arith.truncf
// PLAN:      llvm.store

func.func @f(%a0: tensor<2x64x65xf16>, %a1: tensor<2xf16>, %a2: tensor<65x65xf16>) 
    -> (tensor<128x65xf16> {grout.name = "product"}, tensor<2x64x65xf16> {grout.name = "root"},
        tensor<2x64x65xf32> {grout.name = "sums"}) {
  %c0 = arith.constant 1.0 : f32
  %c1 = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<2x64x65xf16>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%a0 : tensor<2x64x65xf16>) outs(%e1 : tensor<2x64x65xf16>) {
  ^bb0(%i0: f16, %acc: f16):
    %x0 = arith.extf %i0 : f16 to f32
    %t1 = math.erf %x0 : f32
    %t2 = arith.mulf %t1, %t1 : f32
    %t3 = arith.addf %t2, %c0 : f32
    %t4 = math.rsqrt %t3 : f32
    %t5 = arith.maximumf %t4, %c1 : f32
    %y = arith.truncf %t5 : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x64x65xf16>
  %e3 = tensor.empty() : tensor<2x64x65xf16>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%v2, %a1 : tensor<2x64x65xf16>, tensor<2xf16>) outs(%e3 : tensor<2x64x65xf16>) {
  ^bb0(%i0: f16, %i1: f16, %acc: f16):
    %x0 = arith.extf %i0 : f16 to f32
    %x1 = arith.extf %i1 : f16 to f32
    %t1 = arith.addf %x0, %x1 : f32
    %t2 = arith.minimumf %t1, %c0 : f32
    %y = arith.truncf %t2 : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x64x65xf16>
  %e5 = tensor.empty() : tensor<2x64x65xf32>
  %z6 = linalg.fill ins(%c1 : f32) outs(%e5 : tensor<2x64x65xf32>) -> tensor<2x64x65xf32>
  %v7 = linalg.contract indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (k, j)>, affine_map<(b, i, j, k) -> (b, i, j)>] ins(%v4, %a2 : tensor<2x64x65xf16>, tensor<65x65xf16>) outs(%z6 : tensor<2x64x65xf32>) -> tensor<2x64x65xf32>
  %e8 = tensor.empty() : tensor<2x64x65xf16>
  %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%v7 : tensor<2x64x65xf32>) outs(%e8 : tensor<2x64x65xf16>) {
  ^bb0(%i0: f32, %acc: f16):
    %y = arith.truncf %i0 : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x64x65xf16>
  %v10 = tensor.collapse_shape %v9 [[0, 1], [2]] : tensor<2x64x65xf16> into tensor<128x65xf16>
  return %v10, %v2, %v7 : tensor<128x65xf16>, tensor<2x64x65xf16>, tensor<2x64x65xf32>
}
