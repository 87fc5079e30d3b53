func.func @NAME(%x: tensor<Nxf32>) -> tensor<Nxf32> {
  %e = tensor.empty() : tensor<Nxf32>
  %r = linalg.exp ins(%x : tensor<Nxf32>) outs(%e : tensor<Nxf32>) -> tensor<Nxf32>
  return %r : tensor<Nxf32>
}
