// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-reference | FileCheck %s
// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-reference \
// RUN:   --grout-nvvm-kernel-pipeline | FileCheck %s --check-prefix=LOWERED

// A thread for each element, in f32; the sum is f64. What a GPU has no instruction for is a
// polynomial, so that no library is called.

// CHECK-LABEL: gpu.module @f_reference_kernels [#nvvm.target<{{.*}}chip = "sm_90a"
// CHECK:         llvm.func @f_reference_kernel0(%[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>}
// CHECK-DAG:       nvvm.read.ptx.sreg.ctaid.x
// CHECK-DAG:       nvvm.read.ptx.sreg.tid.x
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c960
// CHECK:           scf.if %[[INSIDE]]
// CHECK:             %[[SUM:.*]] = scf.for {{.*}} -> (f64)
// CHECK-NOT:         math.tanh
// CHECK:               %[[WIDE:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK-NEXT:          arith.addf %{{.*}}, %[[WIDE]] : f64
// CHECK:               scf.yield
// CHECK:             %[[RESULT:.*]] = arith.truncf %[[SUM]] : f64 to f32
// CHECK:             llvm.store %[[RESULT]]
// CHECK-LABEL: launch.plan @f_reference inputs 2 reference
// CHECK:         launch.kernel "f_reference_kernel0" @f_reference_kernels [@f_reference_kernel0]
// CHECK-SAME:      grids {{\[}}[4]]
// CHECK-NOT:       order
// CHECK-SAME:      block = 256

// LOWERED-LABEL: gpu.module @f_reference_kernels
// LOWERED-NOT: {{scf|arith|math}}.
// LOWERED-LABEL: launch.plan

func.func @f(%a: tensor<24x32xf32>, %b: tensor<32x40xf32>) -> tensor<24x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x40xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<24x32xf32>, tensor<32x40xf32>)
      outs(%zeros : tensor<24x40xf32>) {
  ^bb0(%u: f32, %v: f32, %c: f32):
    %t = math.tanh %u : f32
    %m = arith.mulf %t, %v : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<24x40xf32>
  return %y : tensor<24x40xf32>
}
