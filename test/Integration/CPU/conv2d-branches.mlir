// RUN: grout-compile %s --mode=serial -o %t.grout --explain | FileCheck %s --check-prefix=PLAN --implicit-check-not="memory-bound kernel"
// RUN: grout-run %t.grout --device=cpu --workers=8 --check | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=tile -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=20 --inject-delays=7 | FileCheck %s
// RUN: grout-compile %s --mode=persistent --granularity=kernel -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=5 | FileCheck %s

// Branches of an inception module, three of whose five convolutions write their
// parts of the result: no kernel concatenates them.

// PLAN-COUNT-5: kernel {{(matmul|conv2d)[0-4]}}

// CHECK: relative error {{.*}}: passes

func.func @convolutions(%v0: tensor<2x14x15x64xf16>, %weights1: tensor<64x1x1x64xf16>, %weights2: tensor<96x1x1x64xf16>, %weights3: tensor<128x3x3x96xf16>, %bv3: tensor<128xf16>, %weights4: tensor<16x1x1x64xf16>, %weights5: tensor<32x5x5x16xf16>, %bv5: tensor<32xf16>) -> tensor<2x14x15x224xf16> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0.0 : f16
  %e1 = tensor.empty() : tensor<2x14x15x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x14x15x64xf32>) -> tensor<2x14x15x64xf32>
  %c1 = linalg.conv_2d_nhwc_fhwc {
    strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>
  } ins(%v0, %weights1 : tensor<2x14x15x64xf16>, tensor<64x1x1x64xf16>)
    outs(%z1 : tensor<2x14x15x64xf32>) -> tensor<2x14x15x64xf32>
  %v1e = tensor.empty() : tensor<2x14x15x64xf16>
  %v1 = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f) -> (n, p, q, f)>, affine_map<(n, p, q, f) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%c1 : tensor<2x14x15x64xf32>) outs(%v1e : tensor<2x14x15x64xf16>) {
  ^bb0(%p0: f32, %out: f16):
    %r = arith.maximumf %p0, %zero : f32
    %o = arith.truncf %r : f32 to f16
    linalg.yield %o : f16
  } -> tensor<2x14x15x64xf16>
  %e2 = tensor.empty() : tensor<2x14x15x96xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x14x15x96xf32>) -> tensor<2x14x15x96xf32>
  %c2 = linalg.conv_2d_nhwc_fhwc {
    strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>
  } ins(%v0, %weights2 : tensor<2x14x15x64xf16>, tensor<96x1x1x64xf16>)
    outs(%z2 : tensor<2x14x15x96xf32>) -> tensor<2x14x15x96xf32>
  %v2e = tensor.empty() : tensor<2x14x15x96xf16>
  %v2 = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f) -> (n, p, q, f)>, affine_map<(n, p, q, f) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%c2 : tensor<2x14x15x96xf32>) outs(%v2e : tensor<2x14x15x96xf16>) {
  ^bb0(%p0: f32, %out: f16):
    %r = arith.maximumf %p0, %zero : f32
    %o = arith.truncf %r : f32 to f16
    linalg.yield %o : f16
  } -> tensor<2x14x15x96xf16>
  %pad3 = tensor.pad %v2
      low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %none : f16
  } : tensor<2x14x15x96xf16> to tensor<2x16x17x96xf16>
  %e3 = tensor.empty() : tensor<2x14x15x128xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x14x15x128xf32>) -> tensor<2x14x15x128xf32>
  %c3 = linalg.conv_2d_nhwc_fhwc {
    strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>
  } ins(%pad3, %weights3 : tensor<2x16x17x96xf16>, tensor<128x3x3x96xf16>)
    outs(%z3 : tensor<2x14x15x128xf32>) -> tensor<2x14x15x128xf32>
  %v3e = tensor.empty() : tensor<2x14x15x128xf16>
  %v3 = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f) -> (n, p, q, f)>, affine_map<(n, p, q, f) -> (f)>, affine_map<(n, p, q, f) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%c3, %bv3 : tensor<2x14x15x128xf32>, tensor<128xf16>) outs(%v3e : tensor<2x14x15x128xf16>) {
  ^bb0(%p0: f32, %p1: f16, %out: f16):
    %w1 = arith.extf %p1 : f16 to f32
    %s1 = arith.addf %p0, %w1 : f32
    %r = arith.maximumf %s1, %zero : f32
    %o = arith.truncf %r : f32 to f16
    linalg.yield %o : f16
  } -> tensor<2x14x15x128xf16>
  %e4 = tensor.empty() : tensor<2x14x15x16xf32>
  %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<2x14x15x16xf32>) -> tensor<2x14x15x16xf32>
  %c4 = linalg.conv_2d_nhwc_fhwc {
    strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>
  } ins(%v0, %weights4 : tensor<2x14x15x64xf16>, tensor<16x1x1x64xf16>)
    outs(%z4 : tensor<2x14x15x16xf32>) -> tensor<2x14x15x16xf32>
  %v4e = tensor.empty() : tensor<2x14x15x16xf16>
  %v4 = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f) -> (n, p, q, f)>, affine_map<(n, p, q, f) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%c4 : tensor<2x14x15x16xf32>) outs(%v4e : tensor<2x14x15x16xf16>) {
  ^bb0(%p0: f32, %out: f16):
    %r = arith.maximumf %p0, %zero : f32
    %o = arith.truncf %r : f32 to f16
    linalg.yield %o : f16
  } -> tensor<2x14x15x16xf16>
  %pad5 = tensor.pad %v4
      low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %none : f16
  } : tensor<2x14x15x16xf16> to tensor<2x18x19x16xf16>
  %e5 = tensor.empty() : tensor<2x14x15x32xf32>
  %z5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<2x14x15x32xf32>) -> tensor<2x14x15x32xf32>
  %c5 = linalg.conv_2d_nhwc_fhwc {
    strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>
  } ins(%pad5, %weights5 : tensor<2x18x19x16xf16>, tensor<32x5x5x16xf16>)
    outs(%z5 : tensor<2x14x15x32xf32>) -> tensor<2x14x15x32xf32>
  %v5e = tensor.empty() : tensor<2x14x15x32xf16>
  %v5 = linalg.generic {
    indexing_maps = [affine_map<(n, p, q, f) -> (n, p, q, f)>, affine_map<(n, p, q, f) -> (f)>, affine_map<(n, p, q, f) -> (n, p, q, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%c5, %bv5 : tensor<2x14x15x32xf32>, tensor<32xf16>) outs(%v5e : tensor<2x14x15x32xf16>) {
  ^bb0(%p0: f32, %p1: f16, %out: f16):
    %w1 = arith.extf %p1 : f16 to f32
    %s1 = arith.addf %p0, %w1 : f32
    %o = arith.truncf %s1 : f32 to f16
    linalg.yield %o : f16
  } -> tensor<2x14x15x32xf16>
  %all = tensor.concat dim(3) %v1, %v3, %v5 :
      (tensor<2x14x15x64xf16>, tensor<2x14x15x128xf16>, tensor<2x14x15x32xf16>) -> tensor<2x14x15x224xf16>
  return %all : tensor<2x14x15x224xf16>
}
