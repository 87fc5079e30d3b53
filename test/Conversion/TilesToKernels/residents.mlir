// RUN: not grout-opt %s --grout-set-target=name=h200 --tsync-select-policy --tsync-verify \
// RUN:   --launch-form-plans --launch-schedule --convert-tiles-to-kernels 2>&1 | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=cpu --tsync-select-policy --tsync-verify \
// RUN:   --launch-form-plans --launch-schedule --convert-tiles-to-kernels | FileCheck %s --check-prefix=CPU
// RUN: sed 's/4096/32768/g' %s | not grout-opt --grout-set-target=name=cpu --tsync-select-policy --tsync-verify \
// RUN:   --launch-form-plans --launch-schedule --convert-tiles-to-kernels 2>&1 | FileCheck %s --check-prefix=WORKERS

// Consumers come first, and those of half of the grid fill the SMs: two blocks
// of each launch fit one, as the memory and the registers of its kernel allow.
// What is needed is known when there is a kernel, and the tiles are named.

// CHECK: residents.mlir:[[#@LINE+10]]:8: error: launch 'f_chain0' cannot run on h200, which holds 264 of its tiles at once: deadlock: 513 resident tiles are needed, but there are 264; tile matmul1[{{[0-9]+, [0-9]+}}] waits for the later tile matmul0[{{[0-9]+, [0-9]+}}]
// CHECK: note: order tiles before those that wait for them, or choose another mode than persistent

// A CPU has as many threads as are needed, up to what the runtime takes.

// CPU: launch.kernel "f_chain0" {{.*}}residents = 513
// WORKERS: error: launch 'f_chain0' cannot run on cpu, which holds 1024 of its tiles at once: deadlock: 4097 resident tiles are needed, but there are 1024; tile matmul1

func.func @f(%x: tensor<4096x64xf16>, %w: tensor<64x512xf16>, %v: tensor<512x512xf16>)
    -> tensor<4096x512xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (1, i, j)>, affine_map<(i, j) -> (0, i, j)>]
      : tensor<4096x512xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<4096x64xf16>, tensor<64x512xf16> -> tensor<4096x512xf16>
    %y = tgemm.matmul %h, %v {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<4096x512xf16>, tensor<512x512xf16> -> tensor<4096x512xf16>
    tsync.dependence %h -> %y operand 0 : tensor<4096x512xf16>, tensor<4096x512xf16>
    tsync.yield %y : tensor<4096x512xf16>
  }
  return %0 : tensor<4096x512xf16>
}
