// Constraint trees of elementwise operators.
//
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func( \
// RUN:     convert-linalg-to-scop, scop-inline-producers, scop-collapse-loops, \
// RUN:     scop-form-launches, scop-build-constraint-tree{max-scenarios=2}))' \
// RUN:   | FileCheck %s

// Relu, channels last: one loop.
//
// CHECK-LABEL: func.func @relu_channels_last(
// CHECK: scop.stmt @S0 domain [205520896]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @relu_channels_last(%x: tensor<256x56x56x256xf32>) -> tensor<256x56x56x256xf32> {
  %e = tensor.empty() : tensor<256x56x56x256xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<256x56x56x256xf32>) outs(%e : tensor<256x56x56x256xf32>) {
  ^bb0(%a: f32, %b: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.maximumf %a, %zero : f32
    linalg.yield %c : f32
  } -> tensor<256x56x56x256xf32>
  return %r : tensor<256x56x56x256xf32>
}

// -----

// Cast: the width is that of the narrow elements.
//
// CHECK-LABEL: func.func @cast(
// CHECK: scop.stmt @S0 domain [102760448]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @cast(%x: tensor<4096x25088xf16>) -> tensor<4096x25088xf32> {
  %e = tensor.empty() : tensor<4096x25088xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x25088xf16>) outs(%e : tensor<4096x25088xf32>) {
  ^bb0(%a: f16, %b: f32):
    %c = arith.extf %a : f16 to f32
    linalg.yield %c : f32
  } -> tensor<4096x25088xf32>
  return %r : tensor<4096x25088xf32>
}

// -----

// Add, rows of 49 elements.
//
// CHECK-LABEL: func.func @add_rows_of_elements(
// CHECK: scop.stmt @S0 domain [1176000]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0] coincidence all map thread_x vector 8 {
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @add_rows_of_elements(%x: tensor<150x160x7x7xf16>, %y: tensor<150x160x7x7xf16>) -> tensor<150x160x7x7xf16> {
  %e = tensor.empty() : tensor<150x160x7x7xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<150x160x7x7xf16>, tensor<150x160x7x7xf16>) outs(%e : tensor<150x160x7x7xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %c = arith.addf %a, %b : f16
    linalg.yield %c : f16
  } -> tensor<150x160x7x7xf16>
  return %r : tensor<150x160x7x7xf16>
}

// -----

// An odd number of elements: the last vector is masked.
//
// CHECK-LABEL: func.func @an_odd_number_of_elements(
// CHECK: scop.stmt @S0 domain [6125]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0] coincidence all map thread_x vector 4 masked {
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @an_odd_number_of_elements(%x: tensor<125x49xf32>, %y: tensor<125x49xf32>) -> tensor<125x49xf32> {
  %e = tensor.empty() : tensor<125x49xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<125x49xf32>, tensor<125x49xf32>) outs(%e : tensor<125x49xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<125x49xf32>
  return %r : tensor<125x49xf32>
}

// -----

// An Adam update: three results of one launch.
//
// CHECK-LABEL: func.func @an_adam_update(
// CHECK: scop.stmt @S0 domain [2359296]
// CHECK: scop.stmt @S1 domain [2359296]
// CHECK: scop.stmt @S2 domain [2359296]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S2[0] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1], [@S2]] {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @an_adam_update(%w: tensor<768x3072xf32>, %m: tensor<768x3072xf32>, %v: tensor<768x3072xf32>, %g: tensor<768x3072xf32>, %lr: tensor<f32>)
    -> (tensor<768x3072xf32>, tensor<768x3072xf32>, tensor<768x3072xf32>) {
  %b1 = arith.constant 0.9 : f32
  %b2 = arith.constant 0.999 : f32
  %r1 = arith.constant 0.1 : f32
  %r2 = arith.constant 0.001 : f32
  %eps = arith.constant 1.0e-6 : f32
  %e = tensor.empty() : tensor<768x3072xf32>
  %m1 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%m, %g : tensor<768x3072xf32>, tensor<768x3072xf32>) outs(%e : tensor<768x3072xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b1 : f32
    %q = arith.mulf %b, %r1 : f32
    %c = arith.addf %p, %q : f32
    linalg.yield %c : f32
  } -> tensor<768x3072xf32>
  %v1 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%v, %g : tensor<768x3072xf32>, tensor<768x3072xf32>) outs(%e : tensor<768x3072xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b2 : f32
    %s = arith.mulf %b, %b : f32
    %q = arith.mulf %s, %r2 : f32
    %c = arith.addf %p, %q : f32
    linalg.yield %c : f32
  } -> tensor<768x3072xf32>
  %w1 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%w, %m1, %v1, %lr : tensor<768x3072xf32>, tensor<768x3072xf32>, tensor<768x3072xf32>, tensor<f32>) outs(%e : tensor<768x3072xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %l: f32, %o: f32):
    %s = math.sqrt %d : f32
    %t = arith.addf %s, %eps : f32
    %u = arith.divf %b, %t : f32
    %p = arith.mulf %u, %l : f32
    %c = arith.subf %a, %p : f32
    linalg.yield %c : f32
  } -> tensor<768x3072xf32>
  return %w1, %m1, %v1 : tensor<768x3072xf32>, tensor<768x3072xf32>, tensor<768x3072xf32>
}
