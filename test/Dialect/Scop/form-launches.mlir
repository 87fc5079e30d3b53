// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-form-launches))' | FileCheck %s
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-form-launches,scop-schedule{tree=auto},scop-verify-schedule))' -o /dev/null
// RUN: not grout-opt %s --grout-set-target=name=none --scop-form-launches 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown target 'none'
// RUN: grout-opt %s -split-input-file --pass-pipeline='builtin.module(grout-set-target{name=h200},func.func(convert-linalg-to-scop,scop-form-launches{max-operations=100}))' 2>&1 | FileCheck %s --check-prefix=WHOLE

// WHOLE: remark: stays one kernel: gave up: the operation budget of the integer set library ran out
// WHOLE-LABEL: func.func @sum_of_squares(
// WHOLE-COUNT-1: scop.kernel
// WHOLE-NOT: scop.kernel
// WHOLE-LABEL: func.func @few(

// One block would sum what all blocks compute: two launches, with a tensor
// between them.

// CHECK-LABEL: func.func @sum_of_squares(
// CHECK: %[[SQUARES:.*]] = scop.kernel
// CHECK: scop.stmt @S0 domain [1024, 1024]
// CHECK: scop.kernel ins(%[[SQUARES]] : tensor<1024x1024xf32>)
// CHECK: scop.stmt @S1 domain []
// CHECK: scop.stmt @S2 domain [1024, 1024]
func.func @sum_of_squares(%x: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %s = linalg.square ins(%x : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %ez = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%s : tensor<1024x1024xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %s, %r : tensor<1024x1024xf32>, tensor<f32>
}

// -----

// Few data are done by one block at once.

// CHECK-LABEL: func.func @few(
// CHECK-COUNT-1: scop.kernel
// CHECK-NOT: scop.kernel
func.func @few(%x: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %s = linalg.square ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %ez = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%ez : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%s : tensor<16x16xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %s, %r : tensor<16x16xf32>, tensor<f32>
}

// -----

// What is read transposed is in other threads.

// CHECK-LABEL: func.func @symmetric(
// CHECK: scop.kernel
// CHECK: scop.stmt @S0 domain [512, 512]
// CHECK: scop.kernel
// CHECK: scop.stmt @S1 domain [512, 512]
func.func @symmetric(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x512xf32>
  %s = linalg.exp ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s, %s : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
