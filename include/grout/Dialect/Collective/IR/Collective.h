//===- Collective.h - The collective dialect --------------------*- C++ -*-===//
//
// Part of Grout. Everything of the collective dialect's IR.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVE_H
#define GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVE_H

#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "grout/Dialect/Collective/IR/CollectiveDialect.h.inc"

#include "grout/Dialect/Collective/IR/CollectiveOpInterface.h.inc"

namespace grout::collective {

/// Returns the whole of a tensor of `type`, for an op with a single tile.
TileAccess getWhole(mlir::RankedTensorType type);

/// Returns the work of one rank.
TileWork getTileWork(CollectiveOpInterface op);

} // namespace grout::collective

#define GET_OP_CLASSES
#include "grout/Dialect/Collective/IR/CollectiveOps.h.inc"

#endif // GROUT_DIALECT_COLLECTIVE_IR_COLLECTIVE_H
