// RUN: grout-compile %s --target=h200 --mode=auto --no-reference --explain -o %t.grout | FileCheck %s

// Products that share the last launch of a chain are all modelled as its last:
// no kernel behind them hides their ends, as it does the end of the first.

// CHECK:     kernel matmul0
// CHECK:     hidden 0.02
// CHECK:     kernel matmul1
// CHECK:     start       before matmul0 has ended
// CHECK-NOT: hidden 0.0{{[1-9]}}
// CHECK:     kernel matmul3
// CHECK:     hidden 0.00
// CHECK:     start       in one launch with matmul2
func.func @f(%x: tensor<256x512xf16>, %w: tensor<512x768xf16>, %q: tensor<768x768xf16>, %k: tensor<768x768xf16>, %v: tensor<768x768xf16>)
    -> (tensor<256x768xf16>, tensor<256x768xf16>, tensor<256x768xf16>) {
  %h = tgemm.matmul %x, %w : tensor<256x512xf16>, tensor<512x768xf16> -> tensor<256x768xf16>
  %0 = tgemm.matmul %h, %q : tensor<256x768xf16>, tensor<768x768xf16> -> tensor<256x768xf16>
  %1 = tgemm.matmul %h, %k : tensor<256x768xf16>, tensor<768x768xf16> -> tensor<256x768xf16>
  %2 = tgemm.matmul %h, %v : tensor<256x768xf16>, tensor<768x768xf16> -> tensor<256x768xf16>
  return %0, %1, %2 : tensor<256x768xf16>, tensor<256x768xf16>, tensor<256x768xf16>
}
