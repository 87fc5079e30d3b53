// RUN: grout-compile %s --granularity=tile -o %t.grout
// RUN: grout-run %t.grout --device=cpu --workers=8 --check --repeat=20 | FileCheck %s

// The rows of a batch become rows of one matrix. A batch has 70, a tile 32: a
// tile of the second product reads parts of two or three tiles of the first,
// and tiles with the same readers lie in several batches.

// CHECK: result0: relative error {{.*}}: passes

func.func @rows(%x: tensor<5x70x72xf32>, %w1: tensor<5x72x104xf32>,
                %w2: tensor<104x200xf32>) -> tensor<350x200xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<5x70x104xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5x70x104xf32>)
    -> tensor<5x70x104xf32>
  %h = linalg.batch_matmul
    ins(%x, %w1 : tensor<5x70x72xf32>, tensor<5x72x104xf32>)
    outs(%z1 : tensor<5x70x104xf32>) -> tensor<5x70x104xf32>
  %rows = tensor.collapse_shape %h [[0, 1], [2]]
    : tensor<5x70x104xf32> into tensor<350x104xf32>
  %e2 = tensor.empty() : tensor<350x200xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<350x200xf32>)
    -> tensor<350x200xf32>
  %y = linalg.matmul ins(%rows, %w2 : tensor<350x104xf32>, tensor<104x200xf32>)
    outs(%z2 : tensor<350x200xf32>) -> tensor<350x200xf32>
  return %y : tensor<350x200xf32>
}
