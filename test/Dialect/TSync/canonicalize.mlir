// RUN: grout-opt %s --split-input-file --canonicalize | FileCheck %s
// RUN: grout-opt %s --split-input-file --canonicalize --tsync-verify -o /dev/null

// Dependences name operands by number, so kernels keep those that they do not
// use.

// CHECK-LABEL: func.func @epilogue
// CHECK:       %[[H:.*]] = tgemm.matmul
// CHECK:       %[[R:.*]] = tgemm.matmul
// CHECK:       %[[Y:.*]] = tgemm.matmul {{.*}} epilogue(%[[H]], %[[R]] :
// CHECK:       tsync.dependence %[[H]] -> %[[Y]] operand 2
// CHECK:       tsync.dependence %[[R]] -> %[[Y]] operand 3
func.func @epilogue(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = tsync.chain mode(persistent)
      order [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (1, i, j)>,
             affine_map<(i, j) -> (2, i, j)>]
      residents(1) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %r = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %y = tgemm.matmul %x, %x epilogue(%h, %r : tensor<64x64xf16>, tensor<64x64xf16>) {
      epilogue_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      tiling = #tgemm.tiling<m = 64, n = 64, k = 64>
    } : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16> {
    ^bb0(%acc: f32, %unused: f16, %res: f16):
      %wide = arith.extf %res : f16 to f32
      %sum = arith.addf %acc, %wide : f32
      %out = arith.truncf %sum : f32 to f16
      tgemm.yield %out : f16
    }
    tsync.dependence %h -> %y operand 2 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.dependence %r -> %y operand 3 policy
        <semaphore = affine_map<(i, j) -> (i)>, shape = [1], counts = [1],
         lower = affine_map<(i, j, k) -> (i)>,
         upper = affine_map<(i, j, k) -> (i)>>
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %y : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}

// -----

// So do memory-bound kernels.

// CHECK-LABEL: func.func @memory_bound
// CHECK:       %[[H:.*]] = tgemm.matmul
// CHECK:       %[[S:.*]] = scop.kernel ins(%{{.*}}, %[[H]] :
// CHECK:       tsync.dependence %[[H]] -> %[[S]] operand 1
func.func @memory_bound(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %e = tensor.empty() : tensor<64x64xf16>
  %0 = tsync.chain mode(pdl) : tensor<64x64xf16> {
    %h = tgemm.matmul %x, %x {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    %s = scop.kernel ins(%x, %h : tensor<64x64xf16>, tensor<64x64xf16>)
        outs(%e : tensor<64x64xf16>)
        schedule <[linear band 0 coincident, linear band 0 coincident], @S = (d0, d1) -> (d0, d1)>
        tiles [8, 64] -> tensor<64x64xf16> {
    ^bb0(%X: memref<64x64xf16>, %H: memref<64x64xf16>, %S: memref<64x64xf16>):
      scop.stmt @S domain [64, 64]
          reads(%H[(i, j) -> (i, j)] : memref<64x64xf16>)
          writes(%S[(i, j) -> (i, j)] : memref<64x64xf16>) {
      ^bb0(%v: f16):
        %n = arith.negf %v : f16
        scop.yield %n : f16
      }
    }
    tsync.dependence %h -> %s operand 1
      : tensor<64x64xf16>, tensor<64x64xf16>
    tsync.yield %s : tensor<64x64xf16>
  }
  return %0 : tensor<64x64xf16>
}
