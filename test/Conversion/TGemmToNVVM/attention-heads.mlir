// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=pdl reference=false" --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.mlir
// RUN: grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=EXP < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// Decoding with 7, 71 and 6 heads of queries for each head of keys.

// Nine queries of 7 heads are 63 rows, of which one query's come and are sent.

// PLAN-LABEL: launch.plan @sevens
// PLAN:         tensor_map, operand = 0, sizes = [128, 28, 1, 1], strides = [256, 16, 16], box = [64, 7, 9, 1]
// PTX-LABEL:  .visible .entry sevens_chain0_kernel0(
// PTX:          mov.b32 %[[BYTES:r[0-9]+]], 16128;
// PTX:          mbarrier.arrive.expect_tx.shared.b64 %{{.+}}, %[[BYTES]];
// PTX:          setp.gt.u32 %{{p[0-9]+}}, %{{r[0-9]+}}, 6;
// PTX:          st.shared::cluster
// PTX:          barrier.cluster.arrive;
// PTX:          st.global.v2.b32

// Seven rows are the first of a thread's two: in each of three loops it has 16
// weights of a step of 64 keys and the factor of what was before, and it joins
// what 8 blocks have. Of 36 rows, it has two: in one step of 128 keys twice 32.

// EXP-LABEL:  .visible .entry sevens_chain0_kernel0(
// EXP-COUNT-59: ex2.approx
// EXP-NOT:      ex2.approx
// EXP-LABEL:  .visible .entry left_over_chain0_kernel0(
// EXP-COUNT-74: ex2.approx
// EXP-NOT:      ex2.approx
// EXP-LABEL:  .visible .entry parts_chain0_kernel0(

// Two tiles of 36 heads, of which the second has 35: those that there are, are
// stored.

// PLAN-LABEL: launch.plan @left_over
// PLAN:         tensor_map, operand = 0, sizes = [64, 71, 1, 1], strides = [128, 16, 16], box = [64, 36, 1, 1]
// PTX-LABEL:  .visible .entry left_over_chain0_kernel0(
// PTX:          mov.b32 %[[BYTES:r[0-9]+]], 4608;
// PTX:          mbarrier.arrive.expect_tx.shared.b64 %{{.+}}, %[[BYTES]];
// PTX:          setp.gt.u32 %{{p[0-9]+}}, %{{r[0-9]+}}, 35;
// PTX:          st.shared::cluster
// PTX:          barrier.cluster.arrive;
// PTX:          setp.gt.u32 %[[NONE:p[0-9]+]], %{{r[0-9]+}}, 70;
// PTX:          @%[[NONE]] bra
// PTX:          st.global.v2.b32

// Keys in parts, whose steps two warpgroups of eight blocks split: each block
// takes what 16 warpgroups send. The sums of a part are f32, with the largest
// score and the sum of the exponentials behind them.

// PLAN-LABEL: launch.plan @parts
// PLAN:         launch.kernel "parts_chain0_kernel0"
// PLAN:         launch.kernel "parts_chain0_kernel1"
// PTX-LABEL:  .visible .entry parts_chain0_kernel0(
// PTX:        .reqntid 384, 1, 1
// PTX-COUNT-8:  st.shared::cluster.v2.{{[bf]}}32 [%{{rd[0-9]+}}+32]
// PTX:          barrier.cluster.arrive;
// PTX-COUNT-16: ld.shared.v2.{{[bf]}}32
// PTX-COUNT-16: ld.shared.v4.{{[bf]}}32
// PTX:          st.global.v4.{{[bf]}}32
// PTX:          st.global.v4.{{[bf]}}32 [%{{rd[0-9]+}}+512]
// PTX-NOT:      st.global
// PTX:        .visible .entry parts_chain0_kernel1(
// PTX:          griddepcontrol.wait;
// PTX:          ex2.approx
// PTX:          st.global

// REPORT-DAG: {{^}}sevens_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: {{^}}left_over_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT-DAG: {{^}}parts_chain0_kernel0: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

func.func @sevens(%q: tensor<1x28x1x128xf16>, %k: tensor<1x4x1024x128xf16>) -> tensor<1x28x1x128xf16> {
  %0 = tgemm.attention %q, %k, %k {scale = 0.0884 : f32} : tensor<1x28x1x128xf16>, tensor<1x4x1024x128xf16>, tensor<1x4x1024x128xf16> -> tensor<1x28x1x128xf16>
  return %0 : tensor<1x28x1x128xf16>
}

func.func @left_over(%q: tensor<1x71x1x64xf16>, %k: tensor<1x1x1024x64xf16>) -> tensor<1x71x1x64xf16> {
  %0 = tgemm.attention %q, %k, %k {scale = 0.125 : f32} : tensor<1x71x1x64xf16>, tensor<1x1x1024x64xf16>, tensor<1x1x1024x64xf16> -> tensor<1x71x1x64xf16>
  return %0 : tensor<1x71x1x64xf16>
}

func.func @parts(%q: tensor<1x12x1x128xf16>, %k: tensor<1x2x32768x128xf16>) -> tensor<1x12x1x128xf16> {
  %0 = tgemm.attention %q, %k, %k {scale = 0.0884 : f32} : tensor<1x12x1x128xf16>, tensor<1x2x32768x128xf16>, tensor<1x2x32768x128xf16> -> tensor<1x12x1x128xf16>
  return %0 : tensor<1x12x1x128xf16>
}
