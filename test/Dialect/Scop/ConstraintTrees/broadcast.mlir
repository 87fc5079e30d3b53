// Constraint trees of broadcasts.
//
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func( \
// RUN:     convert-linalg-to-scop, scop-inline-producers, scop-collapse-loops, \
// RUN:     scop-form-launches, scop-build-constraint-tree{max-scenarios=2}))' \
// RUN:   | FileCheck %s

// Bias of columns.
//
// CHECK-LABEL: func.func @bias_of_columns(
// CHECK: scop.stmt @S0 domain [640, 768]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] coincidence all map thread_x vector 8 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @bias_of_columns(%x: tensor<640x768xf16>, %y: tensor<768xf16>) -> tensor<640x768xf16> {
  %e = tensor.empty() : tensor<640x768xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<640x768xf16>, tensor<768xf16>) outs(%e : tensor<640x768xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %c = arith.addf %a, %b : f16
    linalg.yield %c : f16
  } -> tensor<640x768xf16>
  return %r : tensor<640x768xf16>
}

// -----

// Bias of channels.
//
// CHECK-LABEL: func.func @bias_of_channels(
// CHECK: scop.stmt @S0 domain [32, 64, 3136]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0, @S0[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S0[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S0[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0, @S0[2] eq 0] coincidence all map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @bias_of_channels(%x: tensor<32x64x56x56xf32>, %y: tensor<64xf32>) -> tensor<32x64x56x56xf32> {
  %e = tensor.empty() : tensor<32x64x56x56xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<32x64x56x56xf32>, tensor<64xf32>) outs(%e : tensor<32x64x56x56xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<32x64x56x56xf32>
  return %r : tensor<32x64x56x56xf32>
}

// -----

// A value for each row.
//
// CHECK-LABEL: func.func @a_value_for_each_row(
// CHECK: scop.stmt @S0 domain [49152, 128]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @a_value_for_each_row(%x: tensor<32x12x128x128xf32>, %y: tensor<32x12x128x1xf32>) -> tensor<32x12x128x128xf32> {
  %e = tensor.empty() : tensor<32x12x128x128xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<32x12x128x128xf32>, tensor<32x12x128x1xf32>) outs(%e : tensor<32x12x128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<32x12x128x128xf32>
  return %r : tensor<32x12x128x128xf32>
}

// -----

// A scalar.
//
// CHECK-LABEL: func.func @a_scalar(
// CHECK: scop.stmt @S0 domain [1048576]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0] coincidence all map thread_x vector 8 {
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @a_scalar(%x: tensor<1024x1024xbf16>, %y: tensor<bf16>) -> tensor<1024x1024xbf16> {
  %e = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<1024x1024xbf16>, tensor<bf16>) outs(%e : tensor<1024x1024xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %c = arith.mulf %a, %b : bf16
    linalg.yield %c : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

// -----

// Batch normalisation: what is computed for a channel is computed where it is used.
//
// CHECK-LABEL: func.func @batch_normalisation(
// CHECK: scop.stmt @S1 domain [32, 64, 3136]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S1[0] - 1 eq 0, @S1[1] eq 0, @S1[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S1[0] eq 0, @S1[1] - 1 eq 0, @S1[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S1[0] eq 0, @S1[1] eq 0, @S1[2] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S1[0] eq 0, @S1[1] - 1 eq 0, @S1[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S1[0] eq 0, @S1[1] eq 0, @S1[2] - 1 eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S1[0] - 1 eq 0, @S1[1] eq 0, @S1[2] eq 0] coincidence all map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @batch_normalisation(%x: tensor<32x64x56x56xf32>, %mean: tensor<64xf32>, %var: tensor<64xf32>) -> tensor<32x64x56x56xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %ec = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<32x64x56x56xf32>
  %i = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%var : tensor<64xf32>) outs(%ec : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.addf %a, %eps : f32
    %c = math.rsqrt %q : f32
    linalg.yield %c : f32
  } -> tensor<64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %mean, %i : tensor<32x64x56x56xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<32x64x56x56xf32>) {
  ^bb0(%a: f32, %m: f32, %q: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %c = arith.mulf %d, %q : f32
    linalg.yield %c : f32
  } -> tensor<32x64x56x56xf32>
  return %r : tensor<32x64x56x56xf32>
}

// -----

// A sum in another shape is computed where it is used.
//
// CHECK-LABEL: func.func @a_sum_in_another_shape_is_computed_where_it_is_used(
// CHECK: scop.stmt @S1 domain [3551232]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S1[0] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @a_sum_in_another_shape_is_computed_where_it_is_used(%x: tensor<36992x96xf32>, %b: tensor<96xf32>, %y: tensor<128x96x17x17xf32>)
    -> tensor<128x96x17x17xf32> {
  %e = tensor.empty() : tensor<36992x96xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<36992x96xf32>, tensor<96xf32>) outs(%e : tensor<36992x96xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %d = arith.mulf %a, %c : f32
    linalg.yield %d : f32
  } -> tensor<36992x96xf32>
  %flat = tensor.collapse_shape %s [[0, 1]]
      : tensor<36992x96xf32> into tensor<3551232xf32>
  %view = tensor.expand_shape %flat [[0, 1, 2, 3]] output_shape [128, 96, 17, 17]
      : tensor<3551232xf32> into tensor<128x96x17x17xf32>
  %ey = tensor.empty() : tensor<128x96x17x17xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%view, %y : tensor<128x96x17x17xf32>, tensor<128x96x17x17xf32>) outs(%ey : tensor<128x96x17x17xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %d = arith.addf %a, %c : f32
    linalg.yield %d : f32
  } -> tensor<128x96x17x17xf32>
  return %r : tensor<128x96x17x17xf32>
}
