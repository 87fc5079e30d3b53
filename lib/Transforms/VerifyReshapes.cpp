//===- VerifyReshapes.cpp - Reshapes of dimensions that exist -------------===//
//
// Part of Grout. The verifiers of tensor.collapse_shape and expand_shape only
// look at the low 32 bits of a dimension's number: they take 2^32 for 0.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout {
#define GEN_PASS_DEF_VERIFYRESHAPES
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

/// Checks that `groups` contains the dimensions of the `expanded` shape in
/// order.
static LogicalResult verifyGroups(Operation *op,
                                  ArrayRef<ReassociationIndices> groups,
                                  RankedTensorType expanded) {
  for (const ReassociationIndices &group : groups)
    for (int64_t dim : group)
      if (dim < 0 || dim >= expanded.getRank())
        return op->emitOpError() << "has a reassociation with dimension " << dim
                                 << ", which " << expanded << " does not have";
  return success();
}

namespace {

struct VerifyReshapes : grout::impl::VerifyReshapesBase<VerifyReshapes> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
        return WalkResult(verifyGroups(op, expand.getReassociationIndices(),
                                       expand.getResultType()));
      if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
        return WalkResult(verifyGroups(op, collapse.getReassociationIndices(),
                                       collapse.getSrcType()));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
