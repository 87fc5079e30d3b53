// RUN: grout-opt %s -grout-set-target=name=cpu -convert-linalg-to-attention -split-input-file | FileCheck %s
// What rows without keys have instead of NaN.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Probabilities where the sum is 0.
// CHECK-LABEL: func.func @sum
// CHECK: tgemm.attention {{.*}} zero_without_keys}
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @sum(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
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
    %d = arith.divf %x, %m : f32
    %y = arith.select %c, %zero, %d : f32
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

// The divisor, which needs no other value for the result to be 0.
// CHECK-LABEL: func.func @divisor
// CHECK: tgemm.attention {{.*}} zero_without_keys}
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @divisor(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
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
    %inf = arith.constant 0x7F800000 : f32
    %a = math.absf %x : f32
    %c = arith.cmpf one, %a, %inf : f32
    %y = arith.select %c, %x, %zero : f32
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

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// As _safe_softmax of PyTorch does it.
// CHECK-LABEL: func.func @all_masked
// CHECK: tgemm.attention {{.*}} zero_without_keys}
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @all_masked(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
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
  %init = arith.constant true
  %be = tensor.empty() : tensor<16x16xi1>
  %bre = tensor.empty() : tensor<16xi1>
  %br = linalg.fill ins(%init : i1) outs(%bre : tensor<16xi1>) -> tensor<16xi1>
  %masked = linalg.map ins(%u : tensor<16x16xf32>) outs(%be : tensor<16x16xi1>) (%x: f32, %out: i1) {
    %c = arith.cmpf oeq, %x, %lowest : f32
    linalg.yield %c : i1
  }
  %empty = linalg.reduce { arith.andi } ins(%masked : tensor<16x16xi1>) outs(%br : tensor<16xi1>) dimensions = [1]
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

// The division comes after the product.
// CHECK-LABEL: func.func @late_division
// CHECK: tgemm.attention {{.*}} zero_without_keys}
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @late_division(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
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
  %pe = tensor.empty() : tensor<16x16xf16>
  %pn = linalg.map { arith.truncf } ins(%exp : tensor<16x16xf32>) outs(%pe : tensor<16x16xf16>)
  %products = linalg.matmul ins(%pn, %v : tensor<16x16xf16>, tensor<16x8xf16>) outs(%oz : tensor<16x8xf32>) -> tensor<16x8xf32>
  %o = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%products, %sum : tensor<16x8xf32>, tensor<16xf32>) outs(%oe : tensor<16x8xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %c = arith.cmpf ogt, %m, %zero : f32
    %n = arith.select %c, %m, %one : f32
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The result itself.
// CHECK-LABEL: func.func @result
// CHECK: tgemm.attention {{.*}} zero_without_keys}
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @result(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
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
  %soft = linalg.softmax dimension(1) ins(%u : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %pe = tensor.empty() : tensor<16x16xf16>
  %pn = linalg.map { arith.truncf } ins(%soft : tensor<16x16xf32>) outs(%pe : tensor<16x16xf16>)
  %products = linalg.matmul ins(%pn, %v : tensor<16x16xf16>, tensor<16x8xf16>) outs(%oz : tensor<16x8xf32>) -> tensor<16x8xf32>
  %o = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%max, %products : tensor<16xf32>, tensor<16x8xf32>) outs(%oe : tensor<16x8xf32>) {
  ^bb0(%m: f32, %x: f32, %out: f32):
    %c = arith.cmpf une, %m, %lowest : f32
    %y = arith.select %c, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Infinities are subtracted, and the sum is no number, which is not 0.
// CHECK-LABEL: func.func @never_taken
// CHECK: tgemm.attention {{.*}} scale = 1.000000e+00 : f32} :
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @never_taken(%q: tensor<16x8xf16>, %k: tensor<8x16xf16>, %v: tensor<16x8xf16>, %mask: tensor<16x16xi1>) -> tensor<16x8xf32> {
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
    %y = arith.maximumf %x, %lowest : f32
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
    %d = arith.divf %x, %m : f32
    %y = arith.select %c, %zero, %d : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %pe = tensor.empty() : tensor<16x16xf16>
  %pn = linalg.map { arith.truncf } ins(%p : tensor<16x16xf32>) outs(%pe : tensor<16x16xf16>)
  %o = linalg.matmul ins(%pn, %v : tensor<16x16xf16>, tensor<16x8xf16>) outs(%oz : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %o : tensor<16x8xf32>
}
