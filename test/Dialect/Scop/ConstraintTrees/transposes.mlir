// Constraint trees of transposes.
//
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func( \
// RUN:     convert-linalg-to-scop, scop-inline-producers, scop-collapse-loops, \
// RUN:     scop-form-launches, scop-build-constraint-tree{max-scenarios=2}))' \
// RUN:   | FileCheck %s

// A matrix: a tile of both loops.
//
// CHECK-LABEL: func.func @a_matrix(
// CHECK: scop.stmt @S0 domain [1000, 512]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] coincidence all map thread_x vector 8 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all map thread_x vector 8 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @a_matrix(%x: tensor<512x1000xf16>) -> tensor<1000x512xf16> {
  %e = tensor.empty() : tensor<1000x512xf16>
  %r = linalg.transpose ins(%x : tensor<512x1000xf16>) outs(%e : tensor<1000x512xf16>)
      permutation = [1, 0]
  return %r : tensor<1000x512xf16>
}

// -----

// Heads: rows stay whole.
//
// CHECK-LABEL: func.func @heads(
// CHECK: scop.stmt @S0 domain [32, 12, 128, 64]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0, @S0[2] eq 0, @S0[3] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S0[2] eq 0, @S0[3] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0, @S0[3] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] eq 0, @S0[3] - 1 eq 0] coincidence all map thread_x vector 8 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0, @S0[3] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] eq 0, @S0[3] - 1 eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S0[2] eq 0, @S0[3] eq 0] coincidence all map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @heads(%x: tensor<32x128x12x64xf16>) -> tensor<32x12x128x64xf16> {
  %e = tensor.empty() : tensor<32x12x128x64xf16>
  %r = linalg.transpose ins(%x : tensor<32x128x12x64xf16>) outs(%e : tensor<32x12x128x64xf16>)
      permutation = [0, 2, 1, 3]
  return %r : tensor<32x12x128x64xf16>
}

// -----

// Channels last.
//
// CHECK-LABEL: func.func @channels_last(
// CHECK: scop.stmt @S0 domain [32, 50176, 3]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0, @S0[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S0[2] eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0] coincidence all map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S0[2] eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @channels_last(%x: tensor<32x3x224x224xf32>) -> tensor<32x224x224x3xf32> {
  %e = tensor.empty() : tensor<32x224x224x3xf32>
  %r = linalg.transpose ins(%x : tensor<32x3x224x224xf32>) outs(%e : tensor<32x224x224x3xf32>)
      permutation = [0, 2, 3, 1]
  return %r : tensor<32x224x224x3xf32>
}

// -----

// Channels first.
//
// CHECK-LABEL: func.func @channels_first(
// CHECK: scop.stmt @S0 domain [512, 512, 9]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0, @S0[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S0[2] eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0] coincidence all map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S0[2] - 1 eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S0[2] eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @channels_first(%x: tensor<512x3x3x512xf32>) -> tensor<512x512x3x3xf32> {
  %e = tensor.empty() : tensor<512x512x3x3xf32>
  %r = linalg.transpose ins(%x : tensor<512x3x3x512xf32>) outs(%e : tensor<512x512x3x3xf32>)
      permutation = [0, 3, 1, 2]
  return %r : tensor<512x512x3x3xf32>
}

// -----

// A matrix and another, transposed.
//
// CHECK-LABEL: func.func @a_matrix_and_another_transposed(
// CHECK: scop.stmt @S0 domain [1024, 2048]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0] coincidence all map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @a_matrix_and_another_transposed(%x: tensor<1024x2048xf32>, %y: tensor<2048x1024xf32>) -> tensor<1024x2048xf32> {
  %e = tensor.empty() : tensor<1024x2048xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<1024x2048xf32>, tensor<2048x1024xf32>) outs(%e : tensor<1024x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<1024x2048xf32>
  return %r : tensor<1024x2048xf32>
}
