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
  %t = launch.kernel "k" @m [@e] (%x) args [#launch.arg<buffer, operand = 1>] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs an entry point}}
  %t = launch.kernel "k" @m [] (%x) args [] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs grids of 1 to 3 extents}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs grid extents between 1 and 2^31 - 1}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[0]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs exactly one grid without an order}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1], [1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs cluster between 1 and 8, got 0}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {cluster = 0 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs cluster between 1 and 8, got 16}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[16]] order [affine_map<(i) -> (i)>] {cluster = 16 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs debug_sync_milliseconds between 0 and 4294967295, got -1}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {debug_sync_milliseconds = -1 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs residents between 1 and 4294967295, got -3}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {residents = -3 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs block between 0 and 1024, got -1}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {block = -1 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs block between 0 and 1024, got 1056}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {block = 1056 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs shared_memory between 0 and 232448, got -5}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {shared_memory = -5 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{needs blocks_per_processor between 1 and 32, got 0}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1]] {blocks_per_processor = 0 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has a grid of more than 2^63 blocks}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[2147483647, 2147483647, 4]] {parts = array<i64: 4>} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has parts of 5 blocks in all, but a grid of 4}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[2, 2]] {parts = array<i64: 2, 3>} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has a part of 0 blocks}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[4]] {parts = array<i64: 4, 0>} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has parts, but no fixed grid}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[4]] order [affine_map<(i) -> (i)>] {parts = array<i64: 4>} : memref<4xf32>
}

// -----

// Tiles are as many as there are; blocks of a fixed grid make whole clusters.
launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %t0 = launch.kernel "k" @m [@e] (%x) args [] grids [[5]] order [affine_map<(i) -> (i)>] {cluster = 2 : i64} : memref<4xf32>
  // expected-error @+1 {{cannot divide a grid of 5 blocks into clusters of 2}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[5]] {cluster = 2 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has 2 grids, but 1 orders}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1], [1]] order [affine_map<(i) -> (i)>] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{order 0 does not take the coordinates of its grid}}
  %t = launch.kernel "k" @m [@e] (%x) args [] grids [[1, 2]] order [affine_map<(i) -> (i)>] : memref<4xf32>
}

// -----

// expected-error @+1 {{buffer needs an operand}}
func.func private @a() attributes { a = #launch.arg<buffer> }

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %s = launch.semaphores 1
  // expected-error @+1 {{is the first that uses its semaphores, and has them itself}}
  %t = launch.kernel "a" @m [@a] (%x) uses(%s) args [#launch.arg<sync_state>, #launch.arg<semaphores>] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %s = launch.semaphores 1
  %t0 = launch.kernel "a" @m [@a] (%x) uses(%s) args [#launch.arg<sync_state>] grids [[1]] : memref<4xf32>
  // expected-error @+1 {{uses semaphores of another launch, but no argument passes them}}
  %t = launch.kernel "b" @m [@b] (%x) uses(%s) args [#launch.arg<sync_state>] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has an argument for semaphores, but uses none}}
  %t = launch.kernel "b" @m [@b] (%x) args [#launch.arg<semaphores>] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %start = launch.start
  // expected-error @+1 {{unknown edge 'sideways'}}
  %t = launch.kernel "b" @m [@b] (%x) after sideways(%start) args [] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %start = launch.start
  // expected-error @+1 {{has 1 tokens, but 0 edges}}
  %t = "launch.kernel"(%x, %start) <{name = "b", module = @m, entries = [@b], args = [], grids = [[1]], edges = array<i32>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<4xf32>, !launch.token) -> !launch.token
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %start = launch.start
  // expected-error @+1 {{has an unknown edge 7}}
  %t = "launch.kernel"(%x, %start) <{name = "b", module = @m, entries = [@b], args = [], grids = [[1]], edges = array<i32: 7>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<4xf32>, !launch.token) -> !launch.token
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{writes must be ascending numbers of 1 buffers, but has 1}}
  %t = launch.kernel "b" @m [@b] (%x) writes [1] args [] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{early must be ascending numbers of 1 buffers, but has 0}}
  %t = launch.kernel "b" @m [@b] (%x) early [0, 0] args [] grids [[1]] : memref<4xf32>
}

// -----

// Whoever reads what a launch writes is ordered after it.

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-note @+1 {{which is this one}}
  %t0 = launch.kernel "a" @m [@a] (%x, %y) writes [1] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  // expected-error @+1 {{reads a buffer, and is not ordered after a launch that accesses it before}}
  %t1 = launch.kernel "b" @m [@b] (%y) args [] grids [[1]] : memref<4xf32>
}

// -----

// An order of launches is none of what they do.

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-note @+1 {{which is this one}}
  %t0 = launch.kernel "a" @m [@a] (%x, %y) writes [1] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  // expected-error @+1 {{reads a buffer, and is not ordered after a launch that accesses it before}}
  %t1 = launch.kernel "b" @m [@b] (%y) after launch_order(%t0) args [] grids [[1]] : memref<4xf32>
}

// -----

// Tiles that wait before they read do not wait before they write.

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-note @+1 {{which is this one}}
  %t0 = launch.kernel "a" @m [@a] (%x, %y) args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  // expected-error @+1 {{writes a buffer, and is not ordered after a launch that accesses it before}}
  %t1 = launch.kernel "b" @m [@b] (%y) writes [0] after tile(%t0) args [] grids [[1]] : memref<4xf32>
}

// -----

// A programmatic edge is a wait, but not for what is read early.

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
  // expected-note @+1 {{which is this one}}
  %t0 = launch.kernel "a" @m [@a] (%x, %y) writes [1] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  %t1 = launch.kernel "b" @m [@b] (%y, %z) writes [1] after programmatic(%t0) early [] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  // Nothing is read of "b" here: it has waited for "a" before it let this one start.
  %t2 = launch.kernel "c" @m [@c] (%y) after launch_order(%t1) early [0] args [] grids [[1]] : memref<4xf32>
  // expected-error @+1 {{may read a buffer before it has waited for the launch that writes it}}
  %t3 = launch.kernel "d" @m [@d] (%y) after programmatic(%t0) early [0] args [] grids [[1]] : memref<4xf32>
}

// -----

// What triggers before it waits has not waited when others start after it.

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
  // expected-note @+1 {{which is this one}}
  %t0 = launch.kernel "a" @m [@a] (%x, %y) writes [1] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  %t1 = launch.kernel "b" @m [@b] (%y, %z) writes [1] after programmatic(%t0) early [] args [] grids [[1]] {triggers_before_wait} : memref<4xf32>, memref<4xf32>
  // This one has waited for both.
  %t2 = launch.kernel "c" @m [@c] (%y) after programmatic(%t1) early [] args [] grids [[1]] : memref<4xf32>
  %t3 = launch.kernel "d" @m [@d] (%y) after programmatic(%t2) early [0] args [] grids [[1]] : memref<4xf32>
  // expected-error @+1 {{may read a buffer before it has waited for the launch that writes it}}
  %t4 = launch.kernel "e" @m [@e] (%y) after programmatic(%t1) early [0] args [] grids [[1]] : memref<4xf32>
}

// -----

// Nor has it waited for what precedes the plan.

launch.plan @f inputs 2 {
^bb0(%x: memref<4xf32>, %w: memref<4xf32>, %y: memref<4xf32>):
  %start = launch.start
  // expected-error @+1 {{triggers others before it has waited for what precedes the plan, of which they know nothing}}
  %t0 = launch.kernel "a" @m [@a] (%x, %y) writes [1] after programmatic(%start) args [] grids [[1]] {triggers_before_wait} : memref<4xf32>, memref<4xf32>
}

// -----

// A launch whose tiles wait has not waited for the launch before it when others
// start after it.

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
  // expected-note @+1 {{which is this one}}
  %t0 = launch.kernel "a" @m [@a] (%x, %y) writes [1] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  %t1 = launch.kernel "b" @m [@b] (%y, %z) writes [1] after tile(%t0) early [] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  // expected-error @+1 {{may read a buffer before it has waited for the launch that writes it}}
  %t2 = launch.kernel "c" @m [@c] (%y) after launch_order(%t1) early [0] args [] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  // expected-error @+1 {{has 1 inputs, but its body takes 0}}
  %t = launch.tiles "a" ins(%x) outs(%out) : (memref<64x64xf16>) -> memref<64x64xf16> {
    %y = tensor.empty() : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  // expected-error @+1 {{argument 0 is 'tensor<64xf16>', which is not all of 'memref<64x64xf16>'}}
  %t = launch.tiles "a" ins(%x) outs(%out) : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64xf16>):
    %y = tensor.empty() : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  // expected-error @+1 {{has 1 outputs, and must yield as many tensors}}
  %t = launch.tiles "a" ins(%x) outs(%out) : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    launch.yield
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  // expected-error @+1 {{output 0 is 'tensor<64xf16>', which is not all of 'memref<64x64xf16>'}}
  %t = launch.tiles "a" ins(%x) outs(%out) : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tensor.empty() : tensor<64xf16>
    launch.yield %y : tensor<64xf16>
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  // expected-error @+1 {{has no tile kernel}}
  %t = launch.tiles "a" ins(%x) outs(%out) : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    launch.yield %a : tensor<64x64xf16>
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  // expected-error @+1 {{has 1 tile kernels, but an order for 2}}
  %t = launch.tiles "a" ins(%x) outs(%out) order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  // expected-error @+1 {{needs at least one resident tile}}
  %t = launch.tiles "a" ins(%x) outs(%out) attributes {residents = -1 : i64}
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  %s = launch.semaphores 1
  %t = launch.tiles "a" ins(%x) outs(%out) uses(%s)
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{begins at semaphore 1, and has 1, but its launch uses 1}}
    tsync.post_tiles %y base 1 semaphore affine_map<(i, j) -> (i)> shape [1]
      : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  %t = launch.tiles "a" ins(%x) outs(%out)
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{begins at semaphore 0, and has 1, but its launch uses 0}}
    tsync.wait_tiles %y operand 0 base 0 policy
      <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
       lower = affine_map<(i, j, k) -> (i)>,
       upper = affine_map<(i, j, k) -> (i)>> : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

// expected-error @+1 {{sync_state takes no operand}}
func.func private @a() attributes { a = #launch.arg<sync_state, operand = 0> }

// -----

// expected-error @+1 {{negative offset: -4}}
func.func private @a() attributes { a = #launch.arg<buffer, operand = 0, offset = -4> }

// -----

// expected-error @+1 {{buffer takes no sizes, strides, box or im2col}}
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

// expected-error @+1 {{im2col needs corners and steps of 1 to 3 dimensions}}
func.func private @a() attributes { a = #launch.im2col<lower = [0, 0, 0, 0], upper = [0, 0, 0, 0], steps = [1, 1, 1, 1]> }

// -----

// expected-error @+1 {{im2col needs corners and steps of 1 to 3 dimensions}}
func.func private @a() attributes { a = #launch.im2col<lower = [-1, -1], upper = [-1], steps = [1, 1]> }

// -----

// expected-error @+1 {{im2col needs corners and steps of 1 to 3 dimensions}}
func.func private @a() attributes { a = #launch.im2col<lower = [-1, -1], upper = [-1, -1], steps = [1, 1, 1]> }

// -----

// expected-error @+1 {{im2col needs corners from -128 to 127 in 2 dimensions, got -129}}
func.func private @a() attributes { a = #launch.im2col<lower = [0, -129], upper = [-1, -1], steps = [1, 1]> }

// -----

// expected-error @+1 {{im2col needs corners from -128 to 127 in 2 dimensions, got 128}}
func.func private @a() attributes { a = #launch.im2col<lower = [-1, -1], upper = [128, 0], steps = [1, 1]> }

// -----

// expected-error @+1 {{im2col needs corners from -32768 to 32767 in 1 dimensions, got -32769}}
func.func private @a() attributes { a = #launch.im2col<lower = [-32769], upper = [0], steps = [1]> }

// -----

// expected-error @+1 {{im2col needs corners from -16 to 15 in 3 dimensions, got 16}}
func.func private @a() attributes { a = #launch.im2col<lower = [0, 0, 0], upper = [0, 16, 0], steps = [1, 1, 1]> }

// -----

// expected-error @+1 {{im2col needs steps from 1 to 8, got 0}}
func.func private @a() attributes { a = #launch.im2col<lower = [-1, -1], upper = [-1, -1], steps = [1, 0]> }

// -----

// expected-error @+1 {{im2col needs steps from 1 to 8, got 9}}
func.func private @a() attributes { a = #launch.im2col<lower = [-1, -1], upper = [-1, -1], steps = [9, 1]> }

// -----

// expected-error @+1 {{buffer takes no sizes, strides, box or im2col}}
func.func private @a() attributes { a = #launch.arg<buffer, operand = 0, im2col = <lower = [-1], upper = [0], steps = [1]>> }

// -----

// expected-error @+1 {{im2col of 2 dimensions needs a tensor_map of two more, got 3}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 2], strides = [16, 64], box = [8, 4], im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>> }

// -----

// expected-error @+1 {{im2col of 1 dimensions needs a tensor_map of two more, got 4}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 4, 2], strides = [16, 64, 256], box = [8, 4], im2col = <lower = [-1], upper = [0], steps = [1]>> }

// -----

// expected-error @+1 {{tensor_map needs a box of channels and pixels, and one stride less than sizes}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 4, 2], strides = [16, 64, 256], box = [8, 4, 4, 2], im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>> }

// -----

// expected-error @+1 {{tensor_map needs a box of channels and pixels, and one stride less than sizes}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 4, 2], strides = [16, 64], box = [8, 4], im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>> }

// -----

// expected-error @+1 {{box extents must be in 1..256, got 257}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 4, 2], strides = [16, 64, 256], box = [257, 4], im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>> }

// -----

// expected-error @+1 {{box extents must be in 1..1024, got 1025}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 4, 2], strides = [16, 64, 256], box = [8, 1025], im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>> }

// -----

// expected-error @+1 {{box extents must be in 1..1024, got 0}}
func.func private @a() attributes { a = #launch.arg<tensor_map, operand = 0, sizes = [8, 4, 4, 2], strides = [16, 64, 256], box = [8, 0], im2col = <lower = [-1, -1], upper = [-1, -1], steps = [1, 1]>> }

// -----

// expected-error @+1 {{unknown field 'colour'}}
func.func private @a() attributes { a = #launch.arg<buffer, colour = 1> }

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %start = launch.start
  // expected-error @+1 {{starts before what precedes the plan has ended, so it must wait for that first: by an edge programmatic, and without early reads}}
  %t = launch.kernel "a" @m [@a] (%x) after launch_order(%start) args [] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %start = launch.start
  // expected-error @+1 {{starts before what precedes the plan has ended, so it must wait for that first: by an edge programmatic, and without early reads}}
  %t = launch.kernel "a" @m [@a] (%x) after programmatic(%start) early [0] args [] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  %start = launch.start
  // expected-error @+1 {{starts when launches before have ended, and takes full edges only}}
  %t = launch.tiles "a" ins(%x) outs(%out) after programmatic(%start)
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %h: memref<64x64xf16>, %out: memref<64x64xf16>):
  %t0 = launch.kernel "a" @m [@a] (%x, %h) writes [1] args [] grids [[1]] : memref<64x64xf16>, memref<64x64xf16>
  // expected-error @+1 {{triggers the next launch at its entry, but waits for launches later}}
  %t = launch.tiles "b" ins(%h) outs(%out) after programmatic(%t0) starts_early
      early [] trigger(at_entry) : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

// An edge by tile counts only if tiles wait, for all that is read: here one of
// two operands, which is made of the same input.

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %h: memref<64x64xf16>, %out: memref<64x64xf16>):
  %s = launch.semaphores 1
  // expected-note @+1 {{which is this one}}
  %t0 = launch.tiles "a" ins(%x) outs(%h) uses(%s)
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.post_tiles %y base 0 semaphore affine_map<(i, j) -> (0)> shape [1]
      : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  // expected-error @+1 {{reads a buffer, and is not ordered after a launch that accesses it before}}
  %t = launch.tiles "b" ins(%h) outs(%out) after tile(%t0) uses(%s)
      starts_early early [] : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %part = tensor.extract_slice %a[0, 0] [64, 64] [1, 1]
      : tensor<64x64xf16> to tensor<64x64xf16>
    %y = tgemm.matmul %a, %part {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.wait_tiles %y operand 0 base 0 policy
      <semaphore = affine_map<(i, j) -> (0)>, shape = [1], counts = [1],
       lower = affine_map<(i, j, k) -> (0)>,
       upper = affine_map<(i, j, k) -> (0)>> : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

// The same, where nobody posts what they wait for.

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %h: memref<64x64xf16>, %out: memref<64x64xf16>):
  %s = launch.semaphores 1
  // expected-note @+1 {{which is this one}}
  %t0 = launch.tiles "a" ins(%x) outs(%h) uses(%s)
      : (memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %a {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
  // expected-error @+1 {{reads a buffer, and is not ordered after a launch that accesses it before}}
  %t = launch.tiles "b" ins(%h, %x) outs(%out) after tile(%t0) uses(%s)
      starts_early early [1] : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.wait_tiles %y operand 0 base 0 policy
      <semaphore = affine_map<(i, j) -> (0)>, shape = [1], counts = [1],
       lower = affine_map<(i, j, k) -> (0)>,
       upper = affine_map<(i, j, k) -> (0)>> : tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

// expected-error @+1 {{in_place has 2 numbers for 1 outputs}}
launch.plan @f inputs 1 in_place [0, -1] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
}

// -----

// expected-error @+1 {{output 0 cannot be in place of input 1: there are 1 inputs}}
launch.plan @f inputs 1 in_place [1] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
}

// -----

// expected-error @+1 {{output 1 cannot be in place of input 0: another output is}}
launch.plan @f inputs 1 in_place [0, 0] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
}

// -----

// expected-error @+1 {{output 0 cannot be in place of input 0: it is 'memref<8xf32>', not 'memref<4xf32>'}}
launch.plan @f inputs 1 in_place [0] {
^bb0(%x: memref<4xf32>, %y: memref<8xf32>):
}

// -----

// expected-error @+1 {{output 0 cannot be in place of input 0: launches use that, instead of the output}}
launch.plan @f inputs 1 in_place [0] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  launch.kernel "f" @kernels [@f] (%x, %y) writes [1]
    args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>] grids [[1]]
    : memref<4xf32>, memref<4xf32>
}

// -----

launch.plan @f inputs 0 {
  %c = launch.buffer "c" : memref<64x96xf32>
  %p = launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1]>>
  // expected-error @+1 {{'launch.part' op must be of a whole buffer, not of a part}}
  launch.part %p : memref<64x32xf32, strided<[96, 1]>> as memref<4xf32>
}

// -----

launch.plan @f inputs 0 {
  %c = launch.buffer "c" value dense<1.0> : tensor<4xf32> : memref<4xf32>
  // expected-error @+1 {{'launch.part' op must not be of a constant}}
  launch.part %c : memref<4xf32> as memref<2xf32>
}

// -----

launch.plan @f inputs 0 {
  %c = launch.buffer "c" : memref<4xf32>
  // expected-error @+1 {{'launch.part' op has elements of 'f16', but its buffer has 'f32'}}
  launch.part %c : memref<4xf32> as memref<2xf16>
}

// -----

launch.plan @f inputs 0 {
  %c = launch.buffer "c" : memref<64x96xf32>
  // expected-error @+1 {{'launch.part' op must have static strides, but is 'memref<64x32xf32, strided<[?, 1]>>'}}
  launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[?, 1]>>
}

// -----

launch.plan @f inputs 0 {
  %c = launch.buffer "c" : memref<64x96xf32>
  // expected-error @+1 {{'launch.part' op is not inside of 'memref<64x96xf32>': 'memref<64x32xf32, strided<[96, 1], offset: 65>>'}}
  launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1], offset: 65>>
}

// -----

// The parts have columns 0 to 31, and 31 to 62.
launch.plan @f inputs 0 {
  %c = launch.buffer "c" : memref<64x96xf32>
  %p = launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1]>>
  %q = launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1], offset: 31>>
  // expected-note @+1 {{which is this one}}
  launch.kernel "p" @kernels [@f] (%p) writes [0]
    args [#launch.arg<buffer, operand = 0>] grids [[1]] : memref<64x32xf32, strided<[96, 1]>>
  // expected-error @+1 {{writes a buffer, and is not ordered after a launch that accesses it before}}
  launch.kernel "q" @kernels [@f] (%q) writes [0]
    args [#launch.arg<buffer, operand = 0>] grids [[1]] : memref<64x32xf32, strided<[96, 1], offset: 31>>
}

// -----

launch.plan @f inputs 0 {
  %c = launch.buffer "c" : memref<64x96xf32>
  %d = launch.buffer "d" : memref<4xf32>
  %p = launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1]>>
  // expected-note @+1 {{which is this one}}
  launch.kernel "p" @kernels [@f] (%p) writes [0]
    args [#launch.arg<buffer, operand = 0>] grids [[1]] : memref<64x32xf32, strided<[96, 1]>>
  // expected-error @+1 {{reads a buffer, and is not ordered after a launch that accesses it before}}
  launch.kernel "c" @kernels [@f] (%c, %d) writes [1]
    args [#launch.arg<buffer, operand = 0>] grids [[1]] : memref<64x96xf32>, memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>):
  %c = launch.buffer "c" : memref<64x128xf16>
  %p = launch.part %c : memref<64x128xf16> as memref<64x64xf16, strided<[128, 1]>>
  // expected-error @+1 {{is 'tensor<32x128xf16>', which is not all of 'memref<64x64xf16, strided<[128, 1]>>'}}
  launch.tiles "t" ins(%x) outs(%p) : (memref<64x64xf16>) -> memref<64x64xf16, strided<[128, 1]>> {
  ^bb0(%a: tensor<32x128xf16>):
    launch.yield %a : tensor<32x128xf16>
  }
}

// -----

// expected-error @+1 {{'launch.plan' op has an output 0 of which its launches write nothing; a launch must write each output}}
launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>, %out: memref<4xf32>):
}

// -----

// An output in place of an input has what that has.
// expected-error @+1 {{has an output 1 of which its launches write nothing}}
launch.plan @f inputs 1 in_place [0, -1] {
^bb0(%x: memref<4xf32>, %out0: memref<4xf32>, %out1: memref<4xf32>):
}

// -----

launch.plan @f inputs 0 {
^bb0(%out: memref<4xf32>):
  // expected-note @+1 {{the buffer is here}}
  %h = launch.buffer "h" : memref<4xf32>
  // expected-error @+1 {{'launch.kernel' op reads a buffer of which the launches before it write nothing; what a launch reads must be an input, a constant, or written before}}
  %t = launch.kernel "reads" @m [@e] (%h, %out) writes [1] args [] grids [[1]] : memref<4xf32>, memref<4xf32>
  %t1 = launch.kernel "writes" @m [@e] (%h) writes [0] after full(%t) args [] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64x64xf16>, %out: memref<64x64xf16>):
  // expected-note @+1 {{the buffer is here}}
  %h = launch.buffer "h" : memref<64x64xf16>
  // expected-error @+1 {{'launch.tiles' op reads a buffer of which the launches before it write nothing}}
  launch.tiles "t" ins(%x, %h) outs(%out) : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf16> {
  ^bb0(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>):
    %y = tgemm.matmul %a, %b {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    launch.yield %y : tensor<64x64xf16>
  }
}

// -----

// Two of three parts, of which one is written twice.
launch.plan @f inputs 0 {
^bb0(%out: memref<64x96xf32>):
  // expected-note @+1 {{the buffer is here}}
  %c = launch.buffer "c" : memref<64x96xf32>
  %p = launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1]>>
  %q = launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1], offset: 32>>
  %again = launch.part %c : memref<64x96xf32> as memref<64x32xf32, strided<[96, 1], offset: 32>>
  %t0 = launch.kernel "p" @m [@e] (%p) writes [0] args [] grids [[1]] : memref<64x32xf32, strided<[96, 1]>>
  %t1 = launch.kernel "q" @m [@e] (%q) writes [0] args [] grids [[1]] : memref<64x32xf32, strided<[96, 1], offset: 32>>
  %t2 = launch.kernel "again" @m [@e] (%again) writes [0] after full(%t1) args [] grids [[1]] : memref<64x32xf32, strided<[96, 1], offset: 32>>
  // expected-error @+1 {{reads a buffer of which the launches before it write 4096 of 6144 elements}}
  launch.kernel "c" @m [@e] (%c, %out) writes [1] after full(%t0), full(%t2) args [] grids [[1]] : memref<64x96xf32>, memref<64x96xf32>
}

// -----

// expected-error @+1 {{has an output 0 of which its launches write 2 of 4 elements}}
launch.plan @f inputs 0 {
^bb0(%out: memref<4xf32>):
  %p = launch.part %out : memref<4xf32> as memref<2xf32, strided<[1], offset: 2>>
  launch.kernel "p" @m [@e] (%p) writes [0] args [] grids [[1]] : memref<2xf32, strided<[1], offset: 2>>
}

// -----

launch.plan @f inputs 0 {
^bb0(%out: memref<64xf32>):
  // expected-error @+1 {{is at byte 100 of the workspace; a place is a multiple of 256}}
  %h = launch.buffer "h" at 100 : memref<64xf32>
}

// -----

launch.plan @f inputs 0 {
^bb0(%out: memref<64xf32>):
  // expected-error @+1 {{is a constant, which has no place in the workspace}}
  %h = launch.buffer "h" value dense<1.0> : tensor<64xf32> at 256 : memref<64xf32>
}

// -----

// A neighbour that is still to be read is destroyed.
launch.plan @f inputs 1 {
^bb0(%x: memref<128xf32>, %out: memref<128xf32>):
  // expected-note @+1 {{is here}}
  %a = launch.buffer "a" at 0 : memref<128xf32>
  // expected-error @+1 {{'b' has bytes of buffer 'a', and a launch may write buffer 'b' before all launches that use buffer 'a' have ended; give the buffer another place}}
  %b = launch.buffer "b" at 256 : memref<128xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %a) writes [1] args [] grids [[1]] : memref<128xf32>, memref<128xf32>
  %1 = launch.kernel "1" @m [@e] (%a, %b) writes [1] after full(%0) args [] grids [[1]] : memref<128xf32>, memref<128xf32>
  %2 = launch.kernel "2" @m [@e] (%a, %b, %out) writes [2] after full(%1) args [] grids [[1]] : memref<128xf32>, memref<128xf32>, memref<128xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64xf32>, %out: memref<64xf32>):
  // expected-error @+1 {{is in argument 0, which is no output of the plan that holds nothing at first}}
  %h = launch.buffer "h" at 0 of argument 0 : memref<64xf32>
}

// -----

launch.plan @f inputs 1 in_place [0] {
^bb0(%x: memref<64xf32>, %out: memref<64xf32>):
  // expected-error @+1 {{is in argument 1, which is no output of the plan that holds nothing at first}}
  %h = launch.buffer "h" at 0 of argument 1 : memref<64xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64xf32>, %out: memref<64xf32>):
  // expected-error @+1 {{is in argument 2, which is no output}}
  %h = launch.buffer "h" at 0 of argument 2 : memref<64xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64xf32>, %out: memref<64xf32>):
  // expected-error @+1 {{is in argument 1, but at none of its bytes}}
  %h = "launch.buffer"() <{name = "h", argument = 1 : i64}> : () -> memref<64xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64xf32>, %out: memref<128xf32>):
  // expected-error @+1 {{is in argument 1, which has 512 bytes, at byte 128; a place is a multiple of 256}}
  %h = launch.buffer "h" at 128 of argument 1 : memref<64xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<64xf32>, %out: memref<127xf32>):
  // expected-error @+1 {{is in argument 1, which has 508 bytes, at byte 256; a place is a multiple of 256, and a buffer ends where its output does}}
  %h = launch.buffer "h" at 256 of argument 1 : memref<64xf32>
}

// -----

launch.plan @f inputs 0 {
^bb0(%out: memref<256xindex>):
  // expected-error @+1 {{is in argument 0, which has elements of 'index', which an artifact cannot hold}}
  %h = launch.buffer "h" at 0 of argument 0 : memref<64xf32>
}

// -----

launch.plan @f inputs 0 {
^bb0(%out: memref<256xvector<4xf32>>):
  // expected-error @+1 {{is in argument 0, which has elements of 'vector<4xf32>'}}
  %h = launch.buffer "h" at 0 of argument 0 : memref<64xf32>
}

// -----

// The output is written while its guest is still read.
launch.plan @f inputs 1 {
// expected-error @+1 {{output 0 has bytes of buffer 'a', and a launch may write output 0 before all launches that use buffer 'a' have ended}}
^bb0(%x: memref<64xf32>, %out: memref<64xf32>):
  // expected-note @+1 {{is here}}
  %a = launch.buffer "a" at 0 of argument 1 : memref<64xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %a) writes [1] args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %1 = launch.kernel "1" @m [@e] (%a, %out) writes [1] after full(%0) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
}

// -----

// The output has been written, and is lost.
launch.plan @f inputs 1 {
// expected-note @+1 {{is here}}
^bb0(%x: memref<64xf32>, %out: memref<64xf32>, %more: memref<64xf32>):
  // expected-error @+1 {{buffer 'a' has bytes of output 0, and a launch may write buffer 'a'}}
  %a = launch.buffer "a" at 0 of argument 1 : memref<64xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %out) writes [1] args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %1 = launch.kernel "1" @m [@e] (%x, %a) writes [1] after full(%0) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %2 = launch.kernel "2" @m [@e] (%a, %more) writes [1] after full(%1) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
}

// -----

// "2" does not wait for "1", which reads the same bytes.
launch.plan @f inputs 1 {
^bb0(%x: memref<64xf32>, %out: memref<64xf32>, %more: memref<64xf32>):
  // expected-note @+1 {{is here}}
  %a = launch.buffer "a" at 0 : memref<64xf32>
  // expected-error @+1 {{'b' has bytes of buffer 'a'}}
  %b = launch.buffer "b" at 0 : memref<64xf32>
  %0 = launch.kernel "0" @m [@e] (%x, %a) writes [1] args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %1 = launch.kernel "1" @m [@e] (%a, %out) writes [1] after full(%0) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %2 = launch.kernel "2" @m [@e] (%x, %b) writes [1] after full(%0) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
  %3 = launch.kernel "3" @m [@e] (%b, %more) writes [1] after full(%2) args [] grids [[1]] : memref<64xf32>, memref<64xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{is on branch 32; a plan has the branches 0 to 31}}
  %t = launch.kernel "k" @m [@e] (%x) branch 32 args [] grids [[1]] : memref<4xf32>
}

// -----

// Each could hold processors that the other one's tiles need.

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-note @+1 {{which is this one}}
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] {residents = 2 : i64} : memref<4xf32>
  %b = launch.kernel "b" @m [@e] (%x) after full(%a) args [] grids [[1]] : memref<4xf32>
  // expected-error @+1 {{needs 3 resident tiles, and may run beside a launch that needs 2: they could wait for each other's processors; add an edge between them}}
  %c = launch.kernel "c" @m [@e] (%x) branch 1 args [] grids [[1]] {residents = 3 : i64} : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has an argument of kind rank, but no exchange with other ranks}}
  %t = launch.kernel "k" @m [@e] (%x) args [#launch.arg<rank>] grids [[1]] : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-error @+1 {{has an argument for rank 2 of 2}}
  %t = launch.kernel "k" @m [@e] (%x) args [#launch.arg<peer, rank = 2>] grids [[1]] exchange <ranks = 2, bytes = 256> : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 256> : memref<4xf32>
  // expected-error @+1 {{exchanges data of 4 ranks, but an earlier launch of 2}}
  %b = launch.kernel "b" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 4, bytes = 256> : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 257, offset = 0> : memref<4xf32>
  // expected-error @+1 {{has symmetric memory of the launch before or behind it, which has 257 bytes at 0}}
  %b = launch.kernel "b" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 256, offset = 256> : memref<4xf32>
}

// -----

// The last launch of a run is followed by the first of the next.

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 256, offset = 0, cleared = true> : memref<4xf32>
  %b = launch.kernel "b" @m [@e] (%x) after full(%a) args [] grids [[1]] exchange <ranks = 2, bytes = 256, offset = 256, cleared = true> : memref<4xf32>
  // expected-error @+1 {{has symmetric memory of the launch before or behind it, which has 256 bytes at 0}}
  %c = launch.kernel "c" @m [@e] (%x) after full(%b) args [] grids [[1]] exchange <ranks = 2, bytes = 256, offset = 0, cleared = true> : memref<4xf32>
}

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 256, offset = 0, cleared = true> : memref<4xf32>
  %b = launch.kernel "b" @m [@e] (%x) after full(%a) args [] grids [[1]] exchange <ranks = 2, bytes = 256, offset = 256, cleared = true> : memref<4xf32>
  // expected-error @+1 {{has symmetric memory of another launch, and not both clear it, which has 256 bytes at 0}}
  %c = launch.kernel "c" @m [@e] (%x) after full(%b) args [] grids [[1]] exchange <ranks = 2, bytes = 256, offset = 0> : memref<4xf32>
  %d = launch.kernel "d" @m [@e] (%x) after full(%c) args [] grids [[1]] exchange <ranks = 2, bytes = 256, offset = 512, cleared = true> : memref<4xf32>
}

// -----

// expected-error @+1 {{peer needs a rank}}
#arg = #launch.arg<peer>

// -----

// expected-error @+1 {{buffer takes no rank}}
#arg = #launch.arg<buffer, operand = 0, rank = 1>

// -----

// expected-error @+1 {{an exchange has 2 to 8 ranks, not 1}}
#exchange = #launch.exchange<ranks = 1, bytes = 256>

// -----

// expected-error @+1 {{an exchange has 1 to 2^40 bytes, not 0}}
#exchange = #launch.exchange<ranks = 2, bytes = 0>

// -----

// expected-error @+1 {{an exchange is at a multiple of 256 bytes up to 2^40, not at 8}}
#exchange = #launch.exchange<ranks = 2, bytes = 256, offset = 8>

// -----

launch.plan @f inputs 1 {
^bb0(%x: memref<4xf32>):
  // expected-note @+1 {{which is this one}}
  %a = launch.kernel "a" @m [@e] (%x) args [] grids [[1]] exchange <ranks = 2, bytes = 256> : memref<4xf32>
  // expected-error @+1 {{exchanges data with other ranks, and may run beside a launch that does so, too; add an edge between them}}
  %b = launch.kernel "b" @m [@e] (%x) branch 1 args [] grids [[1]] exchange <ranks = 2, bytes = 256> : memref<4xf32>
}
