//===- TGemm.h - The tgemm dialect ------------------------------*- C++ -*-===//
//
// Part of Grout. Everything of the tgemm dialect's IR.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_TGEMM_H
#define GROUT_DIALECT_TGEMM_IR_TGEMM_H

#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "grout/Dialect/TGemm/IR/TGemmDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/TGemm/IR/TGemmAttrs.h.inc"

#define GET_OP_CLASSES
#include "grout/Dialect/TGemm/IR/TGemmOps.h.inc"

#endif // GROUT_DIALECT_TGEMM_IR_TGEMM_H
