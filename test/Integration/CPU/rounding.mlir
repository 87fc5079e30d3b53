// RUN: grout-compile %s -o %t.grout
// RUN: %python %S/Inputs/rounding.py write %t.x.npy
// RUN: grout-run %t.grout --input x=%t.x.npy --output result0=%t.h.npy --output result1=%t.b.npy --bf16-as-uint16
// RUN: %python %S/Inputs/rounding.py check %t.x.npy %t.h.npy %t.b.npy

// f64 becomes f16 and bf16 by one rounding, to nearest, and without a function
// of a compiler's runtime.

// RUN: grout-compile %s --no-reference --emit=asm | FileCheck %s --implicit-check-not=__
// CHECK: rounding_chain0

#id = affine_map<(i) -> (i)>

func.func @rounding(%x: tensor<4096xf64>) -> (tensor<4096xf16>, tensor<4096xbf16>) {
  %eh = tensor.empty() : tensor<4096xf16>
  %eb = tensor.empty() : tensor<4096xbf16>
  %h, %b = linalg.generic {indexing_maps = [#id, #id, #id],
                           iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf64>)
      outs(%eh, %eb : tensor<4096xf16>, tensor<4096xbf16>) {
  ^bb0(%a: f64, %_: f16, %__: bf16):
    %r = arith.truncf %a : f64 to f16
    %s = arith.truncf %a : f64 to bf16
    linalg.yield %r, %s : f16, bf16
  } -> (tensor<4096xf16>, tensor<4096xbf16>)
  return %h, %b : tensor<4096xf16>, tensor<4096xbf16>
}
