// RUN: grout-opt %s -convert-linalg-to-tgemm=remark-memory-bound=false -verify-diagnostics=only-expected -o /dev/null
// RUN: grout-opt %s -convert-linalg-to-tgemm=remark-memory-bound=false -o /dev/null 2>&1 | FileCheck %s
// RUN: not grout-opt %s --grout-synchronised-pipeline="target=h200 reference=false" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED

// Where other passes lower what is bound by memory, as for a GPU, only what is
// bound by arithmetic is named.

// CHECK-NOT: is not converted
// CHECK: remark: linalg.matmul is not converted
// CHECK-NOT: linalg.{{exp|matvec|softmax}} is not converted

// A pipeline refuses it, with the reason.
// REFUSED-NOT: remark:
// REFUSED: error: 'linalg.matmul' cannot be compiled for h200: it multiplies 'f16' by 'f32'; both must have one type

func.func @f(%x: tensor<8x8xf16>, %y: tensor<8x8xf32>, %v: tensor<8xf32>)
    -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %exp = linalg.exp ins(%y : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %row = arith.constant dense<0.0> : tensor<8xf32>
  %matvec = linalg.matvec ins(%y, %v : tensor<8x8xf32>, tensor<8xf32>) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  // expected-remark @+1 {{linalg.matmul is not converted: it multiplies 'f16' by 'f32'; both must have one type}}
  %product = linalg.matmul ins(%x, %y : tensor<8x8xf16>, tensor<8x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %exp, %matvec, %product : tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>
}
