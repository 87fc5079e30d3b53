// The first product of mlp.mlir, written otherwise.
func.func @other(%left: tensor<128x256xf16>, %right: tensor<256x512xf16>) -> tensor<128x512xf16> {
  %y = tgemm.matmul %left, %right : tensor<128x256xf16>, tensor<256x512xf16> -> tensor<128x512xf16> {
  ^bb0(%acc: f32):
    %none = arith.constant 0.0 : f32
    %relu = arith.maximumf %acc, %none : f32
    %out = arith.truncf %relu : f32 to f16
    tgemm.yield %out : f16
  }
  return %y : tensor<128x512xf16>
}
