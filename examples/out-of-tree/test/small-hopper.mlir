// Kernels for a processor from outside keep to its shared memory: these take
// less than 100,000 bytes, and those for an H200 more.
//
// RUN: image-opt %s --grout-pipeline='target=small-hopper mode=serial reference=false' | FileCheck %s
// RUN: image-opt %s --grout-pipeline='target=h200 mode=serial reference=false' | FileCheck %s --check-prefix=H200

// CHECK: module attributes {{.*}}#grout.target<"small-hopper">
// CHECK: launch.kernel {{.*}}shared_memory = {{.....}} : i64
// H200: launch.kernel {{.*}}shared_memory = {{......}} : i64

func.func @f(%x: tensor<512x1024xf16>, %w: tensor<1024x1024xf16>)
    -> tensor<512x1024xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<512x1024xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<512x1024xf16>)
       -> tensor<512x1024xf16>
  %y = linalg.matmul ins(%x, %w : tensor<512x1024xf16>, tensor<1024x1024xf16>)
       outs(%z : tensor<512x1024xf16>) -> tensor<512x1024xf16>
  return %y : tensor<512x1024xf16>
}
