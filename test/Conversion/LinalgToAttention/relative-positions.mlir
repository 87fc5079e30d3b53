// RUN: grout-compile %s --target=h200 --explain -o %t.grout | FileCheck %s
// RUN: grout-compile %s --target=cpu -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=3 --check --repeat=3 | FileCheck %s --check-prefix=CPU

// What is added to the scores is made by products of the queries, too: with
// where a key is in its column, and in its row, of an image.

// CHECK-COUNT-2: (tgemm.matmul)
// CHECK-NOT: (tgemm.matmul)
// CHECK: (tgemm.attention)
// CHECK-NOT: (tgemm.matmul)

// CPU: 2 runs: all bitwise equal
// CPU: relative error {{.*}} passes

#scores = affine_map<(h, q, i, j) -> (h, q, i, j)>
#column = affine_map<(h, q, i, j) -> (h, q, i)>
#row = affine_map<(h, q, i, j) -> (h, q, j)>

func.func @f(%q: tensor<2x64x16xf16>, %k: tensor<2x64x16xf16>, %v: tensor<2x64x16xf16>,
             %columns: tensor<2x16x8xf16>, %rows: tensor<2x16x8xf16>) -> tensor<2x64x16xf16> {
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<2x64x8xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
  %a = linalg.batch_matmul ins(%q, %columns : tensor<2x64x16xf16>, tensor<2x16x8xf16>) outs(%pz : tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
  %b = linalg.batch_matmul ins(%q, %rows : tensor<2x64x16xf16>, tensor<2x16x8xf16>) outs(%pz : tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
  %ne = tensor.empty() : tensor<2x64x8xf16>
  %an = linalg.map { arith.truncf } ins(%a : tensor<2x64x8xf32>) outs(%ne : tensor<2x64x8xf16>)
  %bn = linalg.map { arith.truncf } ins(%b : tensor<2x64x8xf32>) outs(%ne : tensor<2x64x8xf16>)
  %be = tensor.empty() : tensor<2x64x8x8xf16>
  %places = linalg.generic {indexing_maps = [#column, #row, #scores], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%an, %bn : tensor<2x64x8xf16>, tensor<2x64x8xf16>) outs(%be : tensor<2x64x8x8xf16>) {
  ^bb0(%x: f16, %y: f16, %out: f16):
    %sum = arith.addf %x, %y : f16
    linalg.yield %sum : f16
  } -> tensor<2x64x8x8xf16>
  %bias = tensor.collapse_shape %places [[0], [1], [2, 3]] : tensor<2x64x8x8xf16> into tensor<2x64x64xf16>

  %te = tensor.empty() : tensor<2x16x64xf16>
  %kt = linalg.transpose ins(%k : tensor<2x64x16xf16>) outs(%te : tensor<2x16x64xf16>) permutation = [0, 2, 1]
  %se = tensor.empty() : tensor<2x64x64xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x64x16xf16>, tensor<2x16x64xf16>) outs(%sz : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %bw = linalg.map { arith.extf } ins(%bias : tensor<2x64x64xf16>) outs(%se : tensor<2x64x64xf32>)
  %scores = linalg.add ins(%s, %bw : tensor<2x64x64xf32>, tensor<2x64x64xf32>) outs(%se : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %p = linalg.softmax dimension(2) ins(%scores : tensor<2x64x64xf32>) outs(%se : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %we = tensor.empty() : tensor<2x64x64xf16>
  %w = linalg.map { arith.truncf } ins(%p : tensor<2x64x64xf32>) outs(%we : tensor<2x64x64xf16>)
  %oe = tensor.empty() : tensor<2x64x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x64x64xf16>, tensor<2x64x16xf16>) outs(%oz : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %re = tensor.empty() : tensor<2x64x16xf16>
  %r = linalg.map { arith.truncf } ins(%o : tensor<2x64x16xf32>) outs(%re : tensor<2x64x16xf16>)
  return %r : tensor<2x64x16xf16>
}
