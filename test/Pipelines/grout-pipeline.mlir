// The whole pipeline on the main job, and its halves.

// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=h200 mode=persistent" | FileCheck %s --check-prefix=H200
// RUN: grout-opt %grout_source/examples/gpt3_mlp_small.mlir --grout-pipeline="target=cpu mode=serial reference=false" | FileCheck %s --check-prefix=CPU
// RUN: grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-synchronised-pipeline="target=h200 granularity=tile" | FileCheck %s --check-prefix=CHAIN
// RUN: not grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="target=h100" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not grout-opt %grout_source/examples/gpt3_mlp.mlir --grout-pipeline="mode=fast" 2>&1 | FileCheck %s --check-prefix=MODE

// H200-DAG: launch.plan @mlp inputs 3
// H200-DAG: launch.plan @mlp_reference inputs 3 reference
// H200-DAG: gpu.module @mlp_kernels

// CPU-NOT: reference
// CPU: launch.plan @mlp inputs 3
// CPU-COUNT-2: launch.kernel
// CPU-NOT: launch.kernel

// CHAIN: tsync.chain mode(persistent) order [{{.*}}] residents(1)
// CHAIN-COUNT-2: tgemm.matmul
// CHAIN: tsync.dependence {{.*}} counts = [1]

// TARGET: error: unknown target 'h100'
// MODE: error: unknown mode 'fast'
