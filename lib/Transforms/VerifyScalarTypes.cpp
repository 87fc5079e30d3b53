//===- VerifyScalarTypes.cpp - Numbers that targets compute with ----------===//
//
// Part of Grout. MLIR has number types that no target can compute with. Without
// this pass, LLVM would report them, in terms that are not the user's.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/ElementTypes.h"
#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace grout {
#define GEN_PASS_DEF_VERIFYSCALARTYPES
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

/// For wider integers, LLVM calls functions of the compiler's runtime, and ends
/// the process if there are none.
static constexpr unsigned kMaxIntegerBits = 64;

/// Whether targets can compute with numbers of `type`, or with its elements if
/// it is a tensor. Also true for types that are not numbers: other passes check
/// them.
static bool isComputable(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<ComplexType>(element))
    return false;
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.getWidth() <= kMaxIntegerBits;
  return !isa<FloatType>(element) || grout::isGemmFloat(element) ||
         element.isF64();
}

/// Returns the first type of an operand or a result of `op` that no target can
/// compute with; null if there is none.
static Type findUnknownType(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isComputable(type))
        return type;
  return Type();
}

static LogicalResult verify(Operation *op) {
  if (!isa<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect>(
          op->getDialect()))
    return success();
  Type unknown = findUnknownType(op);
  if (!unknown)
    return success();
  Type element = getElementTypeOrSelf(unknown);
  return op->emitOpError()
         << "is on " << element
         << ", which no target of Grout computes with; use "
         << (isa<IntegerType>(element)
                 ? "integers of at most 64 bits"
                 : grout::joinNames(grout::getFloatNames(/*maxBytes=*/8), "or"))
         << ", and convert other numbers outside of the program";
}

namespace {

struct VerifyScalarTypes
    : grout::impl::VerifyScalarTypesBase<VerifyScalarTypes> {
  using Base::Base;

  void runOnOperation() override {
    // Check an op before the ops in its body.
    WalkResult result = getOperation()->walk<WalkOrder::PreOrder>(
        [](Operation *op) { return WalkResult(::verify(op)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
