// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=serial}))' | FileCheck %s
// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=pdl}))' | FileCheck %s --check-prefix=PDL
// RUN: not grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=fast}))' 2>&1 | FileCheck %s --check-prefix=MODE

// MODE: error: unknown mode 'fast'; modes are serial, pdl and persistent

// PDL-COUNT-3: tsync.chain mode(pdl)

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

// An op that is neither splits the chain.
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
