// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=serial}))' | FileCheck %s
// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=pdl}))' | FileCheck %s --check-prefix=PDL
// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=overlap}))' | FileCheck %s --check-prefix=OVERLAP
// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=auto}))' | FileCheck %s --check-prefix=AUTO
// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=persistent}))' | FileCheck %s --check-prefix=PERSISTENT
// RUN: not grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=fast}))' 2>&1 | FileCheck %s --check-prefix=MODE

// MODE: for the --mode option: Cannot find option named 'fast'!

// PDL-COUNT-4: tsync.chain mode(pdl)
// OVERLAP-COUNT-4: tsync.chain mode(overlap)

// Kernels and views go into one chain; constants move before it.
// CHECK-LABEL: func.func @one_chain
// CHECK: arith.constant
// CHECK: %[[R:.*]] = tsync.chain mode(serial) : tensor<64x64xf16>
// CHECK:   tgemm.matmul
// CHECK:   tensor.extract_slice
// CHECK:   %[[O:.*]] = tgemm.matmul
// CHECK:   tsync.yield %[[O]]
// CHECK: return %[[R]]
func.func @one_chain(%x: tensor<64x64xf16>, %w: tensor<64x128xf16>) -> tensor<64x64xf16> {
  %h = tgemm.matmul %x, %w : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf16>
  %c = arith.constant 1.0 : f32
  %s = tensor.extract_slice %h[0, 64] [64, 64] [1, 1] : tensor<64x128xf16> to tensor<64x64xf16>
  %o = tgemm.matmul %s, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %o : tensor<64x64xf16>
}

// So does every other pure op that needs nothing of the chain: the linalg.fill
// that a kernel starts from, views of what was there before, and what is refused
// later.
// CHECK-LABEL: func.func @independent
// CHECK-SAME:    (%[[X:.*]]: tensor<64x64xf32>)
// CHECK:         %[[FILL:.*]] = linalg.fill
// CHECK:         %[[VIEW:.*]] = tensor.extract_slice %[[X]]
// CHECK:         tensor.pad %[[VIEW]]
// CHECK:         tsync.chain
// CHECK-NEXT:      tgemm.matmul
// CHECK-NEXT:      linalg.matmul {{.*}} outs(%[[FILL]] : tensor<64x64xf32>)
// CHECK-NEXT:      tgemm.matmul
// CHECK-NEXT:      tsync.yield
func.func @independent(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %h = tgemm.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = linalg.matmul {grout.tile_sizes = array<i64: 32, 32, 32>}
    ins(%h, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = tensor.extract_slice %x[0, 0] [64, 32] [1, 1] : tensor<64x64xf32> to tensor<64x32xf32>
  %p = tensor.pad %s low[0, 32] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<64x32xf32> to tensor<64x64xf32>
  %o = tgemm.matmul %g, %p : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}

// An op in whose region there is a result of the chain depends on it.
// CHECK-LABEL: func.func @captured
// CHECK: %[[H:.*]] = tsync.chain
// CHECK: tensor.extract %[[H]]
// CHECK: tsync.chain
func.func @captured(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = arith.constant 0 : index
  %h = tgemm.matmul %x, %x : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %p = tensor.generate {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %h[%c, %j] : tensor<64x64xf32>
    tensor.yield %v : f32
  } : tensor<64x64xf32>
  %o = tgemm.matmul %p, %x : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}

// An op that is neither a kernel nor a view, and needs the chain, splits it.
// CHECK-LABEL: func.func @split
// CHECK: %[[H:.*]] = tsync.chain
// CHECK: tensor.pad %[[H]]
// CHECK: tsync.chain
func.func @split(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %zero = arith.constant 0.0 : f16
  %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  %p = tensor.pad %h low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f16
  } : tensor<64x64xf16> to tensor<64x64xf16>
  %o = tgemm.matmul %p, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %o : tensor<64x64xf16>
}

// Modes by edge are chosen when there are edges.
// AUTO-LABEL: func.func @by_edge
// AUTO-NOT:   tsync.execution
// AUTO:       tsync.chain mode(overlap) selects_edges
func.func @by_edge(%x: tensor<64x64xf16>) -> tensor<64x64xf16> attributes {tsync.execution = #tsync.execution<overlap, selects_edges>} {
  %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %h : tensor<64x64xf16>
}

// AUTO-LABEL: func.func @by_launch
// AUTO:       tsync.chain mode(pdl) selects_edges
func.func @by_launch(%x: tensor<64x64xf16>) -> tensor<64x64xf16> attributes {tsync.execution = #tsync.execution<pdl, selects_edges>} {
  %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %h : tensor<64x64xf16>
}

// In mode persistent, a chain is one launch, which some kernels need for
// themselves.
// CHECK-LABEL:      func.func @own_launch
// CHECK:              tsync.chain
// CHECK-NOT:          tsync.chain
// PERSISTENT-LABEL: func.func @own_launch
// PERSISTENT:         %[[A:.*]] = tsync.chain mode(persistent)
// PERSISTENT-NEXT:      tgemm.matmul
// PERSISTENT-NEXT:      tsync.yield
// PERSISTENT:         %[[B:.*]] = tsync.chain mode(persistent)
// PERSISTENT-NEXT:      tgemm.matmul %[[A]], {{.*}}{tsync.own_launch}
// PERSISTENT-NEXT:      tsync.yield
// PERSISTENT:         tsync.chain mode(persistent)
// PERSISTENT-NEXT:      tgemm.matmul %[[B]]
// PERSISTENT-NEXT:      tsync.yield
func.func @own_launch(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %a = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  %b = tgemm.matmul %a, %x {tsync.own_launch} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  %c = tgemm.matmul %b, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}
