// RUN: grout-opt %s --grout-set-target=name=h100 --tgemm-assign-tiling="mode=serial" | FileCheck %s --check-prefix=H100
// RUN: grout-opt %s --grout-set-target=name=h200 --tgemm-assign-tiling="mode=serial" | FileCheck %s --check-prefix=H200

// Gate and up of LLaMA 3 8B with 128 rows, which memory bounds. An H100's is the
// slower one: there, blocks read weights for each other. On an H200 a block on
// each processor is faster.
// H100: tiling = #tgemm.tiling<m = 128, n = {{[0-9]+}}, k = 64, stages = {{[0-9]+}}, cluster_m = 2
// H200: tiling = #tgemm.tiling<m = 128, n = 112, k = 64, stages = 5>
func.func @gate_and_up(%x: tensor<128x4096xf16>, %gate: tensor<14336x4096xf16>, %up: tensor<14336x4096xf16>) -> tensor<128x14336xf16> {
  %y = tgemm.matmul %x, %gate, %up {transpose_rhs} : tensor<128x4096xf16>, tensor<14336x4096xf16>, tensor<14336x4096xf16> -> tensor<128x14336xf16> {
  ^bb0(%g: f32, %u: f32):
    %p = arith.mulf %g, %u : f32
    %out = arith.truncf %p : f32 to f16
    tgemm.yield %out : f16
  }
  return %y : tensor<128x14336xf16>
}
