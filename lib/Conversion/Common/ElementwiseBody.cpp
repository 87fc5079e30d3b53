//===- ElementwiseBody.cpp - linalg ops that an epilogue can hold ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/ElementwiseBody.h"

#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace grout;

/// Whether `op` may be in an epilogue, as `tgemm.matmul` verifies.
static bool isEpilogueOp(Operation &op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op.getDialect()) &&
         isPure(&op) && op.getNumRegions() == 0;
}

static bool isConstant(Value value) {
  return value.getDefiningOp<arith::ConstantOp>() != nullptr;
}

bool grout::isElementwise(linalg::LinalgOp op) {
  return findElementwiseProblem(op).empty();
}

std::string grout::findElementwiseProblem(linalg::LinalgOp op) {
  auto describe = [](const auto &...parts) {
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    (stream << ... << parts);
    return problem;
  };

  if (op->hasAttr(kLinalgTileSizesAttrName))
    return describe("it is a tile kernel already, by its ",
                    kLinalgTileSizesAttrName);
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1)
    return describe("it does not compute one tensor");
  if (op.hasDynamicShape())
    return describe("dynamic shapes are not supported");
  AffineMap written = op.getIndexingMapMatchingResult(op->getResult(0));
  if (op.getNumParallelLoops() != op.getNumLoops() || !written.isPermutation())
    return describe("it is neither a contraction nor elementwise");

  for (OpOperand &operand : op->getOpOperands()) {
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    if (!isa<ShapedType>(operand.get().getType())) {
      if (!isConstant(operand.get()))
        return describe("its scalar operand ", operand.getOperandNumber(),
                        " is not a constant");
      continue;
    }
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return describe("operand ", operand.getOperandNumber(), " is read by ",
                      map, ", which is not a projected permutation");
  }

  Block *body = op.getBlock();
  for (Operation &bodyOp : *body) {
    if (&bodyOp != body->getTerminator() && !isEpilogueOp(bodyOp))
      return describe("its body has ", bodyOp.getName(),
                      ", which is not a pure op of arith or math");
    for (Value value : bodyOp.getOperands())
      if (value.getParentBlock() != body && !isConstant(value))
        return describe("its body uses a scalar that is not a constant");
  }
  return "";
}

SmallVector<ElementRead> grout::getReads(linalg::LinalgOp op) {
  AffineMap fromResult =
      inversePermutation(op.getIndexingMapMatchingResult(op->getResult(0)));
  SmallVector<ElementRead> reads;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<ShapedType>(operand.get().getType()) &&
        op.payloadUsesValueFromOperand(&operand))
      reads.push_back(
          {&operand, op.getMatchingIndexingMap(&operand).compose(fromResult)});
  return reads;
}

Value grout::inlineBody(OpBuilder &builder, linalg::LinalgOp op,
                        function_ref<Value(const ElementRead &)> read) {
  IRMapping mapping;
  auto cloneConstant = [&](Value value) {
    if (!mapping.contains(value))
      mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
    return mapping.lookup(value);
  };

  for (const ElementRead &elementRead : getReads(op))
    mapping.map(op.getMatchingBlockArgument(elementRead.operand),
                read(elementRead));
  for (OpOperand &operand : op->getOpOperands())
    if (!isa<ShapedType>(operand.get().getType()) &&
        op.payloadUsesValueFromOperand(&operand))
      mapping.map(op.getMatchingBlockArgument(&operand),
                  cloneConstant(operand.get()));

  Block *body = op.getBlock();
  for (Operation &bodyOp : *body)
    for (Value value : bodyOp.getOperands())
      if (value.getParentBlock() != body)
        cloneConstant(value);
  for (Operation &bodyOp : body->without_terminator())
    builder.clone(bodyOp, mapping);
  return mapping.lookup(body->getTerminator()->getOperand(0));
}
