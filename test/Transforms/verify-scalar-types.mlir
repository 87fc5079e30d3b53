// RUN: grout-opt %s --verify-scalar-types --split-input-file --verify-diagnostics

func.func @narrow(%x: f32) -> f32 {
  // expected-error @+1 {{'arith.truncf' op is on 'f8E4M3FN', which no target of Grout computes with; use f16, bf16, f32 or f64, and convert other numbers outside of the program}}
  %n = arith.truncf %x : f32 to f8E4M3FN
  %w = arith.extf %n : f8E4M3FN to f32
  return %w : f32
}

// -----

func.func @wide(%x: f64) -> f64 {
  // expected-error @+1 {{'arith.extf' op is on 'f128'}}
  %w = arith.extf %x : f64 to f128
  %n = arith.truncf %w : f128 to f64
  return %n : f64
}

// -----

func.func @constant() {
  // expected-error @+1 {{'arith.constant' op is on 'tf32'}}
  %c = arith.constant 1.0 : tf32
  return
}

// -----

func.func @complex(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{'linalg.copy' op is on 'complex<f32>'}}
  %z = linalg.copy ins(%x : tensor<4xcomplex<f32>>) outs(%y : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %z : tensor<4xcomplex<f32>>
}

// -----

func.func @tensor(%x: tensor<4xf8E5M2>, %y: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  // expected-error @+1 {{'linalg.copy' op is on 'f8E5M2'}}
  %z = linalg.copy ins(%x : tensor<4xf8E5M2>) outs(%y : tensor<4xf8E5M2>) -> tensor<4xf8E5M2>
  return %z : tensor<4xf8E5M2>
}

// -----

func.func @long(%x: i65) -> i65 {
  // expected-error @+1 {{'arith.addi' op is on 'i65', which no target of Grout computes with; use integers of at most 64 bits, and convert other numbers outside of the program}}
  %s = arith.addi %x, %x : i65
  return %s : i65
}

// -----

// Integers of any smaller width, and what is no number.

func.func @known(%x: i4, %i: index, %t: tensor<2xf16>) -> tensor<2xf16> {
  %s = arith.addi %x, %x : i4
  %j = arith.addi %i, %i : index
  %c = arith.constant 1.0 : bf16
  %d = arith.extf %c : bf16 to f64
  return %t : tensor<2xf16>
}
