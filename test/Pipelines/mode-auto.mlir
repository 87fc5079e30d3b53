// RUN: grout-opt %s --grout-synchronised-pipeline="target=h200 mode=auto reference=false" | FileCheck %s --check-prefixes=CHECK,H200
// RUN: grout-opt %s --grout-synchronised-pipeline="target=cpu mode=auto reference=false" | FileCheck %s --check-prefixes=CHECK,CPU

// Mode auto chooses for each function by modelled times. Where all tiles of each
// product run at once, or last waves are full, that is pdl, or serial where blocks
// should start at the same time, by launch if only some should; where last waves
// leave much unused, the next product's tiles fill some of it. They do in one
// kernel, or in kernels of their own (overlap) where blocks cannot have one form;
// there each kernel waits for tiles only if that is worth it. On a CPU tiles always
// wait for tiles. Choices are left to later passes in attributes, which are removed.

// CHECK-NOT: tsync.execution

// CHECK-LABEL: func.func @one_wave(
// H200:          tsync.chain mode(pdl)
// CPU:           tsync.chain mode(persistent)
func.func @one_wave(%x: tensor<64x768xf16>, %w1: tensor<768x3072xf16>, %w2: tensor<3072x768xf16>) -> tensor<64x768xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<64x768xf16>, tensor<768x3072xf16> -> tensor<64x3072xf16>
  %y = tgemm.matmul %h, %w2 : tensor<64x3072xf16>, tensor<3072x768xf16> -> tensor<64x768xf16>
  return %y : tensor<64x768xf16>
}

// CHECK-LABEL: func.func @full_waves(
// H200:          tsync.chain mode(pdl)
// CPU:           tsync.chain mode(persistent)
func.func @full_waves(%x: tensor<8192x4096xf16>, %w1: tensor<4096x8192xf16>, %w2: tensor<8192x4096xf16>) -> tensor<8192x4096xf16> {
  %h = tgemm.matmul %x, %w1 : tensor<8192x4096xf16>, tensor<4096x8192xf16> -> tensor<8192x8192xf16>
  %y = tgemm.matmul %h, %w2 : tensor<8192x8192xf16>, tensor<8192x4096xf16> -> tensor<8192x4096xf16>
  return %y : tensor<8192x4096xf16>
}

// Of 140 tiles, 132 run at once, and 8 in a wave of their own.

// CHECK-LABEL: func.func @uneven_waves(
// CHECK:         tsync.chain mode(persistent)
func.func @uneven_waves(%x: tensor<2560x4096xf16>, %w1: tensor<4096x896xf16>, %w2: tensor<896x896xf16>) -> tensor<2560x896xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
    : tensor<2560x4096xf16>, tensor<4096x896xf16> -> tensor<2560x896xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
    : tensor<2560x896xf16>, tensor<896x896xf16> -> tensor<2560x896xf16>
  return %y : tensor<2560x896xf16>
}

// The same, but the second product has clusters, as the first one has not.

// CHECK-LABEL: func.func @uneven_forms(
// H200:          tsync.chain mode(overlap)
// CPU:           tsync.chain mode(persistent)
func.func @uneven_forms(%x: tensor<2560x4096xf16>, %w1: tensor<4096x896xf16>, %w2: tensor<896x896xf16>) -> tensor<2560x896xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
    : tensor<2560x4096xf16>, tensor<4096x896xf16> -> tensor<2560x896xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 256, n = 128, k = 64, stages = 4, cluster_m = 2>}
    : tensor<2560x896xf16>, tensor<896x896xf16> -> tensor<2560x896xf16>
  return %y : tensor<2560x896xf16>
}

// Single blocks that read the same at the same time do so only if they start at
// the same time: in order.

// CHECK-LABEL: func.func @in_order(
// H200:          tsync.chain mode(pdl)
// H200:            tsync.dependence {{.*}} mode(serial)
// CPU:           tsync.chain mode(persistent)
func.func @in_order(%x: tensor<384x12288xf16>, %w1: tensor<12288x6144xf16>, %w2: tensor<6144x12288xf16>) -> tensor<384x12288xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 192, n = 192, k = 64, stages = 3, split_k = 2>}
    : tensor<384x12288xf16>, tensor<12288x6144xf16> -> tensor<384x6144xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 192, n = 192, k = 64, stages = 4>}
    : tensor<384x6144xf16>, tensor<6144x12288xf16> -> tensor<384x12288xf16>
  return %y : tensor<384x12288xf16>
}

// By launch: so do only the blocks of the second product, whose operands take the
// longest to read.

// CHECK-LABEL: func.func @by_launch(
// H200:          tsync.chain mode(pdl)
// H200:          %[[G:.*]] = tgemm.matmul
// H200:          %[[H:.*]] = tgemm.matmul %[[G]]
// H200:          %[[Y:.*]] = tgemm.matmul %[[H]]
// H200:          tsync.dependence %[[G]] -> %[[H]] operand 0 relation "{{[^"]*}}" mode(serial) :
// H200:          tsync.dependence %[[H]] -> %[[Y]] operand 0 relation "{{[^"]*}}" :
// CPU:           tsync.chain mode(persistent)
func.func @by_launch(%x: tensor<384x1024xf16>, %w1: tensor<1024x5120xf16>, %w2: tensor<5120x5120xf16>, %w3: tensor<5120x1024xf16>) -> tensor<384x1024xf16> {
  %g = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 7>}
    : tensor<384x1024xf16>, tensor<1024x5120xf16> -> tensor<384x5120xf16>
  %h = tgemm.matmul %g, %w2 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 7>}
    : tensor<384x5120xf16>, tensor<5120x5120xf16> -> tensor<384x5120xf16>
  %y = tgemm.matmul %h, %w3 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 5, split_k = 4>}
    : tensor<384x5120xf16>, tensor<5120x1024xf16> -> tensor<384x1024xf16>
  return %y : tensor<384x1024xf16>
}

// By edge: tiles of the second product wait for those of the first, whose last wave
// is nearly empty. What follows the second one's only wave waits for its launch, as
// do memory-bound kernels and what follows them.

// CHECK-LABEL: func.func @by_edge(
// H200:          tsync.chain mode(overlap)
// H200:          %[[H:.*]] = tgemm.matmul
// H200:          %[[Y:.*]] = tgemm.matmul %[[H]]
// H200:          %[[Z:.*]] = tgemm.matmul %[[Y]]
// H200:          %[[N:.*]] = scop.kernel
// H200:          %[[V:.*]] = tensor.expand_shape %[[N]]
// H200:          %[[O:.*]] = tgemm.matmul %[[V]]
// H200:          tsync.dependence %[[H]] -> %[[Y]] operand 0 relation "{{[^"]*}}" policy
// H200:          tsync.dependence %[[Y]] -> %[[Z]] operand 0 relation "{{[^"]*}}" mode(pdl) :
// H200:          tsync.dependence %[[Z]] -> %[[N]] operand 0 relation "{{[^"]*}}" mode(pdl) :
// H200:          tsync.dependence %[[N]] -> %[[O]] operand 0 relation "{{[^"]*}}" mode(pdl) :
// CPU:           tsync.chain mode(persistent)
func.func @by_edge(%x: tensor<2560x4096xf16>, %w1: tensor<4096x896xf16>, %w2: tensor<896x512xf16>, %w3: tensor<512x512xf16>, %w4: tensor<512x512xf16>) -> tensor<2560x512xf16> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 128, n = 128, k = 64, stages = 4>}
    : tensor<2560x4096xf16>, tensor<4096x896xf16> -> tensor<2560x896xf16>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 256, n = 128, k = 64, stages = 4, cluster_m = 2>}
    : tensor<2560x896xf16>, tensor<896x512xf16> -> tensor<2560x512xf16>
  %z = tgemm.matmul %y, %w3 : tensor<2560x512xf16>, tensor<512x512xf16> -> tensor<2560x512xf16>
  %e = tensor.empty() : tensor<2560x512xf16>
  %n = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%z : tensor<2560x512xf16>) outs(%e : tensor<2560x512xf16>) {
  ^bb0(%v: f16, %_: f16):
    %r = math.rsqrt %v : f16
    linalg.yield %r : f16
  } -> tensor<2560x512xf16>
  %o = tgemm.matmul %n, %w4 : tensor<2560x512xf16>, tensor<512x512xf16> -> tensor<2560x512xf16>
  return %o : tensor<2560x512xf16>
}

// CHECK-NOT: tsync.execution
