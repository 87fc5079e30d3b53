// RUN: grout-compile %s --target=h200 --explain -o %t.grout | FileCheck %s
// REQUIRES: grout-compile

// Sixteen bytes at once would be sixteen sums in the registers of each thread;
// a copy has none.

// CHECK-LABEL: memory-bound kernel 0
// CHECK-NEXT: loop 0 4096, blocks
// CHECK-NEXT: loop 1 96, neighbouring threads, 8 at once
// CHECK-NEXT: loop 2 96, other threads of a block
func.func @is_largest(%x: tensor<4096x96xf16>) -> tensor<4096x96xi8> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ce = tensor.empty() : tensor<4096x96xi32>
  %cz = linalg.fill ins(%zero : i32) outs(%ce : tensor<4096x96xi32>) -> tensor<4096x96xi32>
  %count = linalg.generic {
      indexing_maps = [affine_map<(r, i, j) -> (r, i)>, affine_map<(r, i, j) -> (r, j)>, affine_map<(r, i, j) -> (r, i)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<4096x96xf16>, tensor<4096x96xf16>) outs(%cz : tensor<4096x96xi32>) {
  ^bb0(%a: f16, %b: f16, %sum: i32):
    %c = arith.cmpf olt, %a, %b : f16
    %n = arith.extui %c : i1 to i32
    %next = arith.addi %sum, %n : i32
    linalg.yield %next : i32
  } -> tensor<4096x96xi32>
  %re = tensor.empty() : tensor<4096x96xi8>
  %r = linalg.generic {
      indexing_maps = [affine_map<(r, i) -> (r, i)>, affine_map<(r, i) -> (r, i)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%count : tensor<4096x96xi32>) outs(%re : tensor<4096x96xi8>) {
  ^bb0(%n: i32, %out: i8):
    %is = arith.cmpi eq, %n, %zero : i32
    %y = arith.extui %is : i1 to i8
    linalg.yield %y : i8
  } -> tensor<4096x96xi8>
  return %r : tensor<4096x96xi8>
}
