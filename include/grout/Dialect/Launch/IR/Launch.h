//===- Launch.h - The launch dialect ----------------------------*- C++ -*-===//
//
// Part of Grout. Everything of the launch dialect's IR.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_LAUNCH_H
#define GROUT_DIALECT_LAUNCH_IR_LAUNCH_H

#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "grout/Dialect/Launch/IR/LaunchDialect.h.inc"

#include "grout/Dialect/Launch/IR/LaunchEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/Launch/IR/LaunchAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "grout/Dialect/Launch/IR/LaunchTypes.h.inc"

#include "grout/Dialect/Launch/IR/LaunchInterfaces.h.inc"

#define GET_OP_CLASSES
#include "grout/Dialect/Launch/IR/LaunchOps.h.inc"

namespace grout::launch {

/// Returns whether buffers may have elements of `type`.
bool isElementType(mlir::Type type);

/// Returns how many sets of places a launch of `plan` needs that clears what it
/// exchanges. If there is no other, runs use two sets in turn. Otherwise other
/// launches have other places, and one set is enough.
int64_t getPlaceSets(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCH_H
