// Constraint trees of normalisations.
//
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func( \
// RUN:     convert-linalg-to-scop, scop-inline-producers, scop-collapse-loops, \
// RUN:     scop-form-launches, scop-build-constraint-tree{max-scenarios=2}))' \
// RUN:   | FileCheck %s

// Softmax.
//
// CHECK-LABEL: func.func @softmax(
// CHECK: scop.stmt @S0 domain [512]
// CHECK: scop.stmt @S1 domain [512, 1000]
// CHECK: scop.stmt @S2 domain [512, 1000]
// CHECK: scop.stmt @S3 domain [512]
// CHECK: scop.stmt @S4 domain [512, 1000]
// CHECK: scop.stmt @S5 domain [512, 1000]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S2[0] - 1 eq 0, @S2[1] eq 0, @S3[0] - 1 eq 0, @S4[0] - 1 eq 0, @S4[1] eq 0, @S5[0] - 1 eq 0, @S5[1] eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0, @S3], [@S1], [@S2, @S4], [@S5]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S2[0] eq 0, @S2[1] - 1 eq 0, @S3[0] eq 0, @S4[0] eq 0, @S4[1] - 1 eq 0, @S5[0] eq 0, @S5[1] - 1 eq 0] map thread_x vector 8 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0, @S1, @S2, @S5], [@S3, @S4]] {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S2[0] - 1 eq 0, @S2[1] eq 0, @S3[0] - 1 eq 0, @S4[0] - 1 eq 0, @S4[1] eq 0, @S5[0] - 1 eq 0, @S5[1] eq 0] coincidence all map thread_x {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0, @S3], [@S1], [@S2, @S4], [@S5]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S2[0] eq 0, @S2[1] - 1 eq 0, @S3[0] eq 0, @S4[0] eq 0, @S4[1] - 1 eq 0, @S5[0] eq 0, @S5[1] - 1 eq 0] map thread_y {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0, @S1, @S2, @S5], [@S3, @S4]] {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @softmax(%x: tensor<512x1000xf16>) -> tensor<512x1000xf16> {
  %e = tensor.empty() : tensor<512x1000xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<512x1000xf16>)
      outs(%e : tensor<512x1000xf16>) -> tensor<512x1000xf16>
  return %r : tensor<512x1000xf16>
}

// -----

// Layer norm.
//
// CHECK-LABEL: func.func @layer_norm(
// CHECK: scop.stmt @S0 domain [4096]
// CHECK: scop.stmt @S1 domain [4096, 768]
// CHECK: scop.stmt @S2 domain [4096, 768]
// CHECK: scop.stmt @S3 domain [4096]
// CHECK: scop.stmt @S4 domain [4096, 768]
// CHECK: scop.stmt @S5 domain [4096, 768]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S2[0] - 1 eq 0, @S2[1] eq 0, @S3[0] - 1 eq 0, @S4[0] - 1 eq 0, @S4[1] eq 0, @S5[0] - 1 eq 0, @S5[1] eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0, @S3], [@S1], [@S2, @S4], [@S5]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S2[0] eq 0, @S2[1] - 1 eq 0, @S3[0] eq 0, @S4[0] eq 0, @S4[1] - 1 eq 0, @S5[0] eq 0, @S5[1] - 1 eq 0] map thread_x vector 4 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0, @S1, @S2, @S5], [@S3, @S4]] {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S2[0] - 1 eq 0, @S2[1] eq 0, @S3[0] - 1 eq 0, @S4[0] - 1 eq 0, @S4[1] eq 0, @S5[0] - 1 eq 0, @S5[1] eq 0] coincidence all map thread_x {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0, @S3], [@S1], [@S2, @S4], [@S5]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S2[0] eq 0, @S2[1] - 1 eq 0, @S3[0] eq 0, @S4[0] eq 0, @S4[1] - 1 eq 0, @S5[0] eq 0, @S5[1] - 1 eq 0] map thread_y {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0, @S1, @S2, @S5], [@S3, @S4]] {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @layer_norm(%x: tensor<4096x768xf32>, %g: tensor<768xf32>) -> tensor<4096x768xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 768.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<4096x768xf32>
  %er = tensor.empty() : tensor<4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x768xf32>) outs(%z : tensor<4096xf32>) {
  ^bb0(%a: f32, %s: f32):
    %c = arith.addf %s, %a : f32
    linalg.yield %c : f32
  } -> tensor<4096xf32>
  %d = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4096x768xf32>, tensor<4096xf32>) outs(%e : tensor<4096x768xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %c = arith.subf %a, %m : f32
    linalg.yield %c : f32
  } -> tensor<4096x768xf32>
  %sq = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<4096x768xf32>) outs(%z : tensor<4096xf32>) {
  ^bb0(%a: f32, %s: f32):
    %p = arith.mulf %a, %a : f32
    %c = arith.addf %s, %p : f32
    linalg.yield %c : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%d, %sq, %g : tensor<4096x768xf32>, tensor<4096xf32>, tensor<768xf32>) outs(%e : tensor<4096x768xf32>) {
  ^bb0(%a: f32, %s: f32, %w: f32, %o: f32):
    %v = arith.divf %s, %n : f32
    %q = arith.addf %v, %eps : f32
    %i = math.rsqrt %q : f32
    %p = arith.mulf %a, %i : f32
    %c = arith.mulf %p, %w : f32
    linalg.yield %c : f32
  } -> tensor<4096x768xf32>
  return %r : tensor<4096x768xf32>
}

// -----

// Root mean square norm.
//
// CHECK-LABEL: func.func @root_mean_square_norm(
// CHECK: scop.stmt @S0 domain [4096]
// CHECK: scop.stmt @S1 domain [4096, 768]
// CHECK: scop.stmt @S2 domain [4096, 768]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S2[0] - 1 eq 0, @S2[1] eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1], [@S2]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S2[0] eq 0, @S2[1] - 1 eq 0] map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S2[0] - 1 eq 0, @S2[1] eq 0] coincidence all map thread_x {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1], [@S2]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S2[0] eq 0, @S2[1] - 1 eq 0] map thread_y {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @root_mean_square_norm(%x: tensor<4096x768xf32>, %g: tensor<768xf32>) -> tensor<4096x768xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 768.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<4096x768xf32>
  %er = tensor.empty() : tensor<4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %sq = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x768xf32>) outs(%z : tensor<4096xf32>) {
  ^bb0(%a: f32, %s: f32):
    %p = arith.mulf %a, %a : f32
    %c = arith.addf %s, %p : f32
    linalg.yield %c : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %sq, %g : tensor<4096x768xf32>, tensor<4096xf32>, tensor<768xf32>) outs(%e : tensor<4096x768xf32>) {
  ^bb0(%a: f32, %s: f32, %w: f32, %o: f32):
    %v = arith.divf %s, %n : f32
    %q = arith.addf %v, %eps : f32
    %i = math.rsqrt %q : f32
    %p = arith.mulf %a, %i : f32
    %c = arith.mulf %p, %w : f32
    linalg.yield %c : f32
  } -> tensor<4096x768xf32>
  return %r : tensor<4096x768xf32>
}

// -----

// Rows of 30,522 elements. Vectors of two are all that divides them, and as
// wide as four bytes, if these have two: masked ones of eight are worth it.
//
// CHECK-LABEL: func.func @odd_rows(
// CHECK: scop.tree {
// CHECK-NEXT: coincidence all map block {
// CHECK-NEXT: scop.sequence
// CHECK-NEXT: map thread_x vector 8 masked {

func.func @odd_rows(%x: tensor<512x30522xf16>) -> tensor<512x30522xf16> {
  %e = tensor.empty() : tensor<512x30522xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<512x30522xf16>)
      outs(%e : tensor<512x30522xf16>) -> tensor<512x30522xf16>
  return %r : tensor<512x30522xf16>
}

// -----

// With four bytes each they are not.
//
// CHECK-LABEL: func.func @odd_rows_of_words(
// CHECK: scop.tree {
// CHECK-NEXT: coincidence all map block {
// CHECK-NEXT: scop.sequence
// CHECK-NEXT: map thread_x vector 2 {

func.func @odd_rows_of_words(%x: tensor<512x30522xf32>) -> tensor<512x30522xf32> {
  %e = tensor.empty() : tensor<512x30522xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<512x30522xf32>)
      outs(%e : tensor<512x30522xf32>) -> tensor<512x30522xf32>
  return %r : tensor<512x30522xf32>
}

// -----

// Short rows: it is instructions that count. 49 elements are seven vectors of
// eight at most, for eight threads of a warp.
//
// CHECK-LABEL: func.func @short_rows(
// CHECK: scop.tree {
// CHECK-NEXT: coincidence all map block {
// CHECK-NEXT: scop.sequence
// CHECK-NEXT: map thread_x vector 8 masked {

func.func @short_rows(%x: tensor<200000x49xf16>) -> tensor<200000x49xf16> {
  %e = tensor.empty() : tensor<200000x49xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<200000x49xf16>)
      outs(%e : tensor<200000x49xf16>) -> tensor<200000x49xf16>
  return %r : tensor<200000x49xf16>
}

// -----

// 131 elements are up to 18 vectors, for 32 threads, of which almost half have
// nothing to do.
//
// CHECK-LABEL: func.func @rows_of_idle_threads(
// CHECK: scop.tree {
// CHECK-NEXT: coincidence all map block {
// CHECK-NEXT: scop.sequence
// CHECK-NEXT: map thread_x {

func.func @rows_of_idle_threads(%x: tensor<200000x131xf16>) -> tensor<200000x131xf16> {
  %e = tensor.empty() : tensor<200000x131xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<200000x131xf16>)
      outs(%e : tensor<200000x131xf16>) -> tensor<200000x131xf16>
  return %r : tensor<200000x131xf16>
}
