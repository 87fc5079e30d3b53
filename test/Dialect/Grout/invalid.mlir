// RUN: grout-opt %s -split-input-file -verify-diagnostics

// expected-error-re @+1 {{unknown target 'abacus'; known are {{.*}}cpu, {{.*}}h200}}
module attributes {grout.target = #grout.target<"abacus">} {
}

// -----

// expected-error @+1 {{'grout.target' is no #grout.target}}
module attributes {grout.target = "h200"} {
}

// -----

// expected-error @+1 {{'grout.target' belongs to a module}}
func.func private @f() attributes {grout.target = #grout.target<"h200">}

// -----

// expected-error @+1 {{'grout.in_place' of argument 0 must be the number of a result of a function}}
func.func private @f(%x: tensor<4xf32> {grout.in_place = "x"}) -> tensor<4xf32>

// -----

// expected-error @+1 {{'grout.in_place' of argument 0 is result 1 : i64 of 1}}
func.func private @f(%x: tensor<4xf32> {grout.in_place = 1}) -> tensor<4xf32>

// -----

// expected-error @+1 {{argument 0 is 'tensor<4xf32>' and cannot hold result 0, 'tensor<4xf16>'}}
func.func private @f(%x: tensor<4xf32> {grout.in_place = 0}) -> tensor<4xf16>

// -----

// expected-error @+1 {{arguments 0 and 1 both hold result 0}}
func.func private @f(%x: tensor<4xf32> {grout.in_place = 0}, %y: tensor<4xf32> {grout.in_place = 0}) -> tensor<4xf32>

// -----

// expected-error @+1 {{'grout.assert' is a string, and belongs to a tensor.scatter}}
func.func private @f(%x: tensor<4xf32>) attributes {grout.assert = "x"}

// -----

// expected-error @+1 {{'grout.exact' has no value}}
module attributes {grout.exact = 1} {
}

// -----

// expected-error @+1 {{'grout.trace' has no value}}
module attributes {grout.trace = true} {
}

// -----

// expected-error @+1 {{'grout.exact' belongs to a module}}
func.func private @exact() attributes {grout.exact}
