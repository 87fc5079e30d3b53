// RUN: grout-compile %s --mode=persistent -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=4 --check | FileCheck %s
// RUN: grout-compile %s --target=h200 --mode=auto -o %t.grout

// Contractions of many dimensions, in orders in which some are moved and some
// are not, one behind the other.

// CHECK: result0: relative error {{.*}}: passes
// CHECK: result1: relative error {{.*}}: passes
func.func @contractions(%x: tensor<3x24x2x8xf16>, %y: tensor<3x40x2x8xf16>,
                        %w: tensor<2x40x4x16xf16>)
    -> (tensor<3x2x24x40xf16>, tensor<24x3x4x16xf16>) {
  %zero = arith.constant 0.0 : f16
  %e0 = tensor.empty() : tensor<3x2x24x40xf16>
  %i0 = linalg.fill ins(%zero : f16) outs(%e0 : tensor<3x2x24x40xf16>)
      -> tensor<3x2x24x40xf16>
  %scores = linalg.contract indexing_maps = [
      affine_map<(b, h, i, j, k) -> (b, i, h, k)>,
      affine_map<(b, h, i, j, k) -> (b, j, h, k)>,
      affine_map<(b, h, i, j, k) -> (b, h, i, j)>]
      ins(%x, %y : tensor<3x24x2x8xf16>, tensor<3x40x2x8xf16>)
      outs(%i0 : tensor<3x2x24x40xf16>) -> tensor<3x2x24x40xf16>
  %e1 = tensor.empty() : tensor<24x3x4x16xf16>
  %i1 = linalg.fill ins(%zero : f16) outs(%e1 : tensor<24x3x4x16xf16>)
      -> tensor<24x3x4x16xf16>
  %mixed = linalg.contract indexing_maps = [
      affine_map<(i, b, g, n, h, j) -> (b, h, i, j)>,
      affine_map<(i, b, g, n, h, j) -> (h, j, g, n)>,
      affine_map<(i, b, g, n, h, j) -> (i, b, g, n)>]
      ins(%scores, %w : tensor<3x2x24x40xf16>, tensor<2x40x4x16xf16>)
      outs(%i1 : tensor<24x3x4x16xf16>) -> tensor<24x3x4x16xf16>
  return %scores, %mixed : tensor<3x2x24x40xf16>, tensor<24x3x4x16xf16>
}
