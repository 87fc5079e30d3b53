// RUN: grout-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{has 0 arguments, fewer than its 1 inputs}}
launch.plan @f inputs 1 {
}

// -----

// expected-error @+1 {{argument 0 must be a dense static memref, but is 'memref<?xf32>'}}
launch.plan @f inputs 1 {
^bb0(%x: memref<?xf32>):
}

// -----

launch.plan @f inputs 0 {
  // expected-error @+1 {{is not allowed in a plan}}
  %c = arith.constant 1 : i32
}

// -----

launch.plan @f inputs 0 {
  // expected-error @+1 {{must be dense}}
  %h = launch.buffer "h" : memref<64x64xf32, strided<[128, 1]>>
}

// -----

launch.plan @f inputs 0 {
  // expected-error @+1 {{value of type 'tensor<3xf32>' does not fit 'memref<2xf32>'}}
  %c = launch.buffer "c" value dense<1.0> : tensor<3xf32> : memref<2xf32>
}

// -----

launch.plan @f inputs 0 {
  // expected-error @+1 {{result #0 must be statically shaped memref of}}
  %h = launch.buffer "h" : memref<64xi4>
}

// -----

launch.plan @f inputs 0 {
  // expected-error @+1 {{result #0 must be statically shaped memref of}}
  %h = launch.buffer "h" : memref<64xui8>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{argument 0 names buffer 1 of 1}}
  launch.kernel "k" @m [@e] (%x) args [#launch.arg<buffer, operand = 1>] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs an entry point}}
  launch.kernel "k" @m [] (%x) args [] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs grids of 1 to 3 extents}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs grid extents between 1 and 2^31 - 1}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[0]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs exactly one grid without an order}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[1], [1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs clusters of 1 to 8 blocks, got 0}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {cluster = 0 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs clusters of 1 to 8 blocks, got 16}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[16]] order [affine_map<(i) -> (i)>] {cluster = 16 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs debug_sync_milliseconds of 32 bits, got -1}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {debug_sync_milliseconds = -1 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has parts of 5 blocks in all, but a grid of 4}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[2, 2]] {parts = array<i64: 2, 3>} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has a part of 0 blocks}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[4]] {parts = array<i64: 4, 0>} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has parts, but no fixed grid}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[4]] order [affine_map<(i) -> (i)>] {parts = array<i64: 4>} : memref<4xf32>
}

// -----

// Tiles are as many as there are; blocks of a fixed grid make whole clusters.
launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  launch.kernel "k" @m [@e] (%x) args [] grids [[5]] order [affine_map<(i) -> (i)>] {cluster = 2 : i64} : memref<4xf32>
  // expected-error @+1 {{cannot divide a grid of 5 blocks into clusters of 2}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[5]] {cluster = 2 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has 2 grids, but 1 orders}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[1], [1]] order [affine_map<(i) -> (i)>] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{order 0 does not take the coordinates of its grid}}
  launch.kernel "k" @m [@e] (%x) args [] grids [[1, 2]] order [affine_map<(i) -> (i)>] : memref<4xf32>
}

// -----

// expected-error @+1 {{buffer needs an operand}}
func.func private @a() attributes { a = #launch.arg<buffer> }

// -----

// expected-error @+1 {{semaphores needs a launch}}
func.func private @a() attributes { a = #launch.arg<semaphores> }

// -----

// expected-error @+1 {{sync_state takes no launch}}
func.func private @a() attributes { a = #launch.arg<sync_state, launch = 0> }

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  launch.kernel "a" @m [@a] (%x) args [#launch.arg<sync_state>] grids [[1]] : memref<4xf32>
  // expected-error @+1 {{uses the semaphores of launch 1, which does not come before it}}
  launch.kernel "b" @m [@b] (%x) args [#launch.arg<semaphores, launch = 1>] grids [[1]] : memref<4xf32>
}

// -----

// expected-error @+1 {{sync_state takes no operand}}
func.func private @a() attributes { a = #launch.arg<sync_state, operand = 0> }

// -----

// expected-error @+1 {{negative offset: -4}}
func.func private @a() attributes { a = #launch.arg<buffer, operand = 0, offset = -4> }

// -----

// expected-error @+1 {{buffer takes no sizes, strides or box}}
func.func private @a() attributes { a = #launch.arg<buffer, operand = 0, sizes = [4]> }

// -----

// expected-error @+1 {{tensor_map needs 1 to 5 dimensions, got 0}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0> }

// -----

// expected-error @+1 {{tensor_map needs a box of as many dimensions as sizes, and one stride less}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [4, 4], strides = [16], box = [4]> }

// -----

// expected-error @+1 {{box extents must be in 1..256, got 512}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [1024], box = [512]> }

// -----

// expected-error @+1 {{strides must be positive multiples of 16 bytes, got 24}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [4, 4], strides = [24], box = [4, 4]> }

// -----

// expected-error @+1 {{unknown field 'colour'}}
func.func private @a() attributes { a = #launch.arg<buffer, colour = 1> }
