// RUN: grout-opt %s --convert-linalg-to-scop -split-input-file -verify-diagnostics

func.func @dynamic(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{has dynamic extents, in 'tensor<?xf32>'; scop takes static ones}}
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @dynamic_softmax(%x: tensor<?x4xf32>, %e: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{must be on a tensor of static extents}}
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  // expected-error @+1 {{has elements of type 'complex<f32>'; scop takes signless integers and floats}}
  %0 = linalg.copy ins(%x : tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

func.func @index(%x: tensor<4xindex>) -> tensor<4xindex> {
  %e = tensor.empty() : tensor<4xindex>
  // expected-error @+1 {{has elements of type 'index'; scop takes signless integers and floats}}
  %0 = linalg.copy ins(%x : tensor<4xindex>) outs(%e : tensor<4xindex>) -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

func.func @empty(%x: tensor<0xf32>) -> tensor<0xf32> {
  %e = tensor.empty() : tensor<0xf32>
  // expected-error @+1 {{has a tensor without elements, 'tensor<0xf32>'}}
  %0 = linalg.exp ins(%x : tensor<0xf32>) outs(%e : tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

func.func @overflow(%x: tensor<4294967296x2147483648xf32>) -> tensor<4294967296x2147483648xf32> {
  %e = tensor.empty() : tensor<4294967296x2147483648xf32>
  // expected-error @+1 {{has a tensor of more than 2^63 bytes, 'tensor<4294967296x2147483648xf32>'}}
  %0 = linalg.exp ins(%x : tensor<4294967296x2147483648xf32>) outs(%e : tensor<4294967296x2147483648xf32>) -> tensor<4294967296x2147483648xf32>
  return %0 : tensor<4294967296x2147483648xf32>
}

// -----

func.func @loop_overflow(%x: tensor<4294967296xi8>, %y: tensor<4294967296xi8>, %s: tensor<i8>) -> tensor<i8> {
  // expected-error @+1 {{has loops of more than 2^63 iterations}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x, %y : tensor<4294967296xi8>, tensor<4294967296xi8>) outs(%s : tensor<i8>) {
  ^bb0(%a: i8, %b: i8, %acc: i8):
    %p = arith.andi %a, %b : i8
    %t = arith.addi %acc, %p : i8
    linalg.yield %t : i8
  } -> tensor<i8>
  return %0 : tensor<i8>
}

// -----

func.func @assert(%table: tensor<100xf32>, %indices: tensor<4xi32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %limit = arith.constant 100 : i32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%indices : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%w: i32, %o: f32):
    %i = arith.index_cast %w : i32 to index
    %ok = arith.cmpi ult, %w, %limit : i32
    // expected-error @+1 {{'cf.assert' op is not allowed in a statement of scop, which holds ops without effects and regions only}}
    cf.assert %ok, "index out of range"
    %v = tensor.extract %table[%i] : tensor<100xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @dynamic_table(%table: tensor<?xf32>, %indices: tensor<4xi32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{has dynamic extents, in 'tensor<?xf32>'; scop takes static ones}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%indices : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%w: i32, %o: f32):
    %i = arith.index_cast %w : i32 to index
    %v = tensor.extract %table[%i] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @extent(%x: tensor<4xi32>, %table: tensor<100xf32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%w: i32, %o: i32):
    %i = arith.index_cast %w : i32 to index
    // expected-error @+1 {{uses a tensor in a statement of scop, which takes elements of them}}
    %d = tensor.dim %table, %i : tensor<100xf32>
    %v = arith.index_cast %d : index to i32
    linalg.yield %v : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @region(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @+1 {{is not allowed in a statement of scop, which holds ops without effects and regions only}}
    %v = scf.if %c -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %o : f32
    }
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @matmul(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @+1 {{not converted to scop: it is a matrix product}}
  %0 = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @convolution(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x4xf32>, %z: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  // expected-remark @+1 {{not converted to scop: it is a convolution}}
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) outs(%z : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// -----

func.func @memrefs(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-remark @+1 {{not converted to scop: it is not on tensors}}
  linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @dynamic_pad(%x: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{'tensor.pad' op has dynamic extents; scop takes static ones}}
  %0 = tensor.pad %x low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @negative_pad(%x: tensor<4xf32>) -> tensor<3xf32> {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{'tensor.pad' op pads by a negative size}}
  %0 = tensor.pad %x low[0] high[-1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @pad_by_position(%x: tensor<4xi64>) -> tensor<6xi64> {
  // expected-error @+1 {{'tensor.pad' op pads with a value that depends on the position; scop takes one value}}
  %0 = tensor.pad %x low[0] high[2] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i64
    tensor.yield %v : i64
  } : tensor<4xi64> to tensor<6xi64>
  return %0 : tensor<6xi64>
}

// -----

func.func @pad_nothing(%x: tensor<0xf32>) -> tensor<2xf32> {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{'tensor.pad' op has a tensor without elements, 'tensor<0xf32>'}}
  %0 = tensor.pad %x low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<0xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dynamic_slice(%x: tensor<4xf32>, %n: index) -> tensor<2xf32> {
  // expected-error @+1 {{'tensor.extract_slice' op has dynamic offsets, sizes or strides; scop takes static ones}}
  %s = tensor.extract_slice %x[%n] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.exp ins(%s : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dynamic_insert(%x: tensor<2xf32>, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.insert_slice' op has dynamic offsets, sizes or strides; scop takes static ones}}
  %0 = tensor.insert_slice %x into %y[%n] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @insert_into_dynamic(%x: tensor<2xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'tensor.insert_slice' op has dynamic extents; scop takes static ones}}
  %0 = tensor.insert_slice %x into %y[0] [2] [1] : tensor<2xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @behind_the_cache(%new: tensor<1x8xf32>, %cache: tensor<33x8xf32>) -> tensor<33x8xf32> {
  %place = arith.constant dense<33> : tensor<1x1xi64>
  // expected-error @+1 {{'tensor.scatter' op replaces elements at 33 in dimension 0, which has an extent of 33}}
  %0 = tensor.scatter %new into %cache[%place] scatter_dims([0]) unique : (tensor<1x8xf32>, tensor<33x8xf32>, tensor<1x1xi64>) -> tensor<33x8xf32>
  return %0 : tensor<33x8xf32>
}

// -----

func.func @before_the_cache(%new: tensor<2x8xf32>, %cache: tensor<2x33x8xf32>) -> tensor<2x33x8xf32> {
  %places = arith.constant dense<[[0, 3], [1, -1]]> : tensor<2x2xi64>
  // expected-error @+1 {{'tensor.scatter' op replaces elements at -1 in dimension 1, which has an extent of 33}}
  %0 = tensor.scatter %new into %cache[%places] scatter_dims([0, 1]) unique : (tensor<2x8xf32>, tensor<2x33x8xf32>, tensor<2x2xi64>) -> tensor<2x33x8xf32>
  return %0 : tensor<2x33x8xf32>
}
