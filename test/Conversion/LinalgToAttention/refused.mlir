// RUN: grout-opt %s -grout-set-target=name=cpu -convert-linalg-to-attention -split-input-file | FileCheck %s
// What is no attention, or not only that.

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// CHECK-LABEL: func.func @scores_used
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @scores_used(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> (tensor<2x4x16x8xf32>, tensor<2x4x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o, %p : tensor<2x4x16x8xf32>, tensor<2x4x16x16xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// CHECK-LABEL: func.func @other_dimension
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @other_dimension(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x4x16x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// CHECK-LABEL: func.func @soft_cap
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @soft_cap(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x4x16x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = math.tanh %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// CHECK-LABEL: func.func @scaled_by_tensor
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @scaled_by_tensor(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>, %t: tensor<2x4x16x16xf32>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %u = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %t : tensor<2x4x16x16xf32>, tensor<2x4x16x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// CHECK-LABEL: func.func @moderate_number
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @moderate_number(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>, %mask: tensor<2x16xi1>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %low = arith.constant -10.0 : f32
  %u = linalg.generic {indexing_maps = [#id, affine_map<(b, h, i, j) -> (b, j)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<2x4x16x16xf32>, tensor<2x16xi1>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %c: i1, %out: f32):
    %r = arith.select %c, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// CHECK-LABEL: func.func @mask_of_scores
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @mask_of_scores(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x4x16x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %c = arith.cmpf ogt, %x, %zero : f32
    %r = arith.select %c, %x, %lowest : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%u : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// CHECK-LABEL: func.func @wrong_sum
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @wrong_sum(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
#keep = affine_map<(b, h, i, j) -> (b, h, i, 0)>
#scalar = affine_map<(b, h, i, j) -> ()>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, e, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, e, j) -> (b, h, j, e)>
#o = affine_map<(b, h, i, e, j) -> (b, h, i, e)>

// The input asks for a product.
// CHECK-LABEL: func.func @tiled
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @tiled(%q: tensor<2x4x16x8xf16>, %k: tensor<2x4x16x8xf16>, %v: tensor<2x4x16x8xf16>) -> tensor<2x4x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<2x4x16x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"], tgemm.tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      ins(%q, %k : tensor<2x4x16x8xf16>, tensor<2x4x16x8xf16>) outs(%z0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %sum = arith.addf %acc, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x16x16xf32>
  %re = tensor.empty() : tensor<2x4x16xf32>
  %minf = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s : tensor<2x4x16x16xf32>) outs(%minf : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.maximumf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<2x4x16x16xf32>) outs(%z1 : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %r = arith.addf %x, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<2x4x16x16xf32>, tensor<2x4x16xf32>) outs(%e0 : tensor<2x4x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %pe = tensor.empty() : tensor<2x4x16x16xf16>
  %pn = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x4x16x16xf32>) outs(%pe : tensor<2x4x16x16xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x16xf16>
  %oe = tensor.empty() : tensor<2x4x16x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pn, %v : tensor<2x4x16x16xf16>, tensor<2x4x16x8xf16>) outs(%oz : tensor<2x4x16x8xf32>) {
  ^bb0(%x: f16, %y: f16, %acc: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %m = arith.mulf %xw, %yw : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x8xf32>
  return %o : tensor<2x4x16x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Rows without keys have something else than 0.
// CHECK-LABEL: func.func @other_number
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @other_number(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %r = tensor.empty() : tensor<16xf32>
  %oe = tensor.empty() : tensor<16x8xf32>
  %ez = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<16x8xf32>) -> tensor<16x8xf32>
  %rl = linalg.fill ins(%lowest : f32) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<16x8xf16>, tensor<8x16xf16>) outs(%ez : tensor<16x16xf32>) -> tensor<16x16xf32>
  %u = linalg.map ins(%mask, %s : tensor<16x16xi1>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) (%c: i1, %x: f32, %out: f32) {
    %y = arith.select %c, %x, %lowest : f32
    linalg.yield %y : f32
  }
  %max = linalg.reduce { arith.maximumf } ins(%u : tensor<16x16xf32>) outs(%rl : tensor<16xf32>) dimensions = [1]
  %origin = linalg.map ins(%max : tensor<16xf32>) outs(%r : tensor<16xf32>) (%x: f32, %out: f32) {
    %c = arith.cmpf oeq, %x, %lowest : f32
    %y = arith.select %c, %zero, %x : f32
    linalg.yield %y : f32
  }
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u, %origin : tensor<16x16xf32>, tensor<16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<16x16xf32>) outs(%rz : tensor<16xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<16x16xf32>, tensor<16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %c = arith.cmpf oeq, %m, %zero : f32
    %three = arith.constant 3.0 : f32
    %d = arith.divf %x, %m : f32
    %y = arith.select %c, %three, %d : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %pe = tensor.empty() : tensor<16x16xf16>
  %pn = linalg.map { arith.truncf } ins(%p : tensor<16x16xf32>) outs(%pe : tensor<16x16xf16>)
  %o = linalg.matmul ins(%pn, %v : tensor<16x16xf16>, tensor<16x8xf16>) outs(%oz : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Rows with a masked key are 0, not those without keys only.
// CHECK-LABEL: func.func @any_masked
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @any_masked(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %r = tensor.empty() : tensor<16xf32>
  %oe = tensor.empty() : tensor<16x8xf32>
  %ez = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<16x8xf32>) -> tensor<16x8xf32>
  %rl = linalg.fill ins(%lowest : f32) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<16x8xf16>, tensor<8x16xf16>) outs(%ez : tensor<16x16xf32>) -> tensor<16x16xf32>
  %u = linalg.map ins(%mask, %s : tensor<16x16xi1>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) (%c: i1, %x: f32, %out: f32) {
    %y = arith.select %c, %x, %lowest : f32
    linalg.yield %y : f32
  }
  %soft = linalg.softmax dimension(1) ins(%u : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %init = arith.constant false
  %be = tensor.empty() : tensor<16x16xi1>
  %bre = tensor.empty() : tensor<16xi1>
  %br = linalg.fill ins(%init : i1) outs(%bre : tensor<16xi1>) -> tensor<16xi1>
  %masked = linalg.map ins(%u : tensor<16x16xf32>) outs(%be : tensor<16x16xi1>) (%x: f32, %out: i1) {
    %c = arith.cmpf oeq, %x, %lowest : f32
    linalg.yield %c : i1
  }
  %empty = linalg.reduce { arith.ori } ins(%masked : tensor<16x16xi1>) outs(%br : tensor<16xi1>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%empty, %soft : tensor<16xi1>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%c: i1, %x: f32, %out: f32):
    %y = arith.select %c, %zero, %x : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %pe = tensor.empty() : tensor<16x16xf16>
  %pn = linalg.map { arith.truncf } ins(%p : tensor<16x16xf32>) outs(%pe : tensor<16x16xf16>)
  %o = linalg.matmul ins(%pn, %v : tensor<16x16xf16>, tensor<16x8xf16>) outs(%oz : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// What is no number is 0, in whatever row.
// CHECK-LABEL: func.func @no_number
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @no_number(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %r = tensor.empty() : tensor<16xf32>
  %oe = tensor.empty() : tensor<16x8xf32>
  %ez = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<16x8xf32>) -> tensor<16x8xf32>
  %rl = linalg.fill ins(%lowest : f32) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<16x8xf16>, tensor<8x16xf16>) outs(%ez : tensor<16x16xf32>) -> tensor<16x16xf32>
  %u = linalg.map ins(%mask, %s : tensor<16x16xi1>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) (%c: i1, %x: f32, %out: f32) {
    %y = arith.select %c, %x, %lowest : f32
    linalg.yield %y : f32
  }
  %soft = linalg.softmax dimension(1) ins(%u : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.map ins(%soft : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) (%x: f32, %out: f32) {
    %c = arith.cmpf une, %x, %x : f32
    %y = arith.select %c, %zero, %x : f32
    linalg.yield %y : f32
  }
  %pe = tensor.empty() : tensor<16x16xf16>
  %pn = linalg.map { arith.truncf } ins(%p : tensor<16x16xf32>) outs(%pe : tensor<16x16xf16>)
  %o = linalg.matmul ins(%pn, %v : tensor<16x16xf16>, tensor<16x8xf16>) outs(%oz : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The sum is 0 also where all scores are far below what is subtracted.
// CHECK-LABEL: func.func @underflow
// CHECK-NOT: tgemm.attention
// CHECK: return
func.func @underflow(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %r = tensor.empty() : tensor<16xf32>
  %oe = tensor.empty() : tensor<16x8xf32>
  %ez = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<16x8xf32>) -> tensor<16x8xf32>
  %rl = linalg.fill ins(%lowest : f32) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<16x8xf16>, tensor<8x16xf16>) outs(%ez : tensor<16x16xf32>) -> tensor<16x16xf32>
  %u = linalg.map ins(%mask, %s : tensor<16x16xi1>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) (%c: i1, %x: f32, %out: f32) {
    %y = arith.select %c, %x, %lowest : f32
    linalg.yield %y : f32
  }
  %max = linalg.reduce { arith.maximumf } ins(%u : tensor<16x16xf32>) outs(%rl : tensor<16xf32>) dimensions = [1]
  %origin = linalg.map ins(%max : tensor<16xf32>) outs(%r : tensor<16xf32>) (%x: f32, %out: f32) {
    %low = arith.constant -1.0e+30 : f32
    %y = arith.maximumf %x, %low : f32
    linalg.yield %y : f32
  }
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u, %origin : tensor<16x16xf32>, tensor<16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<16x16xf32>) outs(%rz : tensor<16xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<16x16xf32>, tensor<16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %c = arith.cmpf ogt, %m, %zero : f32
    %n = arith.select %c, %m, %one : f32
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %pe = tensor.empty() : tensor<16x16xf16>
  %pn = linalg.map { arith.truncf } ins(%p : tensor<16x16xf32>) outs(%pe : tensor<16x16xf16>)
  %o = linalg.matmul ins(%pn, %v : tensor<16x16xf16>, tensor<16x8xf16>) outs(%oz : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}
