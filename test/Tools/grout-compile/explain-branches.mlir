// RUN: grout-compile %s --target=h100 --mode=pdl --no-reference --launch-policy=wave --explain -o %t | FileCheck %s
// RUN: grout-compile %s --target=h100 --mode=pdl --no-reference --explain -o %t | FileCheck %s --check-prefix=SERIAL

// What needs the same product runs side by side.

// CHECK: launch f_chain0_kernel0
// CHECK-NEXT: branch 0{{$}}
// CHECK: launch f_chain0_kernel1
// CHECK-NEXT: branch {{[01]}}, after f_chain0_kernel0
// CHECK: launch f_chain0_kernel2
// CHECK-NEXT: branch {{[01]}}, after f_chain0_kernel0
// SERIAL: launch f_chain0_kernel1
// SERIAL-NOT: branch
func.func @f(%x: tensor<256x512xf16>, %w: tensor<512x512xf16>, %u: tensor<512x512xf16>) -> (tensor<256x512xf16>, tensor<512xf16>) {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<256x512xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<256x512xf16>) -> tensor<256x512xf16>
  %h = linalg.matmul ins(%x, %w : tensor<256x512xf16>, tensor<512x512xf16>) outs(%init : tensor<256x512xf16>) -> tensor<256x512xf16>
  %a = linalg.matmul ins(%h, %u : tensor<256x512xf16>, tensor<512x512xf16>) outs(%init : tensor<256x512xf16>) -> tensor<256x512xf16>
  %row = tensor.empty() : tensor<512xf16>
  %least = linalg.fill ins(%zero : f16) outs(%row : tensor<512xf16>) -> tensor<512xf16>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%h : tensor<256x512xf16>) outs(%least : tensor<512xf16>) {
  ^bb0(%e: f16, %o: f16):
    %y = arith.maximumf %e, %o : f16
    linalg.yield %y : f16
  } -> tensor<512xf16>
  return %a, %m : tensor<256x512xf16>, tensor<512xf16>
}
