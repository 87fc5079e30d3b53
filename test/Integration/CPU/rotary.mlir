// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s
// RUN: grout-opt %s --grout-synchronised-pipeline=target=h200 2>/dev/null | FileCheck %s --check-prefix=GPU

// Rotary embeddings of a product's queries and keys: of the first 12 elements
// of heads of 20, by halves, and of all of them, by pairs.

// CHECK: result0: relative error {{[0-9.e-]+}}, {{.*}}: passes
// CHECK: result1: relative error {{[0-9.e-]+}}, {{.*}}: passes

// The table of angles comes before the product, and one launch does the rest.

// GPU-LABEL: func.func @rotary(
// GPU: scop.kernel
// GPU: math.powf
// GPU: math.cos
// GPU: tgemm.matmul
// GPU: scop.launch
// GPU-COUNT-2: scop.kernel
// GPU-NOT: scop.kernel
// GPU: return
#x = affine_map<(h, s, d) -> (h, s, d)>
#xt = affine_map<(h, s, d) -> (s, h, d)>
#table = affine_map<(h, s, d) -> (s, d)>
#angle = affine_map<(s, d) -> (s, d)>
func.func @rotary(%x: tensor<5x32xf16>, %w: tensor<32x120xf16>) -> (tensor<4x5x20xf16>, tensor<2x5x20xf16>) {
  %zero = arith.constant 0.0 : f16
  %ep = tensor.empty() : tensor<5x120xf16>
  %zp = linalg.fill ins(%zero : f16) outs(%ep : tensor<5x120xf16>) -> tensor<5x120xf16>
  %p = linalg.matmul ins(%x, %w : tensor<5x32xf16>, tensor<32x120xf16>) outs(%zp : tensor<5x120xf16>) -> tensor<5x120xf16>
  %pq = tensor.extract_slice %p[0, 0] [5, 80] [1, 1] : tensor<5x120xf16> to tensor<5x80xf16>
  %pk = tensor.extract_slice %p[0, 80] [5, 40] [1, 1] : tensor<5x120xf16> to tensor<5x40xf16>
  %hq = tensor.expand_shape %pq [[0], [1, 2]] output_shape [5, 4, 20] : tensor<5x80xf16> into tensor<5x4x20xf16>
  %hk = tensor.expand_shape %pk [[0], [1, 2]] output_shape [5, 2, 20] : tensor<5x40xf16> into tensor<5x2x20xf16>
  %eq = tensor.empty() : tensor<4x5x20xf16>
  %q = linalg.transpose ins(%hq : tensor<5x4x20xf16>) outs(%eq : tensor<4x5x20xf16>) permutation = [1, 0, 2]
  %ek = tensor.empty() : tensor<2x5x20xf16>
  %k = linalg.transpose ins(%hk : tensor<5x2x20xf16>) outs(%ek : tensor<2x5x20xf16>) permutation = [1, 0, 2]

  // Angles, twice.
  %ea = tensor.empty() : tensor<5x6xf32>
  %half = linalg.generic {indexing_maps = [#angle], iterator_types = ["parallel", "parallel"]} outs(%ea : tensor<5x6xf32>) {
  ^bb0(%o: f32):
    %base = arith.constant 0.25 : f32
    %s = linalg.index 0 : index
    %d = linalg.index 1 : index
    %si = arith.index_cast %s : index to i32
    %di = arith.index_cast %d : index to i32
    %sf = arith.sitofp %si : i32 to f32
    %df = arith.sitofp %di : i32 to f32
    %f = math.powf %base, %df : f32
    %a = arith.mulf %sf, %f : f32
    linalg.yield %a : f32
  } -> tensor<5x6xf32>
  %angles = tensor.concat dim(1) %half, %half : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x12xf32>
  %ec = tensor.empty() : tensor<5x12xf32>
  %cos = linalg.generic {indexing_maps = [#angle, #angle], iterator_types = ["parallel", "parallel"]}
      ins(%angles : tensor<5x12xf32>) outs(%ec : tensor<5x12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = math.cos %a : f32
    linalg.yield %c : f32
  } -> tensor<5x12xf32>
  %sin = linalg.generic {indexing_maps = [#angle, #angle], iterator_types = ["parallel", "parallel"]}
      ins(%angles : tensor<5x12xf32>) outs(%ec : tensor<5x12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = math.sin %a : f32
    linalg.yield %c : f32
  } -> tensor<5x12xf32>

  // By halves; the last 8 elements are as they were.
  %first = tensor.extract_slice %q[0, 0, 0] [4, 5, 6] [1, 1, 1] : tensor<4x5x20xf16> to tensor<4x5x6xf16>
  %second = tensor.extract_slice %q[0, 0, 6] [4, 5, 6] [1, 1, 1] : tensor<4x5x20xf16> to tensor<4x5x6xf16>
  %both = tensor.extract_slice %q[0, 0, 0] [4, 5, 12] [1, 1, 1] : tensor<4x5x20xf16> to tensor<4x5x12xf16>
  %rest = tensor.extract_slice %q[0, 0, 12] [4, 5, 8] [1, 1, 1] : tensor<4x5x20xf16> to tensor<4x5x8xf16>
  %en = tensor.empty() : tensor<4x5x6xf16>
  %negated = linalg.negf ins(%second : tensor<4x5x6xf16>) outs(%en : tensor<4x5x6xf16>) -> tensor<4x5x6xf16>
  %turned = tensor.concat dim(2) %negated, %first : (tensor<4x5x6xf16>, tensor<4x5x6xf16>) -> tensor<4x5x12xf16>
  %er = tensor.empty() : tensor<4x5x12xf16>
  %rotated = linalg.generic {indexing_maps = [#x, #x, #table, #table, #x], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%both, %turned, %cos, %sin : tensor<4x5x12xf16>, tensor<4x5x12xf16>, tensor<5x12xf32>, tensor<5x12xf32>)
      outs(%er : tensor<4x5x12xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f32, %s: f32, %o: f16):
    %af = arith.extf %a : f16 to f32
    %bf = arith.extf %b : f16 to f32
    %ac = arith.mulf %af, %c : f32
    %bs = arith.mulf %bf, %s : f32
    %sum = arith.addf %ac, %bs : f32
    %t = arith.truncf %sum : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4x5x12xf16>
  %rq = tensor.concat dim(2) %rotated, %rest : (tensor<4x5x12xf16>, tensor<4x5x8xf16>) -> tensor<4x5x20xf16>

  // By pairs.
  %even = tensor.extract_slice %k[0, 0, 0] [2, 5, 10] [1, 1, 2] : tensor<2x5x20xf16> to tensor<2x5x10xf16>
  %odd = tensor.extract_slice %k[0, 0, 1] [2, 5, 10] [1, 1, 2] : tensor<2x5x20xf16> to tensor<2x5x10xf16>
  %eo = tensor.empty() : tensor<2x5x10xf16>
  %minus = linalg.negf ins(%odd : tensor<2x5x10xf16>) outs(%eo : tensor<2x5x10xf16>) -> tensor<2x5x10xf16>
  %p0 = tensor.expand_shape %minus [[0], [1], [2, 3]] output_shape [2, 5, 10, 1] : tensor<2x5x10xf16> into tensor<2x5x10x1xf16>
  %p1 = tensor.expand_shape %even [[0], [1], [2, 3]] output_shape [2, 5, 10, 1] : tensor<2x5x10xf16> into tensor<2x5x10x1xf16>
  %pairs = tensor.concat dim(3) %p0, %p1 : (tensor<2x5x10x1xf16>, tensor<2x5x10x1xf16>) -> tensor<2x5x10x2xf16>
  %across = tensor.collapse_shape %pairs [[0], [1], [2, 3]] : tensor<2x5x10x2xf16> into tensor<2x5x20xf16>
  %rk = linalg.add ins(%k, %across : tensor<2x5x20xf16>, tensor<2x5x20xf16>) outs(%ek : tensor<2x5x20xf16>) -> tensor<2x5x20xf16>
  return %rq, %rk : tensor<4x5x20xf16>, tensor<2x5x20xf16>
}
