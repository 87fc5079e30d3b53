// RUN: image-opt %s -split-input-file -verify-diagnostics | image-opt | FileCheck %s

// CHECK-LABEL: func.func @smooth
// CHECK: image.smooth %{{.*}} : tensor<50x24xf32>
func.func @smooth(%x: tensor<50x24xf32>) -> tensor<50x24xf32> {
  %y = image.smooth %x : tensor<50x24xf32>
  return %y : tensor<50x24xf32>
}

// -----

func.func @dynamic(%x: tensor<?x24xf32>) -> tensor<?x24xf32> {
  // expected-error @+1 {{operand #0 must be matrix of f32 of static shape}}
  %y = image.smooth %x : tensor<?x24xf32>
  return %y : tensor<?x24xf32>
}
