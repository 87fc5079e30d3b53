// RUN: grout-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{unknown target 'abacus'; known are a100, cpu, h200}}
module attributes {grout.target = #grout.target<"abacus">} {
}

// -----

// expected-error @+1 {{'grout.target' is no #grout.target}}
module attributes {grout.target = "h200"} {
}

// -----

// expected-error @+1 {{'grout.target' belongs to a module}}
func.func private @f() attributes {grout.target = #grout.target<"h200">}
