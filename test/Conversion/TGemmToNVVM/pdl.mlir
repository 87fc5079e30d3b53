// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: FileCheck %s --check-prefix=FIRST < %t.mlir
// RUN: FileCheck %s --check-prefix=LHS < %t.mlir
// RUN: FileCheck %s --check-prefix=RHS < %t.mlir
// RUN: FileCheck %s --check-prefix=EPILOGUE < %t.mlir
// RUN: FileCheck %s --check-prefix=NOTHING < %t.mlir
// RUN: FileCheck %s --check-prefix=ALONE < %t.mlir
// RUN: FileCheck %s --check-prefix=EVEN < %t.mlir
// RUN: FileCheck %s --check-prefix=UNEVEN < %t.mlir
// RUN: grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ grout-opt %s --grout-set-target=name=h200 --launch-form-plans --launch-schedule --convert-tiles-to-kernels --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Mode pdl: a kernel of its own for each tile kernel, all of which start early.
// No tile order and no dependence is needed: what waits is known from what the
// kernels read. The helpers' code is in the order of their warps: independent
// loader, waiting loader, scheduler, storer; consumers last.

// PLAN-LABEL: launch.plan @chain
// PLAN:       launch.kernel "chain_chain0_kernel0" @chain_kernels [@chain_chain0_kernel0](%arg0, %arg1, %[[H:[0-9]+]]) writes [2] after programmatic(%{{.*}}) args
// PLAN:       launch.kernel "chain_chain0_kernel1" @chain_kernels [@chain_chain0_kernel1](%[[H]], %arg2, %arg5) writes [2] after programmatic(%{{.*}}) early [1] args
// PLAN:       launch.kernel "chain_chain0_kernel2" {{.*}} after programmatic({{.*}}) {{.*}}args
// PLAN:       launch.kernel "chain_chain0_kernel3" {{.*}} after programmatic({{.*}}) {{.*}}args
// PLAN:       launch.kernel "chain_chain0_kernel4" {{.*}} after programmatic({{.*}}) {{.*}}args
// PLAN-NOT:   launch.kernel

// What comes before the first kernel is not known, so all of its threads wait
// before they access memory. It lets the next one start when it has issued the
// loads of its first tile.

// FIRST-LABEL: llvm.func @chain_chain0_kernel0(
// FIRST-NOT:     {{griddepcontrol|nvvm.barrier0|nvvm.cp.async|atomicrmw}}
// FIRST:         "griddepcontrol.wait;", "~{memory}"
// FIRST-NEXT:    nvvm.barrier0
// FIRST-NOT:     griddepcontrol
// FIRST:         nvvm.elect.sync
// FIRST-NOT:     griddepcontrol
// FIRST:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
// FIRST-NOT:     nvvm.elect.sync
// FIRST:         "griddepcontrol.launch_dependents;", "~{memory}"
// FIRST-NOT:     griddepcontrol
// FIRST:       llvm.func @chain_chain0_kernel1(

// The lhs waits; the weights do not. The storer waits before its first store,
// and then lets the next kernel start.

// LHS-LABEL: llvm.func @chain_chain0_kernel1(
// LHS-NOT:     griddepcontrol
// LHS:         nvvm.elect.sync
// LHS-NOT:     griddepcontrol
// LHS:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
// LHS-NOT:     griddepcontrol
// LHS:         nvvm.elect.sync
// LHS-NOT:     nvvm.cp.async
// LHS:         "griddepcontrol.wait;", "~{memory}"
// LHS-NOT:     griddepcontrol
// LHS:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0,
// LHS-NOT:     griddepcontrol
// LHS:         nvvm.elect.sync
// LHS-NOT:     griddepcontrol
// LHS:         nvvm.elect.sync
// LHS-NOT:     nvvm.cp.async
// LHS:         "griddepcontrol.wait;", "~{memory}"
// LHS-NEXT:    "griddepcontrol.launch_dependents;", "~{memory}"
// LHS-NOT:     griddepcontrol
// LHS:         nvvm.cp.async.bulk.tensor.global.shared.cta %arg2,
// LHS-NOT:     griddepcontrol
// LHS:       llvm.func @chain_chain0_kernel2(

// The other way round where the rhs comes from the chain, here as a view.

// RHS-LABEL: llvm.func @chain_chain0_kernel2(
// RHS:         nvvm.elect.sync
// RHS-NOT:     {{griddepcontrol|nvvm.cp.async.*%arg1}}
// RHS:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg0,
// RHS-NOT:     nvvm.cp.async
// RHS:         nvvm.elect.sync
// RHS-NOT:     nvvm.cp.async
// RHS:         "griddepcontrol.wait;", "~{memory}"
// RHS:         nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, %arg1,
// RHS:         nvvm.elect.sync

// Here only the epilogue reads from the chain: the products do not wait, and
// every thread that reads does. The storer waits all the same.

// EPILOGUE-LABEL: llvm.func @chain_chain0_kernel3(
// EPILOGUE-NOT:     griddepcontrol
// EPILOGUE:         nvvm.elect.sync
// EPILOGUE-NOT:     griddepcontrol
// EPILOGUE:         nvvm.elect.sync
// EPILOGUE-NOT:     griddepcontrol
// EPILOGUE:         nvvm.elect.sync
// EPILOGUE-NOT:     griddepcontrol
// EPILOGUE:         nvvm.elect.sync
// EPILOGUE-NOT:     nvvm.cp.async
// EPILOGUE:         "griddepcontrol.wait;", "~{memory}"
// EPILOGUE-NEXT:    "griddepcontrol.launch_dependents;", "~{memory}"
// EPILOGUE:         nvvm.cp.async.bulk.tensor.global.shared.cta
// EPILOGUE-NOT:     griddepcontrol
// EPILOGUE:         nvvm.wgmma.wait.group.sync.aligned 0
// EPILOGUE-NOT:     !llvm.ptr<1>
// EPILOGUE:         "griddepcontrol.wait;", "~{memory}"
// EPILOGUE-NOT:     griddepcontrol
// EPILOGUE:         llvm.load {{.*}} : !llvm.ptr<1> -> vector<2xf16>
// EPILOGUE-NOT:     griddepcontrol
// EPILOGUE:       llvm.func @chain_chain0_kernel4(

// A kernel that reads nothing of the chain stores nothing before the kernels
// before it have ended, and so cannot end before them. The last one lets nobody
// start: blocks of the next run's first kernel leave processors idle, and should
// be free to go to any.

// NOTHING-LABEL: llvm.func @chain_chain0_kernel4(
// NOTHING-NOT:     griddepcontrol
// NOTHING:         nvvm.elect.sync
// NOTHING-NOT:     griddepcontrol
// NOTHING:         nvvm.elect.sync
// NOTHING-NOT:     griddepcontrol
// NOTHING:         nvvm.elect.sync
// NOTHING-NOT:     griddepcontrol
// NOTHING:         nvvm.elect.sync
// NOTHING-NOT:     nvvm.cp.async
// NOTHING:         "griddepcontrol.wait;", "~{memory}"
// NOTHING-NOT:     griddepcontrol
// NOTHING:         nvvm.cp.async.bulk.tensor.global.shared.cta
// NOTHING-NOT:     griddepcontrol
// NOTHING:       gpu.module @alone_kernels

// LLVM keeps these in order, too.

// PTX-LABEL: .entry chain_chain0_kernel1(
// PTX-NOT:     griddepcontrol
// PTX:         cp.async.bulk.tensor.2d.shared::cluster.global
// PTX-NOT:     cp.async.bulk.tensor.2d.global
// PTX:         griddepcontrol.wait;
// PTX-NOT:     cp.async
// PTX:         griddepcontrol.launch_dependents;
// PTX:         cp.async.bulk.tensor.2d.global.shared::cta
// PTX:         griddepcontrol.wait;
// PTX-NOT:     griddepcontrol
// PTX:         cp.async.bulk.tensor.2d.shared::cluster.global
// PTX-LABEL: .entry chain_chain0_kernel3(
// PTX:         wgmma.wait_group.sync.aligned 0;
// PTX-NOT:     ld.global
// PTX:         griddepcontrol.wait;
// PTX:         ld.global.b32

// REPORT-DAG: chain_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel1: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel2: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel3: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: chain_chain0_kernel4: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

func.func @chain(%x: tensor<128x3584xf16>, %w1: tensor<3584x4096xf16>,
                 %w2: tensor<4096x3584xf16>, %w3: tensor<3584x128xf16>,
                 %w4: tensor<3584x3584xf16>)
    -> (tensor<128x3584xf16>, tensor<3584x3584xf16>, tensor<128x3584xf16>,
        tensor<128x4096xf16>) {
  %0:4 = tsync.chain mode(pdl)
      : tensor<128x3584xf16>, tensor<3584x3584xf16>, tensor<128x3584xf16>,
        tensor<128x4096xf16> {
    %h = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x3584xf16>, tensor<3584x4096xf16> -> tensor<128x4096xf16>
    %l = tgemm.matmul %h, %w2 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x4096xf16>, tensor<4096x3584xf16> -> tensor<128x3584xf16>
    %v = tensor.extract_slice %l[0, 0] [128, 3584] [1, 1]
      : tensor<128x3584xf16> to tensor<128x3584xf16>
    %r = tgemm.matmul %w3, %v {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<3584x128xf16>, tensor<128x3584xf16> -> tensor<3584x3584xf16>
    %p = tensor.extract_slice %r[0, 0] [128, 3584] [1, 1]
      : tensor<3584x3584xf16> to tensor<128x3584xf16>
    %e = tgemm.matmul %x, %w4 epilogue(%p : tensor<128x3584xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x3584xf16>, tensor<3584x3584xf16> -> tensor<128x3584xf16> {
    ^bb0(%acc: f32, %in: f16):
      %wide = arith.extf %in : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    %n = tgemm.matmul %x, %w1 {
      tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>
    } : tensor<128x3584xf16>, tensor<3584x4096xf16> -> tensor<128x4096xf16>
    tsync.yield %l, %r, %e, %n
      : tensor<128x3584xf16>, tensor<3584x3584xf16>, tensor<128x3584xf16>,
        tensor<128x4096xf16>
  }
  return %0#0, %0#1, %0#2, %0#3
    : tensor<128x3584xf16>, tensor<3584x3584xf16>, tensor<128x3584xf16>,
      tensor<128x4096xf16>
}

// The last kernel of a chain whose operands stay in the cache lets whatever comes
// after it start early: here another chain, or the next run of this one. The first
// one reads no memory before its wait: its tasks are computed.

// PLAN-LABEL: launch.plan @alone
// PLAN:       launch.kernel "alone_chain0_kernel0" {{.*}} after programmatic({{.*}}) {{.*}}args
// PLAN:       launch.kernel "alone_chain1_kernel0" {{.*}} after programmatic({{.*}}) {{.*}}args

// ALONE-LABEL: llvm.func @alone_chain0_kernel0(
// ALONE-NOT:     {{nvvm.barrier0|llvm.load|nvvm.cp.async|atomicrmw}}
// ALONE:         nvvm.fence.mbarrier.init
// ALONE-NOT:     {{nvvm.barrier0|llvm.load|nvvm.cp.async|atomicrmw}}
// ALONE:         "griddepcontrol.wait;", "~{memory}"
// ALONE-NEXT:    nvvm.barrier0
// ALONE-NOT:     griddepcontrol
// ALONE:         nvvm.cp.async.bulk.tensor.shared.cluster.global
// ALONE:         "griddepcontrol.launch_dependents;", "~{memory}"
// ALONE-NOT:     griddepcontrol
// ALONE:       llvm.func @alone_chain1_kernel0(
func.func @alone(%x: tensor<128x128xf16>) -> tensor<128x128xf16> {
  %0 = tsync.chain mode(pdl) : tensor<128x128xf16> {
    %y = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
    tsync.yield %y : tensor<128x128xf16>
  }
  %1 = tsync.chain mode(pdl) : tensor<128x128xf16> {
    %y = tgemm.matmul %0, %x {tiling = #tgemm.tiling<m = 128, n = 128, k = 64>}
      : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf16>
    tsync.yield %y : tensor<128x128xf16>
  }
  return %1 : tensor<128x128xf16>
}

// So does one of a chain whose first kernel leaves few processors idle, here 6 of
// 132.

// PLAN-LABEL: launch.plan @even
// PLAN:       launch.kernel "even_chain0_kernel0" {{.*}} after programmatic({{.*}}) {{.*}}args

// EVEN-LABEL: llvm.func @even_chain0_kernel0(
// EVEN:         "griddepcontrol.wait;", "~{memory}"
// EVEN:         nvvm.cp.async.bulk.tensor.shared.cluster.global
// EVEN:         "griddepcontrol.launch_dependents;", "~{memory}"
// EVEN-NOT:     griddepcontrol
// EVEN:       gpu.module
func.func @even(%x: tensor<128x16384xf16>, %w: tensor<16384x8064xf16>)
    -> tensor<128x8064xf16> {
  %0 = tsync.chain mode(pdl) : tensor<128x8064xf16> {
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
      : tensor<128x16384xf16>, tensor<16384x8064xf16> -> tensor<128x8064xf16>
    tsync.yield %y : tensor<128x8064xf16>
  }
  return %0 : tensor<128x8064xf16>
}

// One that leaves more idle does not: 15, of which 12 would be few enough.

// UNEVEN-LABEL: llvm.func @uneven_chain0_kernel0(
// UNEVEN:         "griddepcontrol.wait;", "~{memory}"
// UNEVEN-NOT:     griddepcontrol
func.func @uneven(%x: tensor<128x16384xf16>, %w: tensor<16384x7488xf16>)
    -> tensor<128x7488xf16> {
  %0 = tsync.chain mode(pdl) : tensor<128x7488xf16> {
    %y = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 128, n = 64, k = 64>}
      : tensor<128x16384xf16>, tensor<16384x7488xf16> -> tensor<128x7488xf16>
    tsync.yield %y : tensor<128x7488xf16>
  }
  return %0 : tensor<128x7488xf16>
}
