// RUN: grout-compile %s -o %t.grout
// RUN: grout-run %t.grout --info | FileCheck %s --check-prefix=INFO
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s

// Integers of every width and truth values, in memory between tile kernels,
// in inputs, outputs and a constant. The results are exact.

// INFO:      input x: i32[64x48], 12288 bytes
// INFO-NEXT: input y: i8[64x48], 3072 bytes
// INFO-NEXT: input b: i1[64x48], 3072 bytes
// INFO-NEXT: input l: i64[64x48], 24576 bytes
// INFO-NEXT: output result0: i1[64x48], 3072 bytes
// INFO-NEXT: output result1: i64[64], 512 bytes
// INFO-NEXT: output result2: i16[64x48], 6144 bytes
// INFO:      Constant constant i1[48]

// CHECK: result0: i1[64x48], min 0, max 1
// CHECK: result1: i64[64], min -{{[0-9]+}}, max {{[0-9]+}},
// CHECK: result0: relative error 0, largest absolute error 0, tolerance 0 (i1): passes
// CHECK: result1: relative error 0, largest absolute error 0, tolerance 0 (i64): passes
// CHECK: result2: relative error 0, largest absolute error 0, tolerance 0 (i16): passes

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

func.func @integers(%x: tensor<64x48xi32>, %y: tensor<64x48xi8>,
                    %b: tensor<64x48xi1>, %l: tensor<64x48xi64>)
    -> (tensor<64x48xi1>, tensor<64xi64>, tensor<64x48xi16>) {
  %mask = arith.constant dense<[
    true, false, true, true, false, false, true, false, true, true, true, true,
    false, false, true, true, false, true, false, true, false, true, false, true,
    true, true, true, true, true, true, true, true, true, true, true, true,
    false, true, true, true, false, true, true, true, false, true, true, false
  ]> : tensor<48xi1>
  %e = tensor.empty() : tensor<64x48xi1>
  %less = linalg.generic {
      grout.tile_sizes = array<i64: 16, 16>,
      indexing_maps = [#id, #id, #id, #column, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %b, %mask : tensor<64x48xi32>, tensor<64x48xi8>,
                              tensor<64x48xi1>, tensor<48xi1>)
      outs(%e : tensor<64x48xi1>) {
  ^bb0(%a: i32, %c: i8, %k: i1, %m: i1, %_: i1):
    %wide = arith.extsi %c : i8 to i32
    %s = arith.cmpi slt, %a, %wide : i32
    %t = arith.xori %s, %k : i1
    %u = arith.andi %t, %m : i1
    linalg.yield %u : i1
  } -> tensor<64x48xi1>
  %zeros = arith.constant dense<0> : tensor<64xi64>
  %sums = linalg.generic {
      grout.tile_sizes = array<i64: 16, 48>,
      indexing_maps = [#id, #id, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%less, %l : tensor<64x48xi1>, tensor<64x48xi64>)
      outs(%zeros : tensor<64xi64>) {
  ^bb0(%a: i1, %c: i64, %sum: i64):
    %zero = arith.constant 0 : i64
    %s = arith.select %a, %c, %zero : i64
    %t = arith.addi %sum, %s : i64
    linalg.yield %t : i64
  } -> tensor<64xi64>
  %f = tensor.empty() : tensor<64x48xi16>
  %products = linalg.generic {
      grout.tile_sizes = array<i64: 16, 48>,
      indexing_maps = [#row, #id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums, %l : tensor<64xi64>, tensor<64x48xi64>)
      outs(%f : tensor<64x48xi16>) {
  ^bb0(%a: i64, %c: i64, %_: i16):
    %s = arith.muli %a, %c : i64
    %t = arith.trunci %s : i64 to i16
    linalg.yield %t : i16
  } -> tensor<64x48xi16>
  return %less, %sums, %products
    : tensor<64x48xi1>, tensor<64xi64>, tensor<64x48xi16>
}
