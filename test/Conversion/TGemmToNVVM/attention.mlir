// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=pdl reference=false" --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.pdl.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t.pdl.mlir
// RUN: FileCheck %s --check-prefix=PDL < %t.pdl.mlir
// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=overlap granularity=tile reference=false" --launch-form-plans --launch-schedule --convert-tiles-to-kernels > %t.overlap.mlir
// RUN: FileCheck %s --check-prefix=OVERLAP < %t.overlap.mlir
// RUN: grout-opt %t.overlap.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx -o /dev/null > %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=SHARED < %t.ptx
// RUN: FileCheck %s --check-prefix=DECODE < %t.ptx
// RUN: FileCheck %s --check-prefix=ZERO < %t.ptx
// RUN: %if ptxas %{ grout-opt %t.pdl.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}
// RUN: %if ptxas %{ grout-opt %t.overlap.mlir --convert-tsync-to-nvvm --grout-nvvm-kernel-pipeline --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null | FileCheck %s --check-prefix=REPORT %}

// A product of queries, keys and values; attention; a product with weights. Then
// attention of one query, with its keys split among eight blocks. Then both with
// queries that may have no keys, and give 0.

// Three kernels with tiles of their own, and a fixed grid for attention: a
// block for each of its 12 x 8 tiles, with 64 rows and four steps of keys.

// PLAN-LABEL: launch.plan @layer
// PLAN:       launch.kernel "layer_chain0_kernel1"
// PLAN-SAME:    (%{{[a-z0-9]+}}, %{{[a-z0-9]+}})
// PLAN:         tensor_map
// PLAN-LABEL: launch.plan @decode
// PLAN:       launch.kernel "decode_chain0_kernel0"

// In mode pdl, the loader waits for the launch before, and so does the storer,
// which then lets the next one start.

// PDL-LABEL: llvm.func @layer_chain0_kernel1(
// PDL-NOT:     griddepcontrol
// PDL:         nvvm.elect.sync
// PDL-NOT:     nvvm.cp.async
// PDL:         "griddepcontrol.wait;", "~{memory}"
// PDL:         nvvm.cp.async.bulk.tensor.shared.cluster.global
// PDL-NOT:     griddepcontrol
// PDL:         nvvm.elect.sync
// PDL-NOT:     nvvm.cp.async
// PDL:         "griddepcontrol.wait;", "~{memory}"
// PDL-NEXT:    "griddepcontrol.launch_dependents;", "~{memory}"
// PDL:         nvvm.cp.async.bulk.tensor.global.shared.cta
// PDL-NOT:     griddepcontrol
// PDL:       llvm.func @layer_chain0_kernel2(

// In mode overlap, the loader waits for the tiles of queries, then for those of
// keys and of values, step by step, before it loads anything; the storer posts
// when the result is written, and says that the block is finished.

// OVERLAP-LABEL: llvm.func @layer_chain0_kernel1(
// OVERLAP:         nvvm.elect.sync
// OVERLAP-NOT:     nvvm.cp.async
// OVERLAP:         tsync.wait {{.*}} proxy(async)
// OVERLAP-NOT:     nvvm.cp.async
// OVERLAP:         scf.for
// OVERLAP-NOT:     nvvm.cp.async
// OVERLAP:         tsync.wait {{.*}} proxy(async)
// OVERLAP-NOT:     nvvm.cp.async
// OVERLAP:         scf.for
// OVERLAP-NOT:     nvvm.cp.async
// OVERLAP:         tsync.wait {{.*}} proxy(async)
// OVERLAP-NOT:     tsync.wait
// OVERLAP:         nvvm.cp.async.bulk.tensor.shared.cluster.global
// OVERLAP:         nvvm.elect.sync
// OVERLAP:         nvvm.cp.async.bulk.tensor.global.shared.cta
// OVERLAP:         nvvm.cp.async.bulk.wait_group 0
// OVERLAP:         tsync.post {{.*}} proxy(async)
// OVERLAP:         llvm.atomicrmw
// OVERLAP:         "griddepcontrol.wait;", "~{memory}"
// OVERLAP:       llvm.func @layer_chain0_kernel2(

// Weights are an operand in registers. Of a step, its products and the sums of
// the step before are started before either is waited for; weights are rounded
// behind the second wait.

// PTX-LABEL: .visible .entry layer_chain0_kernel1(
// PTX-DAG:     fence.proxy.async.global;
// PTX-DAG:     ld.acquire.gpu.global
// PTX:         setmaxnreg.inc
// PTX:         wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// PTX:         wgmma.wait_group.sync.aligned 0;
// PTX:         shfl.sync.bfly
// PTX:         ex2.approx.ftz.f32
// PTX:         cvt.rn.f16x2.f32
// PTX:         wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// PTX:         wgmma.commit_group.sync.aligned;
// PTX-NOT:     wgmma.wait_group
// PTX:         wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %b, %keeps, 1, 1, 1;
// PTX:         wgmma.commit_group.sync.aligned;
// PTX:         wgmma.wait_group.sync.aligned 1;
// PTX-NOT:     cvt.rn.f16x2.f32
// PTX:         ex2.approx.ftz.f32
// PTX-NOT:     cvt.rn.f16x2.f32
// PTX:         wgmma.wait_group.sync.aligned 0;
// PTX:         stmatrix.sync.aligned
// PTX:         fence.proxy.async.shared::cta
// PTX:         mbarrier.arrive

// Two warpgroups split the steps of attention in a layer: what each leaves the
// other is there behind their barrier, and only then it puts the result where the
// queries were.

// SHARED-LABEL: .visible .entry layer_chain0_kernel1(
// SHARED:         bar.sync 0;
// SHARED-NOT:     st.shared.v4
// SHARED-NOT:     stmatrix
// SHARED:         st.shared.v4.{{[bf]}}32
// SHARED-NOT:     ld.shared.v4
// SHARED-NOT:     stmatrix
// SHARED:         bar.sync 1, 256;
// SHARED-NOT:     st.shared.v4
// SHARED:         ld.shared.v4.{{[bf]}}32
// SHARED:         stmatrix.sync.aligned
// SHARED:         ld.shared.v4.{{[bf]}}32
// SHARED:         stmatrix.sync.aligned
// SHARED-NOT:     bar.sync
// SHARED:         ret;

// All blocks have started when they send each other largest scores and sums, and
// sums of values. What has been sent is there before it is read, and nothing is
// sent after that.

// DECODE-LABEL: .visible .entry decode_chain0_kernel0(
// DECODE:         barrier.cluster.arrive.relaxed;
// DECODE:         barrier.cluster.wait;
// DECODE:         mapa.shared::cluster.u64 %[[STATISTICS:rd[0-9]+]], %{{rd[0-9]+}}, 0;
// DECODE-NEXT:    st.shared::cluster.v2.{{[bf]}}32 [%[[STATISTICS]]]
// DECODE:         mapa.shared::cluster.u64 %[[PART:rd[0-9]+]], %{{rd[0-9]+}}, 0;
// DECODE-NEXT:    st.shared::cluster.v2.{{[bf]}}32 [%[[PART]]]
// DECODE:         mapa.shared::cluster.u64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, 7;
// DECODE:         barrier.cluster.arrive;
// DECODE-NEXT:    barrier.cluster.wait;
// DECODE-NOT:     shared::cluster
// DECODE:         ld.shared.v2.{{[bf]}}32
// DECODE:         ld.shared.v4.{{[bf]}}32
// DECODE-NOT:     shared::cluster
// DECODE:         st.global.v2.b32
// DECODE-NOT:     barrier.cluster.arrive
// DECODE:         barrier.cluster.wait;
// DECODE-NOT:     cluster
// DECODE:         ret;

// Rows without keys have a total of 0, of one block or of a cluster's.

// ZERO-LABEL: .visible .entry padded_chain0_kernel0(
// ZERO:         setp.eq.f32 %[[NONE:p[0-9]+]], %{{[rf][0-9]+}}, 0f00000000;
// ZERO-NEXT:    selp.f32 %{{[rf][0-9]+}}, 0f00000000, %{{[rf][0-9]+}}, %[[NONE]];
// ZERO:         stmatrix.sync.aligned
// ZERO-LABEL: .visible .entry padded_decode_chain0_kernel0(
// ZERO:         barrier.cluster.arrive;
// ZERO:         setp.eq.f32 %[[NONE:p[0-9]+]], %[[TOTAL:[rf][0-9]+]], 0f00000000;
// ZERO:         selp.f32 %{{[rf][0-9]+}}, 0f00000000, %{{[rf][0-9]+}}, %[[NONE]];
// ZERO:         st.global

// REPORT: {{^}}layer_chain0_kernel1: 168 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads
// REPORT: {{^}}decode_chain0_kernel0: 128 registers, 0 bytes stack, 0 bytes spill stores, 0 bytes spill loads

#positions_first = affine_map<(b, h, i, d) -> (b, i, h, d)>

func.func @layer(%x: tensor<512x768xf16>, %w: tensor<768x2304xf16>, %p: tensor<768x768xf16>) -> tensor<512x768xf16> {
  %h = tgemm.matmul %x, %w : tensor<512x768xf16>, tensor<768x2304xf16> -> tensor<512x2304xf16>
  %q0 = tensor.extract_slice %h[0, 0] [512, 768] [1, 1] : tensor<512x2304xf16> to tensor<512x768xf16>
  %k0 = tensor.extract_slice %h[0, 768] [512, 768] [1, 1] : tensor<512x2304xf16> to tensor<512x768xf16>
  %v0 = tensor.extract_slice %h[0, 1536] [512, 768] [1, 1] : tensor<512x2304xf16> to tensor<512x768xf16>
  %q = tensor.expand_shape %q0 [[0, 1], [2, 3]] output_shape [1, 512, 12, 64] : tensor<512x768xf16> into tensor<1x512x12x64xf16>
  %k = tensor.expand_shape %k0 [[0, 1], [2, 3]] output_shape [1, 512, 12, 64] : tensor<512x768xf16> into tensor<1x512x12x64xf16>
  %v = tensor.expand_shape %v0 [[0, 1], [2, 3]] output_shape [1, 512, 12, 64] : tensor<512x768xf16> into tensor<1x512x12x64xf16>
  %a = tgemm.attention %q, %k, %v {
    scale = 0.125 : f32, causal = 0,
    layouts = [#positions_first, #positions_first, #positions_first, #positions_first]
  } : tensor<1x512x12x64xf16>, tensor<1x512x12x64xf16>, tensor<1x512x12x64xf16> -> tensor<1x512x12x64xf16>
  %c = tensor.collapse_shape %a [[0, 1], [2, 3]] : tensor<1x512x12x64xf16> into tensor<512x768xf16>
  %y = tgemm.matmul %c, %p : tensor<512x768xf16>, tensor<768x768xf16> -> tensor<512x768xf16>
  return %y : tensor<512x768xf16>
}

func.func @decode(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x2048x128xf16>, %v: tensor<1x8x2048x128xf16>) -> tensor<1x32x1x128xf16> {
  %0 = tgemm.attention %q, %k, %v {scale = 0.0884 : f32} : tensor<1x32x1x128xf16>, tensor<1x8x2048x128xf16>, tensor<1x8x2048x128xf16> -> tensor<1x32x1x128xf16>
  return %0 : tensor<1x32x1x128xf16>
}

#key = affine_map<(b, h, i, j) -> (j)>

func.func @padded(%q: tensor<1x4x128x64xf16>, %k: tensor<1x4x128x64xf16>, %v: tensor<1x4x128x64xf16>, %mask: tensor<128xf32>) -> tensor<1x4x128x64xf16> {
  %0 = tgemm.attention %q, %k, %v bias(%mask : tensor<128xf32>) {scale = 0.125 : f32, bias_map = #key, zero_without_keys}
    : tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16>, tensor<1x4x128x64xf16> -> tensor<1x4x128x64xf16>
  return %0 : tensor<1x4x128x64xf16>
}

func.func @padded_decode(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x2048x128xf16>, %v: tensor<1x8x2048x128xf16>, %mask: tensor<2048xf32>) -> tensor<1x32x1x128xf16> {
  %0 = tgemm.attention %q, %k, %v bias(%mask : tensor<2048xf32>) {scale = 0.0884 : f32, bias_map = #key, zero_without_keys}
    : tensor<1x32x1x128xf16>, tensor<1x8x2048x128xf16>, tensor<1x8x2048x128xf16> -> tensor<1x32x1x128xf16>
  return %0 : tensor<1x32x1x128xf16>
}
