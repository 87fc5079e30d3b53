// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=persistent}))' 2>&1 | FileCheck %s --check-prefixes=SAID,CHECK
// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=pdl}))' 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: grout-opt %s -pass-pipeline='builtin.module(func.func(tsync-form-chains{mode=auto}))' 2>&1 | FileCheck %s --implicit-check-not=remark

// A chain of the input stays as it is.

// SAID: form-chains-given.mlir:[[@LINE+3]]:8: remark: the chain stays in mode pdl, which it has in the input: mode persistent is for chains that are formed
// CHECK: tsync.chain mode(pdl)
func.func @given(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(pdl) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %h : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
