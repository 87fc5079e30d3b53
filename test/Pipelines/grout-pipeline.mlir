// The whole pipeline on the main job, and its halves.

// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=h200 mode=persistent" | FileCheck %s --check-prefix=H200
// RUN: grout-opt %grout_source/examples/gpt3_mlp_small.mlir --grout-pipeline="target=cpu mode=serial reference=false" | FileCheck %s --check-prefix=CPU
// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=h200 mode=pdl reference=false" | FileCheck %s --check-prefix=PDL
// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=h200 mode=overlap reference=false" | FileCheck %s --check-prefix=OVERLAP
// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-synchronised-pipeline="target=h200 mode=pdl reference=false" | FileCheck %s --check-prefix=PDL-CHAIN
// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-synchronised-pipeline="target=h200 granularity=tile" | FileCheck %s --check-prefix=CHAIN
// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=h200 reference=false debug-sync-milliseconds=70" | FileCheck %s --check-prefix=WATCHDOG
// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=h200 mode=auto reference=false debug-sync-milliseconds=70" 2> %t.remarks | FileCheck %s --check-prefix=NO-WAITS
// RUN: FileCheck %s --check-prefix=WATCHES-NOTHING < %t.remarks
// RUN: not grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=cpu debug-sync-milliseconds=70" 2>&1 | FileCheck %s --check-prefix=WATCHDOG-CPU
// RUN: not grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-synchronised-pipeline="debug-sync-milliseconds=70" 2>&1 | FileCheck %s --check-prefix=WATCHDOG-CPU
// RUN: not grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=cpu scop-tree=none" 2>&1 | FileCheck %s --check-prefix=SCHEDULES-CPU
// SCHEDULES-CPU: error: scop-tree, scop-solver and scop-restructure need a GPU as target
// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=h200 mode=serial debug-sync-milliseconds=70" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WATCHES-NOTHING
// RUN: grout-opt %grout_source/examples/gpt3_mlp_small.mlir --grout-pipeline="target=cpu debug-sync-milliseconds=0" -o /dev/null
// RUN: not grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=b200" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="mode=fast" 2>&1 | FileCheck %s --check-prefix=MODE

// H200-DAG: launch.plan @mlp inputs 3
// H200-DAG: launch.plan @mlp_reference inputs 3 reference
// H200-DAG: gpu.module @mlp_kernels

// CPU-NOT: reference
// CPU: launch.plan @mlp inputs 3
// CPU-COUNT-2: launch.kernel
// CPU-NOT: launch.kernel

// Waits give up where there are any, and the launch says so. Mode auto chooses
// pdl here, which has none.
// WATCHDOG: launch.kernel "mlp_chain0" {{.*}}debug_sync_milliseconds = 70
// WATCHDOG: nvvm.read.ptx.sreg.globaltimer
// NO-WAITS-NOT: debug_sync_milliseconds
// NO-WAITS: launch.kernel "mlp_chain0_kernel1" {{.*}}programmatic
// NO-WAITS-NOT: debug_sync_milliseconds
// NO-WAITS-NOT: nvvm.read.ptx.sreg.globaltimer

// WATCHDOG-CPU: debug-sync-milliseconds needs a GPU as target: on the CPU, grout-run watches waits by itself
// WATCHES-NOTHING: remark: debug-sync-milliseconds has no effect: no kernel waits for a semaphore or for another rank

// PDL: launch.plan @mlp inputs 3
// PDL: launch.kernel "mlp_chain0_kernel0" {{.*}} after programmatic({{.*}}) args
// PDL: launch.kernel "mlp_chain0_kernel1" {{.*}} after programmatic({{.*}}) early [1] args
// PDL-NOT: launch.kernel
// PDL-COUNT-2: nvvm.kernel
// PDL-NOT: nvvm.kernel

// OVERLAP: launch.plan @mlp
// OVERLAP: %[[SEMAPHORES:.*]] = launch.semaphores
// OVERLAP: launch.kernel "mlp_chain0_kernel0" {{.*}} after programmatic({{.*}}) uses(%[[SEMAPHORES]]) args
// OVERLAP: launch.kernel "mlp_chain0_kernel1" {{.*}} after tile({{.*}}) early [1] uses(%[[SEMAPHORES]]) args {{.*}}#launch.arg<semaphores>
// OVERLAP-NOT: launch.kernel
// OVERLAP-COUNT-2: nvvm.kernel
// OVERLAP-NOT: nvvm.kernel

// Kernels wait for kernels, so there are no semaphores.
// PDL-CHAIN: tsync.chain mode(pdl)
// PDL-CHAIN: tsync.dependence {{.*}} relation
// PDL-CHAIN-NOT: policy

// CHAIN: tsync.chain mode(persistent) order [{{.*}}] residents(1)
// CHAIN-COUNT-2: tgemm.matmul
// CHAIN: tsync.dependence {{.*}} counts = [1]

// TARGET: error: unknown target 'b200'
// MODE: for the --mode option: Cannot find option named 'fast'!
