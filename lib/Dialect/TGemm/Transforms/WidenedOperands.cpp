//===- WidenedOperands.cpp - f32 operands that were widened
//----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WidenedOperands.h"

#include "grout/Support/ElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Whether `op` only rearranges elements of its first operand.
static bool movesElements(Operation *op) {
  return isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::ExtractSliceOp, linalg::TransposeOp>(op);
}

/// If `op` converts a tensor to a wider type, returns that tensor; else null.
static Value getNarrow(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic.getNumResults() != 1 ||
      generic.getNumParallelLoops() != generic.getNumLoops() ||
      !llvm::all_of(generic.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return {};
  auto widened = generic.getBody()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<arith::ExtFOp>();
  if (!widened || widened.getIn() != generic.getBody()->getArgument(0))
    return {};
  return generic.getDpsInputOperand(0)->get();
}

/// Returns the 16-bit type from which the elements of `value` were widened;
/// null if they were not widened.
static Type getNarrowType(Value value) {
  while (movesElements(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Value narrow = getNarrow(value.getDefiningOp());
  if (!narrow)
    return {};
  Type element = getElementTypeOrSelf(narrow);
  return isNarrowFloat(element) ? element : Type();
}

/// Emits `value`, whose elements were widened, in its narrow type.
static Value emitNarrow(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  if (Value narrow = getNarrow(op))
    return narrow;
  Value source = emitNarrow(builder, op->getOperand(0));
  auto type = cast<RankedTensorType>(value.getType())
                  .clone(getElementTypeOrSelf(source));
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    Value empty = tensor::EmptyOp::create(
        builder, op->getLoc(), type.getShape(), type.getElementType());
    return linalg::TransposeOp::create(builder, op->getLoc(), source, empty,
                                       transpose.getPermutation())
        ->getResult(0);
  }
  IRMapping mapping;
  mapping.map(op->getOperand(0), source);
  Operation *moved = builder.clone(*op, mapping);
  moved->getResult(0).setType(type);
  return moved->getResult(0);
}

bool tgemm::narrowOperands(MatmulOp op) {
  SmallVector<OpOperand *> operands = {&op.getLhsMutable()};
  for (OpOperand &rhs : op.getRhsMutable())
    operands.push_back(&rhs);
  Type common = getNarrowType(op.getLhs());
  if (!common || !llvm::all_of(operands, [&](OpOperand *operand) {
        return getNarrowType(operand->get()) == common;
      }))
    return false;
  OpBuilder builder(op);
  for (OpOperand *operand : operands)
    operand->set(emitNarrow(builder, operand->get()));
  return true;
}
