// RUN: grout-opt %s --tsync-derive-dependences --tsync-select-policy --tsync-assign-order --tsync-verify --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: FileCheck %s --check-prefix=CODE < %t.mlir
// RUN: FileCheck %s --check-prefix=FIRST < %t.mlir
// RUN: FileCheck %s --check-prefix=PDL < %t.mlir
// RUN: FileCheck %s --check-prefix=SERIAL < %t.mlir
// RUN: FileCheck %s --check-prefix=EDGE < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// A memory-bound kernel between two products. Its blocks are tiles, of 4 rows:
// each waits for the row of tiles that it reads, and posts for the row that reads
// it. It has a synchronisation state for its epoch; the semaphores are those of
// the chain's first launch.

// PLAN-LABEL: launch.plan @between
// PLAN: %[[SEMAPHORES:.*]] = launch.semaphores 5
// PLAN: %[[K0:.*]] = launch.kernel "between_chain0_kernel0"
// PLAN-SAME: uses(%[[SEMAPHORES]])
// PLAN: launch.kernel "between_chain0_kernel1" {{.*}} after tile(%[[K0]]) early [] uses(%[[SEMAPHORES]]) args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>, #launch.arg<semaphores>] grids {{\[\[}}40]] {block = 256 : i64}
// PLAN: launch.kernel "between_chain0_kernel2" {{.*}} after tile({{.*}})

// One thread waits, by acquiring, and the barrier makes it known to the others.
// All of them write before the next barrier, after which the thread releases.
// Last it says that the block is finished, and waits for the launches before.

// CODE-LABEL: llvm.func @between_chain0_kernel1(
// CODE-NEXT: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.launch_dependents;", "~{memory}"
// CODE-NOT: {{griddepcontrol|llvm.load}}
// CODE: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CODE: %[[IS_FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
// CODE: scf.if %[[IS_FIRST]] {
// CODE:   %[[SEMAPHORES:.*]] = builtin.unrealized_conversion_cast %arg2, %arg3 : !llvm.ptr, !llvm.ptr to !tsync.semaphores
// CODE:   tsync.wait %[[SEMAPHORES]][%{{.*}}] count %c2_i32{{.*}} scope(device) proxy(generic) task(%c0_i32{{.*}}, %[[BLOCK]], %{{.*}}, %{{.*}})
// CODE: }
// CODE-NEXT: nvvm.barrier0
// CODE-NOT: {{griddepcontrol|tsync}}
// CODE: llvm.load {{.*}} vector<{{.*}}f16>
// CODE-NOT: {{griddepcontrol|tsync}}
// CODE: llvm.store {{.*}} vector<{{.*}}f16>
// CODE-NOT: {{llvm.store|tsync}}
// CODE: nvvm.barrier0
// CODE-NOT: {{llvm.store|tsync}}
// CODE: scf.if
// CODE:   tsync.post %{{.*}}[%{{.*}}] scope(device) proxy(generic)
// CODE:   llvm.fence syncscope("device") acq_rel
// CODE:   llvm.atomicrmw add
// CODE:   "griddepcontrol.wait;", "~{memory}"
// CODE: llvm.return

// PTX-LABEL: .entry between_chain0_kernel1(
// PTX: griddepcontrol.launch_dependents;
// PTX-NOT: ld.global
// PTX: ld.relaxed.gpu.global
// PTX-NOT: {{ld.global|st.global}}
// PTX: ld.acquire.gpu.global
// PTX-NOT: {{ld.global|st.global}}
// PTX: bar.sync
// PTX: ld.global.v4.b32
// PTX: st.global.v4.b32
// PTX-NOT: {{st.global|red.release}}
// PTX: bar.sync
// PTX-NOT: {{ld.global|st.global}}
// PTX: red.release.gpu.global.add.u32
// PTX: fence.acq_rel.gpu
// PTX: griddepcontrol.wait;

// The product that comes after waits for all blocks that have its rows, and reads
// by TMA what they stored.

// PTX-LABEL: .entry between_chain0_kernel2(
// PTX: ld.acquire.gpu.global
// PTX: fence.proxy.async.global

// REPORT-DAG: between_chain0_kernel1: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: first_chain0_kernel0: {{[0-9]+}} registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
func.func @between(%x: tensor<160x64xf16>, %w: tensor<64x128xf16>, %v: tensor<128x64xf16>) -> tensor<160x64xf16> {
  %e = tensor.empty() : tensor<160x128xf16>
  %r = tsync.chain mode(overlap) : tensor<160x64xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 2>}
      : tensor<160x64xf16>, tensor<64x128xf16> -> tensor<160x128xf16>
    %s = scop.kernel ins(%h : tensor<160x128xf16>) outs(%e : tensor<160x128xf16>)
        schedule <[linear band 0 coincident map block, sequence band 1, linear band 2 reduction map thread_x vector 8],
                  @Z = (d0) -> (d0, 0, 0), @M = (d0, d1) -> (d0, 1, d1), @S = (d0, d1) -> (d0, 2, d1)>
        tiles [4] -> tensor<160x128xf16> {
    ^bb0(%H: memref<160x128xf16>, %R: memref<160x128xf16>):
      %m = scop.local : memref<160xf16>
      scop.stmt @Z domain [160] writes(%m[(d0) -> (d0)] : memref<160xf16>) {
        %zero = arith.constant 0.0 : f16
        scop.yield %zero : f16
      }
      scop.stmt @M domain [160, 128]
          reads(%H[(d0, d1) -> (d0, d1)] : memref<160x128xf16>, %m[(d0, d1) -> (d0)] : memref<160xf16>)
          writes(%m[(d0, d1) -> (d0)] : memref<160xf16>) reductions [1] {
      ^bb0(%a: f16, %b: f16):
        %c = arith.maximumf %a, %b : f16
        scop.yield %c : f16
      }
      scop.stmt @S domain [160, 128]
          reads(%H[(d0, d1) -> (d0, d1)] : memref<160x128xf16>, %m[(d0, d1) -> (d0)] : memref<160xf16>)
          writes(%R[(d0, d1) -> (d0, d1)] : memref<160x128xf16>) {
      ^bb0(%a: f16, %b: f16):
        %c = arith.subf %a, %b : f16
        scop.yield %c : f16
      }
    }
    %o = tgemm.matmul %s, %v {tiling = #tgemm.tiling<m = 128, n = 64, k = 64, stages = 2>}
      : tensor<160x128xf16>, tensor<128x64xf16> -> tensor<160x64xf16>
    tsync.yield %o : tensor<160x64xf16>
  }
  return %r : tensor<160x64xf16>
}

// The first kernel of a chain has the semaphores itself, and waits for what came
// before the chain; it has no epoch to keep.

// PLAN-LABEL: launch.plan @first
// PLAN: %[[SEMAPHORES:.*]] = launch.semaphores 3
// PLAN: launch.kernel "first_chain0_kernel0" {{.*}} after programmatic({{.*}}) uses(%[[SEMAPHORES]]) args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>]
// PLAN: launch.kernel "first_chain0_kernel1" {{.*}} #launch.arg<semaphores>

// FIRST-LABEL: llvm.func @first_chain0_kernel0(
// FIRST-NEXT: "griddepcontrol.wait;", "~{memory}"
// FIRST-NEXT: "griddepcontrol.launch_dependents;", "~{memory}"
// FIRST-NOT: {{tsync.wait|griddepcontrol}}
// FIRST: tsync.post
// FIRST-NOT: {{atomicrmw|griddepcontrol}}
// FIRST: llvm.return
func.func @first(%x: tensor<160x64xf16>, %w: tensor<64x128xf16>) -> tensor<160x128xf16> {
  %e = tensor.empty() : tensor<160x64xf16>
  %r = tsync.chain mode(overlap) : tensor<160x128xf16> {
    %s = scop.kernel ins(%x : tensor<160x64xf16>) outs(%e : tensor<160x64xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 8], @S = (d0, d1) -> (d0, d1)>
        tiles [16, 64] -> tensor<160x64xf16> {
    ^bb0(%X: memref<160x64xf16>, %R: memref<160x64xf16>):
      scop.stmt @S domain [160, 64] reads(%X[(d0, d1) -> (d0, d1)] : memref<160x64xf16>)
          writes(%R[(d0, d1) -> (d0, d1)] : memref<160x64xf16>) {
      ^bb0(%a: f16):
        %c = arith.negf %a : f16
        scop.yield %c : f16
      }
    }
    %o = tgemm.matmul %s, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 2>}
      : tensor<160x64xf16>, tensor<64x128xf16> -> tensor<160x128xf16>
    tsync.yield %o : tensor<160x128xf16>
  }
  return %r : tensor<160x128xf16>
}

// By kernel it waits for the launch before as a whole, or starts after it. The
// chain is short, so its next run may start early, too.

// PDL-LABEL: llvm.func @by_kernel_chain0_kernel1(
// PDL-NEXT: "griddepcontrol.wait;", "~{memory}"
// PDL-NEXT: "griddepcontrol.launch_dependents;", "~{memory}"
// PDL-NOT: {{tsync|griddepcontrol}}
// PDL: llvm.return
func.func @by_kernel(%x: tensor<160x64xf16>, %w: tensor<64x128xf16>) -> tensor<160x128xf16> {
  %e = tensor.empty() : tensor<160x128xf16>
  %r = tsync.chain mode(pdl) : tensor<160x128xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 2>}
      : tensor<160x64xf16>, tensor<64x128xf16> -> tensor<160x128xf16>
    %s = scop.kernel ins(%h : tensor<160x128xf16>) outs(%e : tensor<160x128xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 8], @S = (d0, d1) -> (d0, d1)>
        tiles [16, 128] -> tensor<160x128xf16> {
    ^bb0(%X: memref<160x128xf16>, %R: memref<160x128xf16>):
      scop.stmt @S domain [160, 128] reads(%X[(d0, d1) -> (d0, d1)] : memref<160x128xf16>)
          writes(%R[(d0, d1) -> (d0, d1)] : memref<160x128xf16>) {
      ^bb0(%a: f16):
        %c = arith.negf %a : f16
        scop.yield %c : f16
      }
    }
    tsync.yield %s : tensor<160x128xf16>
  }
  return %r : tensor<160x128xf16>
}

// Modes by edge: it waits for the launch before, and posts for tiles that wait for
// its own. It needs no epoch, and not the wait at its end. The first kernel uses no
// semaphores, so this one has them.

// PLAN-LABEL: launch.plan @by_edge
// PLAN: launch.kernel "by_edge_chain0_kernel0"
// PLAN-NOT: uses
// PLAN: %[[SEMAPHORES:.*]] = launch.semaphores 3
// PLAN: launch.kernel "by_edge_chain0_kernel1" {{.*}} after programmatic({{.*}}) early [] uses(%[[SEMAPHORES]]) args [#launch.arg<buffer, operand = 0>, #launch.arg<buffer, operand = 1>, #launch.arg<sync_state>]
// PLAN: launch.kernel "by_edge_chain0_kernel2" {{.*}} after tile({{.*}}) {{.*}} #launch.arg<semaphores>

// EDGE-LABEL: llvm.func @by_edge_chain0_kernel1(
// EDGE-NEXT: "griddepcontrol.wait;", "~{memory}"
// EDGE-NEXT: "griddepcontrol.launch_dependents;", "~{memory}"
// EDGE-NOT: {{tsync.wait|griddepcontrol}}
// EDGE: llvm.store
// EDGE: nvvm.barrier0
// EDGE: tsync.post
// EDGE-NOT: {{atomicrmw|griddepcontrol}}
// EDGE: llvm.return
func.func @by_edge(%x: tensor<160x64xf16>, %w: tensor<64x128xf16>, %v: tensor<128x64xf16>) -> tensor<160x64xf16> {
  %e = tensor.empty() : tensor<160x128xf16>
  %r = tsync.chain mode(overlap) : tensor<160x64xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 2>}
      : tensor<160x64xf16>, tensor<64x128xf16> -> tensor<160x128xf16>
    %s = scop.kernel ins(%h : tensor<160x128xf16>) outs(%e : tensor<160x128xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 8], @S = (d0, d1) -> (d0, d1)>
        tiles [16, 128] -> tensor<160x128xf16> {
    ^bb0(%X: memref<160x128xf16>, %R: memref<160x128xf16>):
      scop.stmt @S domain [160, 128] reads(%X[(d0, d1) -> (d0, d1)] : memref<160x128xf16>)
          writes(%R[(d0, d1) -> (d0, d1)] : memref<160x128xf16>) {
      ^bb0(%a: f16):
        %c = arith.negf %a : f16
        scop.yield %c : f16
      }
    }
    %o = tgemm.matmul %s, %v {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 2>}
      : tensor<160x128xf16>, tensor<128x64xf16> -> tensor<160x64xf16>
    tsync.dependence %h -> %s operand 0 mode(pdl) : tensor<160x128xf16>, tensor<160x128xf16>
    tsync.yield %o : tensor<160x64xf16>
  }
  return %r : tensor<160x64xf16>
}

// SERIAL-LABEL: llvm.func @after_chain0_kernel1(
// SERIAL-NOT: {{tsync|griddepcontrol}}
// SERIAL: llvm.return
func.func @after(%x: tensor<160x64xf16>, %w: tensor<64x128xf16>) -> tensor<160x128xf16> {
  %e = tensor.empty() : tensor<160x128xf16>
  %r = tsync.chain mode(serial) : tensor<160x128xf16> {
    %h = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64, stages = 2>}
      : tensor<160x64xf16>, tensor<64x128xf16> -> tensor<160x128xf16>
    %s = scop.kernel ins(%h : tensor<160x128xf16>) outs(%e : tensor<160x128xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident map thread_x vector 8], @S = (d0, d1) -> (d0, d1)>
        tiles [16, 128] -> tensor<160x128xf16> {
    ^bb0(%X: memref<160x128xf16>, %R: memref<160x128xf16>):
      scop.stmt @S domain [160, 128] reads(%X[(d0, d1) -> (d0, d1)] : memref<160x128xf16>)
          writes(%R[(d0, d1) -> (d0, d1)] : memref<160x128xf16>) {
      ^bb0(%a: f16):
        %c = arith.negf %a : f16
        scop.yield %c : f16
      }
    }
    tsync.yield %s : tensor<160x128xf16>
  }
  return %r : tensor<160x128xf16>
}
