//===- ScalarCode.cpp - Scalar code in higher precision -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ScalarCode.h"

#include "grout/Conversion/Common/OptionalRounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::reference;

/// Whether a GPU can compute `op` after expandMathForGPU.
static bool hasDeviceCode(Operation *op) {
  if (!isa<math::MathDialect>(op->getDialect()))
    return true;
  // With a constant exponent, it is products.
  if (auto power = dyn_cast<math::FPowIOp>(op))
    return matchPattern(power.getRhs(), m_Constant());
  return isa<math::AbsFOp, math::AbsIOp, math::AtanOp, math::Atan2Op,
             math::CeilOp, math::CopySignOp, math::CosOp, math::ErfOp,
             math::ErfcOp, math::ExpOp, math::ExpM1Op, math::FloorOp,
             math::FmaOp, math::LogOp, math::Log1pOp, math::Log2Op,
             math::PowFOp, math::RoundOp, math::RoundEvenOp, math::RsqrtOp,
             math::SinOp, math::SqrtOp, math::TanhOp, math::TruncOp>(op);
}

static std::optional<Refusal> findRefusal(Operation &op, Block &block,
                                          bool forGPU) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
      !isa<linalg::IndexOp, linalg::YieldOp, tensor::ExtractOp>(op))
    return Refusal{&op, "has no form in higher precision"};
  if (isa<arith::BitcastOp>(op))
    return Refusal{&op, "depends on the bits of a number"};
  if (forGPU && !hasDeviceCode(&op))
    return Refusal{&op, "has no code for a GPU"};
  for (Type type : op.getResultTypes())
    if (!type.isIntOrIndexOrFloat())
      return Refusal{&op, "is not on scalars"};
  for (Value operand : op.getOperands())
    if (operand.getParentBlock() != &block &&
        !operand.getDefiningOp<arith::ConstantOp>() &&
        !(isa<tensor::ExtractOp>(op) && isa<TensorType>(operand.getType())))
      return Refusal{&op, "uses a value from outside that is not a constant"};
  return std::nullopt;
}

std::optional<Refusal> grout::reference::findRefusal(linalg::LinalgOp op,
                                                     bool forGPU) {
  for (Operation &scalar : *op.getBlock())
    if (std::optional<Refusal> refusal =
            ::findRefusal(scalar, *op.getBlock(), forGPU))
      return refusal;
  return std::nullopt;
}

static APFloat promote(APFloat value, FloatType type) {
  bool losesInfo;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

TypedAttr grout::reference::promoteConstant(TypedAttr value, FloatType type) {
  if (auto scalar = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(type, promote(scalar.getValue(), type));
  if (isa<IntegerAttr, DenseIntElementsAttr>(value))
    return value;
  auto dense = dyn_cast<DenseFPElementsAttr>(value);
  if (!dense)
    return {};
  return dense.mapValues(type, [&](const APFloat &element) {
    return promote(element, type).bitcastToAPInt();
  });
}

/// `value`, in `type` if it is a float.
static Value toType(OpBuilder &builder, Value value, FloatType type) {
  return isa<FloatType>(value.getType())
             ? convertScalarToDtype(builder, value.getLoc(), value, type,
                                    /*isUnsignedCast=*/false)
             : value;
}

/// Copies `op` with operands and results of `type` where it had floats.
static void clonePromoted(OpBuilder &builder, Operation &op, FloatType type,
                          IRMapping &mapping) {
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    mapping.map(op.getResult(0), mapping.lookup(op.getOperand(0)));
    return;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    TypedAttr value = constant.getValue();
    if (TypedAttr promoted = promoteConstant(value, type))
      value = promoted;
    mapping.map(
        constant.getResult(),
        arith::ConstantOp::create(builder, op.getLoc(), value).getResult());
    return;
  }
  Operation *copy = builder.clone(op, mapping);
  OpBuilder before(copy);
  for (OpOperand &operand : copy->getOpOperands())
    operand.set(toType(before, operand.get(), type));
  for (Value result : copy->getResults())
    if (isa<FloatType>(result.getType()))
      result.setType(type);
  // A reference takes no liberties.
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(copy))
    copy->setAttr(fast.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(builder.getContext(),
                                                arith::FastMathFlags::none));
}

Value grout::reference::limitTo(OpBuilder &builder, Location loc, Value value,
                                Type type) {
  if (!type.isF32() || !value.getType().isF64())
    return value;
  // The first that is rounded to infinity.
  constexpr double kTooLarge = 0x1.ffffffp127;
  auto makeConstant = [&](double number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(number));
  };
  Value size = math::AbsFOp::create(builder, loc, value);
  Value isTooLarge = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OGE, size, makeConstant(kTooLarge));
  Value infinity = math::CopySignOp::create(
      builder, loc, makeConstant(std::numeric_limits<double>::infinity()),
      value);
  return arith::SelectOp::create(builder, loc, isTooLarge, infinity, value);
}

Value grout::reference::roundTo(OpBuilder &builder, Location loc, Value value,
                                Type type) {
  if (!isNarrowFloat(type))
    return value;
  Value rounded = arith::TruncFOp::create(builder, loc, type, value);
  return arith::ExtFOp::create(builder, loc, value.getType(), rounded);
}

SmallVector<Value> grout::reference::inlinePromoted(
    OpBuilder &builder, Block &block, const Promotion &promotion,
    ValueRange arguments, ValueRange coordinates, EmitGather gather) {
  const Accumulation &sums = promotion.sums;
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block) {
    for (Value operand : op.getOperands())
      if (!mapping.contains(operand) && !isa<TensorType>(operand.getType()))
        clonePromoted(builder, *operand.getDefiningOp(), promotion.type,
                      mapping);
    bool isInChain = sums.chain.contains(&op);
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      mapping.map(index.getResult(), coordinates[index.getDim()]);
    else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      mapping.map(
          extract.getResult(),
          gather(builder, extract.getTensor(),
                 llvm::map_to_vector(extract.getIndices(), [&](Value index) {
                   return mapping.lookup(index);
                 })));
    else if (!op.hasTrait<OpTrait::IsTerminator>())
      clonePromoted(builder, op, isInChain ? promotion.sumType : promotion.type,
                    mapping);
    if (!op.hasTrait<OpTrait::ConstantLike>() && !roundsNothing(&op) &&
        !isOptionalRounding(&op) && !isInChain && !sums.terms.contains(&op)) {
      bool isOfSum = promotion.allSums.chain.contains(&op) ||
                     promotion.allSums.terms.contains(&op);
      for (Value result : op.getResults()) {
        Value value = roundTo(builder, op.getLoc(), mapping.lookup(result),
                              result.getType());
        if (!isOfSum)
          value = limitTo(builder, op.getLoc(), value, result.getType());
        mapping.map(result, value);
      }
    }
  }
  SmallVector<Value> yielded;
  for (auto [number, value] :
       llvm::enumerate(block.getTerminator()->getOperands()))
    yielded.push_back(toType(builder, mapping.lookup(value),
                             llvm::is_contained(sums.results, unsigned(number))
                                 ? promotion.sumType
                                 : promotion.type));
  return yielded;
}

LogicalResult grout::reference::expandMathForGPU(Operation *module) {
  RewritePatternSet patterns(module->getContext());
  // The approximate form of rsqrt would be the GPU's own, which is what a
  // kernel under test may use, too.
  math::populateExpansionPatterns(patterns, {"rsqrt", "fpowi", "powf"});
  populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
    return llvm::is_contained({"math.atan", "math.atan2", "math.cos",
                               "math.erf", "math.erfc", "math.exp",
                               "math.expm1", "math.log", "math.log1p",
                               "math.log2", "math.sin", "math.tanh"},
                              name);
  });
  return applyPatternsGreedily(module, std::move(patterns));
}
