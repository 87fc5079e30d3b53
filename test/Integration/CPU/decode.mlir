// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --info | FileCheck %s --check-prefix=INFO
// RUN: grout-run %t.grout --device=cpu --workers=2 --check --repeat=20 --poison | FileCheck %s
// RUN: grout-compile %s --target=h200 --emit=mlir -o - | FileCheck %s --check-prefix=GPU

// Eight new tokens: their keys and values are put into the caches, where these
// are, from a place on that is an input, and attended to with all that is there.

// INFO:  output 1 is in place of input 2
// INFO:  output 2 is in place of input 3
// CHECK: all bitwise equal
// CHECK: result0: {{.*}}: passes
// CHECK: result1: {{.*}}: passes
// CHECK: result2: {{.*}}: passes

// GPU-LABEL: launch.plan @decode inputs 6 in_place [-1, 2, 3] {
// GPU:       launch.kernel "decode_chain0"
// GPU:       launch.kernel "decode_kernel0
// GPU-NOT:   launch.kernel "decode_kernel
// GPU:       launch.kernel "decode_chain1"
#q = affine_map<(h, i, j, d) -> (i, h, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#p = affine_map<(h, i, e, j) -> (h, i, j)>
#v = affine_map<(h, i, e, j) -> (h, j, e)>
#o = affine_map<(h, i, e, j) -> (i, h, e)>

func.func @decode(%x: tensor<8x64xf16>, %qkv: tensor<64x192xf16>, %keys: tensor<4x32x16xf16> {grout.in_place = 1},
                  %values: tensor<4x32x16xf16> {grout.in_place = 2}, %start: tensor<i64>, %out: tensor<64x64xf16>)
    -> (tensor<8x64xf16>, tensor<4x32x16xf16>, tensor<4x32x16xf16>) {
  %zero = arith.constant 0.0 : f16
  %wide = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %rows = arith.constant 24 : i64

  %pe = tensor.empty() : tensor<8x1xi64>
  %places = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
                            iterator_types = ["parallel", "parallel"]}
      ins(%start : tensor<i64>) outs(%pe : tensor<8x1xi64>) {
  ^bb0(%first: i64, %_: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %row = arith.remui %first, %rows : i64
    %place = arith.addi %row, %n : i64
    linalg.yield %place : i64
  } -> tensor<8x1xi64>

  %he = tensor.empty() : tensor<8x192xf16>
  %hz = linalg.fill ins(%zero : f16) outs(%he : tensor<8x192xf16>) -> tensor<8x192xf16>
  %h = linalg.matmul ins(%x, %qkv : tensor<8x64xf16>, tensor<64x192xf16>) outs(%hz : tensor<8x192xf16>) -> tensor<8x192xf16>
  %heads = tensor.expand_shape %h [[0], [1, 2]] output_shape [8, 12, 16] : tensor<8x192xf16> into tensor<8x12x16xf16>
  %q = tensor.extract_slice %heads[0, 0, 0] [8, 4, 16] [1, 1, 1] : tensor<8x12x16xf16> to tensor<8x4x16xf16>
  %k = tensor.extract_slice %heads[0, 4, 0] [8, 4, 16] [1, 1, 1] : tensor<8x12x16xf16> to tensor<8x4x16xf16>
  %v = tensor.extract_slice %heads[0, 8, 0] [8, 4, 16] [1, 1, 1] : tensor<8x12x16xf16> to tensor<8x4x16xf16>
  %all_k = tensor.scatter %k into %keys[%places] scatter_dims([1]) unique
    : (tensor<8x4x16xf16>, tensor<4x32x16xf16>, tensor<8x1xi64>) -> tensor<4x32x16xf16>
  %all_v = tensor.scatter %v into %values[%places] scatter_dims([1]) unique
    : (tensor<8x4x16xf16>, tensor<4x32x16xf16>, tensor<8x1xi64>) -> tensor<4x32x16xf16>

  %se = tensor.empty() : tensor<4x8x32xf32>
  %sz = linalg.fill ins(%wide : f32) outs(%se : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  %products = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %all_k : tensor<8x4x16xf16>, tensor<4x32x16xf16>) outs(%sz : tensor<4x8x32xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %m = arith.mulf %aw, %bw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<4x8x32xf32>
  %scores = linalg.map ins(%products : tensor<4x8x32xf32>) outs(%se : tensor<4x8x32xf32>)
    (%a: f32, %_: f32) {
      %scaled = arith.mulf %a, %quarter : f32
      linalg.yield %scaled : f32
    }
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<4x8x32xf32>) outs(%se : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  %we = tensor.empty() : tensor<4x8x32xf16>
  %w = linalg.map { arith.truncf } ins(%weights : tensor<4x8x32xf32>) outs(%we : tensor<4x8x32xf16>)
  %ye = tensor.empty() : tensor<8x4x16xf16>
  %yz = linalg.fill ins(%zero : f16) outs(%ye : tensor<8x4x16xf16>) -> tensor<8x4x16xf16>
  %y = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %all_v : tensor<4x8x32xf16>, tensor<4x32x16xf16>) outs(%yz : tensor<8x4x16xf16>) {
  ^bb0(%a: f16, %b: f16, %acc: f16):
    %m = arith.mulf %a, %b : f16
    %sum = arith.addf %acc, %m : f16
    linalg.yield %sum : f16
  } -> tensor<8x4x16xf16>
  %flat = tensor.collapse_shape %y [[0], [1, 2]] : tensor<8x4x16xf16> into tensor<8x64xf16>
  %oe = tensor.empty() : tensor<8x64xf16>
  %oz = linalg.fill ins(%zero : f16) outs(%oe : tensor<8x64xf16>) -> tensor<8x64xf16>
  %r = linalg.matmul ins(%flat, %out : tensor<8x64xf16>, tensor<64x64xf16>) outs(%oz : tensor<8x64xf16>) -> tensor<8x64xf16>
  return %r, %all_k, %all_v : tensor<8x64xf16>, tensor<4x32x16xf16>, tensor<4x32x16xf16>
}
