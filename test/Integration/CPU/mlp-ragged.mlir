// RUN: grout-compile %s --mode=serial -o %t.serial.grout
// RUN: grout-run %t.serial.grout --device=cpu --workers=8 --check | FileCheck %s
// RUN: grout-compile %s --granularity=tile -o %t.tile.grout
// RUN: grout-run %t.tile.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s
// RUN: grout-compile %s --granularity=row -o %t.row.grout
// RUN: grout-run %t.row.grout --device=cpu --workers=3 --check --repeat=20 | FileCheck %s
// RUN: grout-compile %s --granularity=kernel -o %t.kernel.grout
// RUN: grout-run %t.kernel.grout --device=cpu --workers=1 --check | FileCheck %s

// No size is a multiple of a tile's. The results are written to outputs by
// tiles that wait for tiles of the first product.

// CHECK: y: relative error {{.*}}: passes

func.func @mlp(%x: tensor<101x75xf32>, %w1: tensor<75x139xf32>,
               %w2: tensor<139x83xf32>)
    -> (tensor<101x83xf32> {grout.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<101x139xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<101x139xf32>)
    -> tensor<101x139xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<101x75xf32>, tensor<75x139xf32>)
    outs(%z1 : tensor<101x139xf32>) -> tensor<101x139xf32>
  %e2 = tensor.empty() : tensor<101x83xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<101x83xf32>)
    -> tensor<101x83xf32>
  %y = linalg.matmul ins(%h, %w2 : tensor<101x139xf32>, tensor<139x83xf32>)
    outs(%z2 : tensor<101x83xf32>) -> tensor<101x83xf32>
  return %y : tensor<101x83xf32>
}
