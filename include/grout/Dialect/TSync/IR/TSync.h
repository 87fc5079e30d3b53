//===- TSync.h - The tsync dialect ------------------------------*- C++ -*-===//
//
// Part of Grout. Everything of the tsync dialect's IR.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_IR_TSYNC_H
#define GROUT_DIALECT_TSYNC_IR_TSYNC_H

#include "grout/Dialect/TSync/IR/LaunchWait.h"
#include "grout/Interfaces/NamesOperands.h"
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

#include "grout/Dialect/TSync/IR/TSyncDialect.h.inc"

#include "grout/Dialect/TSync/IR/TSyncEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/TSync/IR/TSyncAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "grout/Dialect/TSync/IR/TSyncTypes.h.inc"

#define GET_OP_CLASSES
#include "grout/Dialect/TSync/IR/TSyncOps.h.inc"

#endif // GROUT_DIALECT_TSYNC_IR_TSYNC_H
