// RUN: grout-opt %s --grout-synchronised-pipeline="target=cpu" | FileCheck %s --check-prefix=HALF
// RUN: grout-opt %s --grout-synchronised-pipeline="target=cpu" | grout-compile - --target=cpu -o %t.grout
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s --check-prefix=CHECKED
// RUN: grout-opt %s --grout-synchronised-pipeline="target=cpu reference=false" | grout-compile - --target=cpu -o %t.grout
// RUN: grout-run %t.grout --device=cpu --check | FileCheck %s --check-prefix=CHECKED
// RUN: grout-opt %s --grout-synchronised-pipeline="target=cpu" | not grout-compile - --target=h200 -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER

// What the first half of the pipeline prints, to be looked at or edited, is
// compiled by the second, with a reference or without. Names that Grout makes
// are those that nobody has.

// HALF: func.func @two(
// HALF: tsync.chain
// HALF: launch.plan @two_reference_0 inputs 3 reference of @two
// CHECKED: relative error {{.*}}: passes
// OTHER: error: is compiled for #grout.target<"h200">, but has #grout.target<"cpu">
func.func @two(%x: tensor<128x64xf32>, %w1: tensor<64x32xf32>, %w2: tensor<32x64xf32>) -> tensor<128x64xf32> {
  %h = tgemm.matmul %x, %w1 {tiling = #tgemm.tiling<m = 64, n = 32, k = 32>} : tensor<128x64xf32>, tensor<64x32xf32> -> tensor<128x32xf32>
  %y = tgemm.matmul %h, %w2 {tiling = #tgemm.tiling<m = 64, n = 32, k = 32>} : tensor<128x32xf32>, tensor<32x64xf32> -> tensor<128x64xf32>
  return %y : tensor<128x64xf32>
}

func.func private @two_reference()
