// What bodies compute with is checked before anything is made of them, and what
// no target has is compiled by what it has.

// RUN: split-file %s %t
// RUN: not grout-compile %t/narrow.mlir --target=cpu -o %t.grout 2>&1 | FileCheck %s --check-prefix=NARROW --implicit-check-not=error:
// RUN: not grout-compile %t/narrow.mlir --target=h200 -o %t.grout 2>&1 | FileCheck %s --check-prefix=NARROW --implicit-check-not=error:
// NARROW: narrow.mlir:7:10: error: 'arith.truncf' op is on 'f8E4M3FN', which no target of Grout computes with

// RUN: %if libdevice %{ grout-compile %t/double.mlir --target=a100 -o %t.grout %} %else %{ not grout-compile %t/double.mlir --target=a100 -o %t.grout 2>&1 | FileCheck %s --check-prefix=DOUBLE --implicit-check-not=error: %}
// DOUBLE: double.mlir:7:10: error: 'math.sinh' op of 'f64' has no lowering for GPUs without CUDA's libdevice; set CUDA_HOME
// RUN: grout-compile %t/double.mlir --target=cpu -o %t.grout

// RUN: grout-compile %t/functions.mlir --target=cpu -o %t.grout
// RUN: grout-compile %t/functions.mlir --target=h200 --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90a %t.ptx -o /dev/null %}

// Powers are no function of the compiler's runtime.
// RUN: grout-compile %t/functions.mlir --target=cpu --emit=asm | FileCheck %s --check-prefix=ASM --implicit-check-not=__
// ASM: functions_chain0

//--- narrow.mlir
#i = affine_map<(d0) -> (d0)>
func.func @narrow(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.truncf %a : f32 to f8E4M3FN
    %w = arith.extf %n : f8E4M3FN to f32
    linalg.yield %w : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}

//--- double.mlir
#i = affine_map<(d0) -> (d0)>
func.func @double(%x: tensor<64xf64>) -> tensor<64xf64> {
  %e = tensor.empty() : tensor<64xf64>
  %y = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf64>) outs(%e : tensor<64xf64>) {
  ^bb0(%a: f64, %o: f64):
    %s = math.sinh %a : f64
    linalg.yield %s : f64
  } -> tensor<64xf64>
  return %y : tensor<64xf64>
}

//--- functions.mlir
#i = affine_map<(d0) -> (d0)>
func.func @functions(%x: tensor<64xbf16>, %n: tensor<64xi32>) -> (tensor<64xbf16>, tensor<64xi32>) {
  %e0 = tensor.empty() : tensor<64xbf16>
  %e1 = tensor.empty() : tensor<64xi32>
  %y:2 = linalg.generic {indexing_maps = [#i, #i, #i, #i], iterator_types = ["parallel"]}
      ins(%x, %n : tensor<64xbf16>, tensor<64xi32>)
      outs(%e0, %e1 : tensor<64xbf16>, tensor<64xi32>) {
  ^bb0(%a: bf16, %b: i32, %o0: bf16, %o1: i32):
    %r = math.round %a : bf16
    %p = math.fpowi %r, %b : bf16, i32
    %is_inf = math.isinf %p : bf16
    %c = math.clampf %p to [%r, %a] : bf16
    %s = arith.select %is_inf, %a, %c : bf16
    %q = math.ipowi %b, %b : i32
    linalg.yield %s, %q : bf16, i32
  } -> (tensor<64xbf16>, tensor<64xi32>)
  return %y#0, %y#1 : tensor<64xbf16>, tensor<64xi32>
}
