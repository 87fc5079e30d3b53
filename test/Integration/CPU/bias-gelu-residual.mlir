// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s
// RUN: grout-compile %s --mode=serial -o %t.serial.grout
// RUN: grout-run %t.serial.grout --device=cpu --workers=8 --check | FileCheck %s

// y = x + gelu(x w1 + b1) w2 + b2 in f16, with gelu by the error function. The
// residual is read by epilogues, and from an input.

// CHECK: result0: relative error {{.*}}: passes

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

func.func @block(%x: tensor<70x96xf16>, %w1: tensor<96x200xf16>,
                 %b1: tensor<200xf16>, %w2: tensor<200x96xf16>,
                 %b2: tensor<96xf16>) -> tensor<70x96xf16> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.70710678 : f32
  %e1 = tensor.empty() : tensor<70x200xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<70x200xf32>)
    -> tensor<70x200xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<70x96xf16>, tensor<96x200xf16>)
    outs(%z1 : tensor<70x200xf32>) -> tensor<70x200xf32>
  %eh = tensor.empty() : tensor<70x200xf16>
  %h = linalg.generic {indexing_maps = [#id, #row, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p1, %b1 : tensor<70x200xf32>, tensor<200xf16>)
      outs(%eh : tensor<70x200xf16>) {
  ^bb0(%v: f32, %b: f16, %_: f16):
    %b32 = arith.extf %b : f16 to f32
    %u = arith.addf %v, %b32 : f32
    %scaled = arith.mulf %u, %root : f32
    %erf = math.erf %scaled : f32
    %sum = arith.addf %erf, %one : f32
    %halved = arith.mulf %u, %half : f32
    %gelu = arith.mulf %halved, %sum : f32
    %cast = arith.truncf %gelu : f32 to f16
    linalg.yield %cast : f16
  } -> tensor<70x200xf16>
  %e2 = tensor.empty() : tensor<70x96xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<70x96xf32>)
    -> tensor<70x96xf32>
  %p2 = linalg.matmul ins(%h, %w2 : tensor<70x200xf16>, tensor<200x96xf16>)
    outs(%z2 : tensor<70x96xf32>) -> tensor<70x96xf32>
  %ey = tensor.empty() : tensor<70x96xf16>
  %y = linalg.generic {indexing_maps = [#id, #row, #id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p2, %b2, %x : tensor<70x96xf32>, tensor<96xf16>, tensor<70x96xf16>)
      outs(%ey : tensor<70x96xf16>) {
  ^bb0(%v: f32, %b: f16, %r: f16, %_: f16):
    %b32 = arith.extf %b : f16 to f32
    %r32 = arith.extf %r : f16 to f32
    %u = arith.addf %v, %b32 : f32
    %s = arith.addf %u, %r32 : f32
    %cast = arith.truncf %s : f32 to f16
    linalg.yield %cast : f16
  } -> tensor<70x96xf16>
  return %y : tensor<70x96xf16>
}
