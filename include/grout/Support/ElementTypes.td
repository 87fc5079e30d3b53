//===- ElementTypes.td - Element types of tensors ----------*- tablegen -*-===//
//
// Part of Grout. The element types that ops have. ElementTypes.h has the same
// sets of types for code. Runtime/ElementTypes.def is the table of artifacts.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_ELEMENTTYPES_TD
#define GROUT_SUPPORT_ELEMENTTYPES_TD

include "mlir/IR/CommonTypeConstraints.td"

// Floats of fewer than 32 bits. Kernels compute with them in f32, but for the
// operands of MMA instructions.
defvar Grout_NarrowFloats = [F16, BF16];

// The types of operands, epilogue inputs and results of GEMMs, convolutions and
// attention, and their names for diagnostics.
defvar Grout_GemmFloats = Grout_NarrowFloats # [F32];
defvar Grout_GemmFloatNames = "f16, bf16 or f32";

// All types. An i1 takes a byte of memory, which is 0 or 1.
defvar Grout_ElementTypes =
    Grout_GemmFloats # [F64, I1, I8, I16, I32, I64];

#endif // GROUT_SUPPORT_ELEMENTTYPES_TD
