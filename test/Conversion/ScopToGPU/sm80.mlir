// RUN: split-file %s %t
// RUN: grout-compile %t/memory.mlir --target=a100 --emit=mlir -o - \
// RUN:   | FileCheck %t/memory.mlir
// RUN: grout-compile %t/memory.mlir --target=a100 --emit=ptx -o - \
// RUN:   | FileCheck %t/memory.mlir --check-prefix=PTX --implicit-check-not=griddepcontrol
// RUN: %if ptxas %{ grout-opt %t/memory.mlir --grout-pipeline="target=a100" \
// RUN:   --dump-ptx="assemble=true strict=true ptxas=%ptxas" -o /dev/null %}
// RUN: not grout-compile %t/product.mlir --target=a100 -o %t.grout 2>&1 \
// RUN:   | FileCheck %t/product.mlir
// RUN: not grout-opt %t/chain.mlir --grout-set-target=name=a100 --launch-form-plans --launch-schedule --convert-tiles-to-kernels 2>&1 \
// RUN:   | FileCheck %t/chain.mlir

//--- memory.mlir

// Two launches: the second starts when the first has ended. Both plans are for
// sm_80.

// CHECK-LABEL: launch.plan @norms inputs
// CHECK: launch.kernel "norms_kernel0"
// CHECK: launch.kernel "norms_kernel1"
// CHECK-NOT: programmatic
// CHECK-LABEL: gpu.module @norms_kernels [#nvvm.target<{{.*}}chip = "sm_80", features = "+ptx70">] attributes {llvm.data_layout = {{.*}}} {
// CHECK: gpu.module @halves_reference_kernels [#nvvm.target<{{.*}}chip = "sm_80", features = "+ptx70">] attributes {llvm.data_layout = {{.*}}} {

// PTX: .version 7.0
// PTX: .target sm_80
// PTX: .entry norms_kernel0
// PTX: .entry norms_kernel1
#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>
func.func @norms(%x: tensor<64x256xbf16>) -> (tensor<64x256xbf16>, tensor<256xf32>) {
  %e = tensor.empty() : tensor<64x256xbf16>
  %y = linalg.softmax dimension(1) ins(%x : tensor<64x256xbf16>) outs(%e : tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %te = tensor.empty() : tensor<256xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%te : tensor<256xf32>) -> tensor<256xf32>
  %t = linalg.generic {indexing_maps = [#m, #c], iterator_types = ["reduction", "parallel"]}
      ins(%y : tensor<64x256xbf16>) outs(%z : tensor<256xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %w = arith.extf %a : bf16 to f32
    %v = math.tanh %w : f32
    %s = arith.addf %b, %v : f32
    linalg.yield %s : f32
  } -> tensor<256xf32>
  return %y, %t : tensor<64x256xbf16>, tensor<256xf32>
}

// Arithmetic in 16 bits, of which sm_80 has only a part, and its comparisons.
// PTX: .entry halves_kernel0
func.func @halves(%x: tensor<64x256xbf16>, %y: tensor<64x256xf16>) -> (tensor<64x256xbf16>, tensor<64x256xf16>) {
  %e = tensor.empty() : tensor<64x256xbf16>
  %f = tensor.empty() : tensor<64x256xf16>
  %u, %v = linalg.generic {indexing_maps = [#m, #m, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<64x256xbf16>, tensor<64x256xf16>)
      outs(%e, %f : tensor<64x256xbf16>, tensor<64x256xf16>) {
  ^bb0(%a: bf16, %b: f16, %c: bf16, %d: f16):
    %a0 = arith.addf %a, %a : bf16
    %a1 = arith.mulf %a0, %a : bf16
    %a2 = arith.subf %a1, %a : bf16
    %a3 = arith.maximumf %a2, %a : bf16
    %a4 = arith.minnumf %a3, %a0 : bf16
    %a5 = arith.divf %a4, %a : bf16
    %a6 = arith.negf %a5 : bf16
    %a7 = math.absf %a6 : bf16
    %a8 = math.exp %a7 : bf16
    %a9 = math.fma %a8, %a7, %a6 : bf16
    %i = arith.fptosi %a9 : bf16 to i32
    %s = arith.sitofp %i : i32 to bf16
    %b0 = arith.maximumf %b, %b : f16
    %b1 = arith.minimumf %b0, %b : f16
    %b2 = math.tanh %b1 : f16
    %b3 = math.sqrt %b2 : f16
    %b4 = math.erf %b3 : f16
    %p = arith.cmpf olt, %a, %s : bf16
    %q = arith.cmpf ule, %b, %b4 : f16
    %pq = arith.xori %p, %q : i1
    %r = arith.select %pq, %s, %a : bf16
    linalg.yield %r, %b4 : bf16, f16
  } -> (tensor<64x256xbf16>, tensor<64x256xf16>)
  return %u, %v : tensor<64x256xbf16>, tensor<64x256xf16>
}

// Combined over the threads of a warp: sm_80 has instructions for integers.
// PTX: .entry sums_kernel0
func.func @sums(%x: tensor<64x256xbf16>, %i: tensor<64x256xi32>, %l: tensor<64x256xi64>, %d: tensor<64x256xf64>)
    -> (tensor<64xbf16>, tensor<64xi32>, tensor<64xi64>, tensor<64xf64>) {
  %z = arith.constant 0xFF80 : bf16
  %zi = arith.constant 0 : i32
  %zl = arith.constant -9223372036854775808 : i64
  %zd = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<64xbf16>
  %ei = tensor.empty() : tensor<64xi32>
  %el = tensor.empty() : tensor<64xi64>
  %ed = tensor.empty() : tensor<64xf64>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<64xbf16>) -> tensor<64xbf16>
  %fi = linalg.fill ins(%zi : i32) outs(%ei : tensor<64xi32>) -> tensor<64xi32>
  %fl = linalg.fill ins(%zl : i64) outs(%el : tensor<64xi64>) -> tensor<64xi64>
  %fd = linalg.fill ins(%zd : f64) outs(%ed : tensor<64xf64>) -> tensor<64xf64>
  %a = linalg.reduce {arith.maximumf} ins(%x : tensor<64x256xbf16>) outs(%f : tensor<64xbf16>) dimensions = [1]
  %b = linalg.reduce {arith.addi} ins(%i : tensor<64x256xi32>) outs(%fi : tensor<64xi32>) dimensions = [1]
  %c = linalg.reduce {arith.maxsi} ins(%l : tensor<64x256xi64>) outs(%fl : tensor<64xi64>) dimensions = [1]
  %g = linalg.reduce {arith.addf} ins(%d : tensor<64x256xf64>) outs(%fd : tensor<64xf64>) dimensions = [1]
  return %a, %b, %c, %g : tensor<64xbf16>, tensor<64xi32>, tensor<64xi64>, tensor<64xf64>
}

//--- product.mlir
func.func @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x64xf16>
  %s = linalg.softmax dimension(1) ins(%x : tensor<64x64xf16>) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  // CHECK: product.mlir:[[#@LINE + 1]]:8: error: {{.*}}multiplies matrices, but a100 has no kernels for that
  %y = linalg.matmul ins(%s, %w : tensor<64x64xf16>, tensor<64x64xf16>) outs(%z : tensor<64x64xf16>) -> tensor<64x64xf16>
  return %y : tensor<64x64xf16>
}

//--- chain.mlir
func.func @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %y = tsync.chain mode(serial) : tensor<64x64xf16> {
    // CHECK: chain.mlir:[[#@LINE + 1]]:10: error: {{.*}}cannot be compiled for a100: there are no kernels for 'tgemm.matmul'
    %r = tgemm.matmul %x, %w {tiling = #tgemm.tiling<m = 64, n = 64, k = 64>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
    tsync.yield %r : tensor<64x64xf16>
  }
  return %y : tensor<64x64xf16>
}
