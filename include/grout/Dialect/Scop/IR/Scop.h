//===- Scop.h - The scop dialect --------------------------------*- C++ -*-===//
//
// Part of Grout. Everything of the scop dialect's IR.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_SCOP_H
#define GROUT_DIALECT_SCOP_IR_SCOP_H

#include "grout/Interfaces/TileKernelInterface.h"
#include "grout/Scheduling/ScheduleEnums.h"
#include "grout/Support/TensorSize.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "grout/Dialect/Scop/IR/ScopDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/Scop/IR/ScopAttrs.h.inc"

namespace grout::scop {
class KernelOp;
class StmtOp;
class TreeOp;
class YieldOp;

/// Returns the bytes of an element of type `type`.
int64_t getBytes(mlir::Type type);

/// Return the bytes of an array of a kernel's body, and of one of its elements.
int64_t getArrayBytes(mlir::Value array);
int64_t getElementBytes(mlir::Value array);

/// Returns `value`, an index in the region of a statement, as an affine
/// function of the statement's iterators; null if it is not affine, or not
/// known to be.
mlir::AffineExpr getIteratorExpr(mlir::Value value);

/// Returns the neutral element of `combiner`, an operation on two scalars as
/// from StmtOp::getCombiner; null if there is none.
mlir::TypedAttr getNeutralElement(mlir::Operation *combiner);
} // namespace grout::scop

#define GET_OP_CLASSES
#include "grout/Dialect/Scop/IR/ScopOps.h.inc"

namespace grout::scop {
/// Returns the kernels that `op` launches together: the kernels of a
/// scop.launch, or a scop.kernel itself; none for another op.
llvm::SmallVector<KernelOp> getLaunchedKernels(mlir::Operation *op);
} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_SCOP_H
