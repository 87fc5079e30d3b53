// The policy of AKG's greedy optimiser.
//
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func( \
// RUN:     convert-linalg-to-scop, scop-build-constraint-tree{policy=akg}))' | FileCheck %s
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func( \
// RUN:     convert-linalg-to-scop, scop-schedule{tree=akg}, scop-verify-schedule))' -o /dev/null

// RUN: not grout-opt %s -split-input-file --grout-set-target=name=h200 --scop-build-constraint-tree=policy=ansor 2>&1 | FileCheck %s --check-prefix=POLICY
// POLICY: error: unknown policy 'ansor'; policies are akg, auto
// RUN: not grout-opt %s -split-input-file --grout-set-target=name=h200 --scop-build-constraint-tree=max-scenarios=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: max-scenarios must be at least 1

// Vectors of four, however narrow elements are.

// CHECK-LABEL: func.func @bias(
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] map thread_x vector 4 {
func.func @bias(%x: tensor<640x768xf16>, %b: tensor<768xf16>) -> tensor<640x768xf16> {
  %e = tensor.empty() : tensor<640x768xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<640x768xf16>, tensor<768xf16>) outs(%e : tensor<640x768xf16>) {
  ^bb0(%a: f16, %c: f16, %o: f16):
    %s = arith.addf %a, %c : f16
    linalg.yield %s : f16
  } -> tensor<640x768xf16>
  return %r : tensor<640x768xf16>
}

// -----

// Rows of seven have no vectors.

// CHECK-LABEL: func.func @odd(
// CHECK: scop.tree {
// CHECK: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0] map thread_x {
func.func @odd(%x: tensor<96x7x7xf32>) -> tensor<96x7x7xf32> {
  %e = tensor.empty() : tensor<96x7x7xf32>
  %r = linalg.exp ins(%x : tensor<96x7x7xf32>) outs(%e : tensor<96x7x7xf32>) -> tensor<96x7x7xf32>
  return %r : tensor<96x7x7xf32>
}

// -----

// The write decides between loops that are dense for one access each.

// CHECK-LABEL: func.func @transpose(
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] map thread_x vector 4 {
func.func @transpose(%x: tensor<256x128xf32>) -> tensor<128x256xf32> {
  %e = tensor.empty() : tensor<128x256xf32>
  %r = linalg.transpose ins(%x : tensor<256x128xf32>) outs(%e : tensor<128x256xf32>) permutation = [1, 0]
  return %r : tensor<128x256xf32>
}

// -----

// Reductions, and transposes that convert, are left alone.

// CHECK-LABEL: func.func @rows(
// CHECK-NOT: scop.tree
func.func @rows(%x: tensor<64x32xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<64x32xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}

// CHECK-LABEL: func.func @cast_transpose(
// CHECK-NOT: scop.tree
func.func @cast_transpose(%x: tensor<64x32xf32>) -> tensor<32x64xf16> {
  %e = tensor.empty() : tensor<32x64xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<32x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %c = arith.truncf %a : f32 to f16
    linalg.yield %c : f16
  } -> tensor<32x64xf16>
  return %r : tensor<32x64xf16>
}
