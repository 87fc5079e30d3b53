// RUN: grout-opt %s --grout-set-target=name=cpu --convert-linalg-to-reference --split-input-file --verify-diagnostics | FileCheck %s --implicit-check-not=launch.plan --implicit-check-not="module @"
// RUN: grout-opt %s --grout-set-target=name=h200 --convert-linalg-to-reference --split-input-file --verify-diagnostics=only-expected -o /dev/null

// What cannot be computed plainly leaves the module as it was.

// CHECK: tensor.concat
func.func @concat(%x: tensor<8xf32>) -> tensor<16xf32> {
  // expected-remark @+1 {{there will be no reference to check 'concat' against: 'tensor.concat' has no plain kernel}}
  %y = tensor.concat dim(0) %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

func.func @pad(%x: tensor<8xi64>) -> tensor<10xi64> {
  // expected-remark @+1 {{its padding is not one value}}
  %y = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i64
    tensor.yield %v : i64
  } : tensor<8xi64> to tensor<10xi64>
  return %y : tensor<10xi64>
}

// -----

func.func @pad_less_than_nothing(%x: tensor<8xf32>) -> tensor<6xf32> {
  %v = arith.constant 0.0 : f32
  // expected-remark @+1 {{the position of what it pads is not known when compiling, or outside}}
  %y = tensor.pad %x low[0] high[-2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<8xf32> to tensor<6xf32>
  return %y : tensor<6xf32>
}

// -----

func.func @undefined_part(%y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<2xf32>
  // expected-remark @+1 {{it inserts a tensor that nothing has written}}
  %0 = tensor.insert_slice %e into %y[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-remark @+1 {{argument 0 is not a static tensor of floats}}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// As f64 it has 8 bytes more than 2^40.
// expected-remark @+1 {{argument 0 is not a static tensor of floats or integers that has elements, of at most 16 dimensions and, as f64, 2^40 bytes}}
func.func @large(%x: tensor<137438953473xf16>) -> tensor<137438953473xf16> {
  return %x : tensor<137438953473xf16>
}

// -----

// As f64 it has 2^63 bytes.
// expected-remark @+1 {{argument 0 is not a static tensor}}
func.func @huge(%x: tensor<1152921504606846976xf16>) -> tensor<1152921504606846976xf16> {
  return %x : tensor<1152921504606846976xf16>
}

// -----

// expected-remark @+1 {{argument 0 is not a static tensor}}
func.func @deep(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf16>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf16> {
  return %x : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf16>
}

// -----

func.func @undefined() -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @+1 {{it returns a tensor that nothing has written}}
  return %e : tensor<8xf32>
}

// -----

func.func @read_undefined(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-remark @+1 {{it reads operand 2, which nothing has written}}
  %y = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @bits(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @+1 {{'arith.bitcast' depends on the bits of a number}}
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %_: f32):
    %b = arith.bitcast %v : f32 to i32
    %f = arith.bitcast %b : i32 to f32
    linalg.yield %f : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// CHECK: linalg.fill
func.func @scalar(%x: tensor<8xf32>, %n: tensor<f32>) -> tensor<8xf32> {
  %s = tensor.extract %n[] : tensor<f32>
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @+1 {{it uses a value of type f32 that is not known when compiling}}
  %y = linalg.fill ins(%s : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
