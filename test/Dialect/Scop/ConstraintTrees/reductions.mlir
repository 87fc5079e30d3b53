// Constraint trees of reductions.
//
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func( \
// RUN:     convert-linalg-to-scop, scop-inline-producers, scop-collapse-loops, \
// RUN:     scop-form-launches, scop-build-constraint-tree{max-scenarios=2}))' \
// RUN:   | FileCheck %s

// Rows.
//
// CHECK-LABEL: func.func @rows(
// CHECK: scop.stmt @S0 domain [4096]
// CHECK: scop.stmt @S1 domain [4096, 768]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] map thread_y {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @rows(%x: tensor<4096x768xf32>) -> tensor<4096xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4096x768xf32>) outs(%z : tensor<4096xf32>)
      dimensions = [1]
  return %r : tensor<4096xf32>
}

// -----

// Columns.
//
// CHECK-LABEL: func.func @columns(
// CHECK: scop.stmt @S0 domain [768]
// CHECK: scop.stmt @S1 domain [4096, 768]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] map thread_y {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @columns(%x: tensor<4096x768xf32>) -> tensor<768xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<768xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<768xf32>) -> tensor<768xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4096x768xf32>) outs(%z : tensor<768xf32>)
      dimensions = [0]
  return %r : tensor<768xf32>
}

// -----

// The middle dimension.
//
// CHECK-LABEL: func.func @the_middle_dimension(
// CHECK: scop.stmt @S0 domain [64, 768]
// CHECK: scop.stmt @S1 domain [64, 512, 768]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S1[2] eq 0] coincidence all map block {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S1[0] eq 0, @S1[1] eq 0, @S1[2] - 1 eq 0] coincidence all map thread_x vector 8 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S1[2] eq 0] map thread_y {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] - 1 eq 0, @S1[0] eq 0, @S1[1] eq 0, @S1[2] - 1 eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S0[1] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S1[2] eq 0] map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @the_middle_dimension(%x: tensor<64x512x768xf16>) -> tensor<64x768xf16> {
  %c = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x768xf16>
  %z = linalg.fill ins(%c : f16) outs(%e : tensor<64x768xf16>) -> tensor<64x768xf16>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<64x512x768xf16>) outs(%z : tensor<64x768xf16>)
      dimensions = [1]
  return %r : tensor<64x768xf16>
}

// -----

// Everything.
//
// CHECK-LABEL: func.func @everything(
// CHECK: scop.stmt @S0 domain []
// CHECK: scop.stmt @S1 domain [1024]
// CHECK: scop.tree {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S1[0] - 1 eq 0] map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @everything(%x: tensor<1024xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<1024xf32>) outs(%z : tensor<f32>)
      dimensions = [0]
  return %r : tensor<f32>
}

// -----

// All but channels.
//
// CHECK-LABEL: func.func @all_but_channels(
// CHECK: scop.stmt @S0 domain [64]
// CHECK: scop.stmt @S1 domain [32, 64, 3136]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0, @S1[2] eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S1[2] eq 0] map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] eq 0, @S1[2] - 1 eq 0] map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] eq 0, @S1[2] - 1 eq 0] map thread_y {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0, @S1[2] eq 0] map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @all_but_channels(%x: tensor<32x64x56x56xf32>) -> tensor<64xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<32x64x56x56xf32>) outs(%z : tensor<64xf32>)
      dimensions = [0, 2, 3]
  return %r : tensor<64xf32>
}

// -----

// Maxima of rows of 30522 = 2 mod 4 elements: vectors of two.
//
// CHECK-LABEL: func.func @maxima_of_rows_of_mod_elements(
// CHECK: scop.stmt @S0 domain [160]
// CHECK: scop.stmt @S1 domain [160, 30522]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] map thread_x vector 2 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] map thread_y {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @maxima_of_rows_of_mod_elements(%x: tensor<160x30522xf32>) -> tensor<160xf32> {
  %c = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<160xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<160xf32>) -> tensor<160xf32>
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<160x30522xf32>) outs(%z : tensor<160xf32>)
      dimensions = [1]
  return %r : tensor<160xf32>
}

// -----

// Rows and columns: two launches.
//
// CHECK-LABEL: func.func @rows_and_columns(
// CHECK: scop.stmt @S0 domain [4096]
// CHECK: scop.stmt @S1 domain [4096, 768]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] map thread_x vector 4 {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] map thread_y {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: scop.stmt @S0 domain [768]
// CHECK: scop.stmt @S1 domain [4096, 768]
// CHECK: scop.tree {
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] coincidence all map thread_x vector 4 {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] map thread_y {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: scop.linear constraints [@S0[0] - 1 eq 0, @S1[0] eq 0, @S1[1] - 1 eq 0] coincidence all map block {
// CHECK-NEXT{LITERAL}: scop.sequence [[@S0], [@S1]] {
// CHECK-NEXT: scop.linear constraints [@S0[0] eq 0, @S1[0] - 1 eq 0, @S1[1] eq 0] map thread_x {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }

func.func @rows_and_columns(%x: tensor<4096x768xf32>) -> (tensor<4096xf32>, tensor<768xf32>) {
  %c = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<4096xf32>
  %zr = linalg.fill ins(%c : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %rows = linalg.reduce { arith.addf } ins(%x : tensor<4096x768xf32>)
      outs(%zr : tensor<4096xf32>) dimensions = [1]
  %ec = tensor.empty() : tensor<768xf32>
  %zc = linalg.fill ins(%c : f32) outs(%ec : tensor<768xf32>) -> tensor<768xf32>
  %columns = linalg.reduce { arith.addf } ins(%x : tensor<4096x768xf32>)
      outs(%zc : tensor<768xf32>) dimensions = [0]
  return %rows, %columns : tensor<4096xf32>, tensor<768xf32>
}
