// RUN: grout-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{semaphore array needs positive extents, got 0}}
func.func private @p() attributes { p = #tsync.policy<semaphore = affine_map<(i) -> (i)>, shape = [0], counts = [1], lower = affine_map<(i, k) -> (i)>, upper = affine_map<(i, k) -> (i)>> }

// -----

// expected-error @+1 {{more than 4194304 semaphores}}
func.func private @p() attributes { p = #tsync.policy<semaphore = affine_map<(i) -> (i, i)>, shape = [65536, 65536], counts = [1], lower = affine_map<(i, k) -> (i, i)>, upper = affine_map<(i, k) -> (i, i)>> }

// -----

// expected-error @+1 {{semaphore map must have 1 results and no symbols}}
func.func private @p() attributes { p = #tsync.policy<semaphore = affine_map<(i) -> (i, i)>, shape = [4], counts = [1], lower = affine_map<(i, k) -> (i)>, upper = affine_map<(i, k) -> (i)>> }

// -----

// expected-error @+1 {{lower and upper maps must have 1 results and no symbols}}
func.func private @p() attributes { p = #tsync.policy<semaphore = affine_map<(i) -> (i)>, shape = [4], counts = [1], lower = affine_map<(i, k) -> (i, k)>, upper = affine_map<(i, k) -> (i)>> }

// -----

// expected-error @+1 {{lower and upper maps must take the same coordinates}}
func.func private @p() attributes { p = #tsync.policy<semaphore = affine_map<(i) -> (i)>, shape = [4], counts = [1], lower = affine_map<(i) -> (i)>, upper = affine_map<(i, k) -> (i)>> }

// -----

// expected-error @+1 {{needs one count, or one for each of 4 semaphores, got 3}}
func.func private @p() attributes { p = #tsync.policy<semaphore = affine_map<(i) -> (i)>, shape = [4], counts = [1, 2, 3], lower = affine_map<(i, k) -> (i)>, upper = affine_map<(i, k) -> (i)>> }

// -----

// expected-error @+1 {{count out of range: -1}}
func.func private @p() attributes { p = #tsync.policy<semaphore = affine_map<(i) -> (i)>, shape = [4], counts = [-1], lower = affine_map<(i, k) -> (i)>, upper = affine_map<(i, k) -> (i)>> }

// -----

func.func @order_rank(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{needs an order whose times all have one rank}}
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (1, i, j)>]
      : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %o = tgemm.matmul %h, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @order_symbols(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{needs an order without symbols}}
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j)[s] -> (i, s)>] : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @last_with_next(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(pdl) : tensor<64x64xf16> {
    // expected-error @+1 {{is launched with the next tile kernel, but is the last of its chain}}
    %h = tgemm.matmul %x, %x {launched_with_next} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @order_size(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{has 1 tile kernels, but an order for 2}}
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]
      : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @order_dims(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{order 0 takes 3 coordinates, but that kernel's tiles have 2}}
  %0 = tsync.chain mode(persistent)
      order [affine_map<(b, i, j) -> (i, j)>] : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @residents(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{needs at least one resident tile}}
  %0 = tsync.chain mode(persistent) residents(0) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @negative_residents(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-error @+1 {{needs at least one resident tile}}
  %0 = tsync.chain mode(persistent) residents(-1) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @yield(%x: tensor<64x64xf16>) -> tensor<64x32xf16> {
  // expected-error @+1 {{results must be the values that its body yields}}
  %0 = tsync.chain mode(persistent) : tensor<64x32xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x32xf16>
}

// -----

func.func @producer(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %o = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{producer must be the result of a tile kernel of this chain}}
    tsync.dependence %x -> %o operand 0 : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @consumer(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %o = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{consumer must be the result of a tile kernel of this chain}}
    tsync.dependence %o -> %x operand 0 : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @operand(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %o = tgemm.matmul %h, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{consumer has no operand 2}}
    tsync.dependence %h -> %o operand 2 : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @backwards(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %o = tgemm.matmul %h, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{producer must come before the consumer}}
    tsync.dependence %o -> %h operand 0 : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @untiled(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %o = tgemm.matmul %h, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{has a policy, but its kernels have no tile shape yet}}
    tsync.dependence %h -> %o operand 0 policy <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1], lower = affine_map<(i, j, k) -> (i)>, upper = affine_map<(i, j, k) -> (i)>> : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @semaphore_dims(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %o = tgemm.matmul %h, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{semaphore map takes 1 coordinates, but needs 2}}
    tsync.dependence %h -> %o operand 0 policy <semaphore = affine_map<(i) -> (i)>, shape = [1], counts = [1], lower = affine_map<(i, j, k) -> (i)>, upper = affine_map<(i, j, k) -> (i)>> : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @lower_dims(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %o = tgemm.matmul %h, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{lower map takes 2 coordinates, but needs 3}}
    tsync.dependence %h -> %o operand 0 policy <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1], lower = affine_map<(i, j) -> (i)>, upper = affine_map<(i, j) -> (i)>> : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %o : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @short_task(%semaphores: !tsync.semaphores, %index: i32) {
  // expected-error @+1 {{needs the 4 words of a task or none, got 1}}
  tsync.wait %semaphores[%index] count %index scope(device) proxy(async) task(%index)
  return
}

// -----

func.func @mode(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(overlap) : tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{cannot be in mode persistent, which is that of a chain that is one kernel}}
    tsync.dependence %a -> %b operand 0 mode(persistent)
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %b : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @mode(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent) : tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{cannot be in mode pdl: its chain is one kernel}}
    tsync.dependence %a -> %b operand 0 mode(pdl)
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %b : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

func.func @mode(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(overlap) : tensor<64x64xf16> {
    %a = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %b = tgemm.matmul %a, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    // expected-error @+1 {{has a policy, but in mode serial kernels wait for kernels}}
    tsync.dependence %a -> %b operand 0 mode(serial) policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %b : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// expected-error @+1 {{guard must take the tile coordinates that lower and upper maps take before the step, to values}}
func.func private @guard() attributes { p = #tsync.policy<semaphore = affine_map<(i) -> (i)>, shape = [2], counts = [1], lower = affine_map<(i, k) -> (i)>, upper = affine_map<(i, k) -> (i)>, guard = affine_map<(i, k) -> (i)>> }

// -----

#tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stream_k = 2, tail = 3>

func.func @within_a_launch(%x: tensor<128x1024xf16>, %w: tensor<1024x576xf16>) -> tensor<128x576xf16> {
  %0 = tsync.chain mode(overlap) : tensor<128x576xf16> {
    %s = tgemm.partial_sums %x, %w {tiling = #tiling}
      : tensor<128x1024xf16>, tensor<1024x576xf16> -> tensor<2x3x1x4096xf32>
    %y = tgemm.matmul %x, %w partial_sums(%s : tensor<2x3x1x4096xf32>) {tiling = #tiling}
      : tensor<128x1024xf16>, tensor<1024x576xf16> -> tensor<128x576xf16>
    // expected-error @+1 {{cannot be in mode pdl: its kernels are one launch}}
    tsync.dependence %s -> %y operand 2 mode(pdl)
      : tensor<2x3x1x4096xf32>, tensor<128x576xf16>
    tsync.yield %y : tensor<128x576xf16>
  }
  return %0 : tensor<128x576xf16>
}

// -----

func.func @f(%x: tensor<64x64xf16>) {
  %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-error @+1 {{producer must be the result of a tile kernel of its launch}}
  tsync.post_tiles %x base 0 semaphore affine_map<(i, j) -> (i)> shape [1] : tensor<64x64xf16>
  return
}

// -----

func.func @f(%x: tensor<64x64xf16>) {
  %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-error @+1 {{has a map to 1 coordinates, but an array of rank 2}}
  tsync.post_tiles %y base 0 semaphore affine_map<(i, j) -> (i)> shape [1, 1] : tensor<64x64xf16>
  return
}

// -----

func.func @f(%x: tensor<64x64xf16>) {
  %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-error @+1 {{has an array of none or of more than 4194304 semaphores}}
  tsync.post_tiles %y base 0 semaphore affine_map<(i, j) -> (i)> shape [0] : tensor<64x64xf16>
  return
}

// -----

func.func @f(%x: tensor<64x64xf16>) {
  %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-error @+1 {{semaphore map takes 1 coordinates, but needs 2}}
  tsync.post_tiles %y base 0 semaphore affine_map<(i) -> (i)> shape [1] : tensor<64x64xf16>
  return
}

// -----

func.func @f(%x: tensor<64x64xf16>) {
  %y = tgemm.matmul %x, %x
    : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-error @+1 {{names a kernel that has no tile shape}}
  tsync.post_tiles %y base 0 semaphore affine_map<(i, j) -> (i)> shape [1] : tensor<64x64xf16>
  return
}

// -----

func.func @f(%x: tensor<64x64xf16>) {
  %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-error @+1 {{consumer must be the result of a tile kernel of its launch}}
  tsync.wait_tiles %x operand 0 base 0 policy
    <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
     lower = affine_map<(i, j, k) -> (i)>, upper = affine_map<(i, j, k) -> (i)>>
    : tensor<64x64xf16>
  return
}

// -----

func.func @f(%x: tensor<64x64xf16>) {
  %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-error @+1 {{consumer has no operand 2}}
  tsync.wait_tiles %y operand 2 base 0 policy
    <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
     lower = affine_map<(i, j, k) -> (i)>, upper = affine_map<(i, j, k) -> (i)>>
    : tensor<64x64xf16>
  return
}

// -----

func.func @f(%x: tensor<64x64xf16>) {
  %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
    : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-error @+1 {{lower map takes 2 coordinates, but needs 3}}
  tsync.wait_tiles %y operand 0 base 0 policy
    <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
     lower = affine_map<(i, j) -> (i)>, upper = affine_map<(i, j) -> (i)>>
    : tensor<64x64xf16>
  return
}

// -----

// expected-error @+1 {{'tsync.own_launch' is a unit attribute of tile kernels}}
func.func @own_launch() attributes {tsync.own_launch} {
  return
}

// -----

// expected-error @+1 {{'tsync.proved_answers' is an i64 attribute of tile kernels}}
func.func @proved_answers() attributes {tsync.proved_answers = 1 : i64} {
  return
}

// -----

func.func @proved_answers_value(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{'tsync.proved_answers' is an i64 attribute of tile kernels}}
  %a = tgemm.matmul %x, %x {tsync.proved_answers = 1 : i32} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @own_launch_value(%x: tensor<64x64xf16>) {
  // expected-error @+1 {{'tsync.own_launch' is a unit attribute of tile kernels}}
  %a = tgemm.matmul %x, %x {tsync.own_launch = true} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return
}
