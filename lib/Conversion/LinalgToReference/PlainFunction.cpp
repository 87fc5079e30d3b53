//===- PlainFunction.cpp - What a reference is made from ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlainFunction.h"

#include "PlainKernels.h"
#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/Softmax.h"
#include "grout/Dialect/TGemm/Transforms/Decompose.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace grout;

static void decompose(RewriterBase &rewriter, linalg::SoftmaxOp op,
                      bool strictTypes) {
  if (!strictTypes &&
      isNarrowFloat(op.getInputOperandType().getElementType())) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, decomposeHalfSoftmax(rewriter, op));
    return;
  }
  FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
  if (succeeded(values))
    rewriter.replaceOp(op, *values);
}

/// Replaces `op` by what it consists of, if it can say that, and sets
/// `isReplaced`.
static LogicalResult decompose(RewriterBase &rewriter,
                               linalg::AggregatedOpInterface op,
                               bool &isReplaced) {
  rewriter.setInsertionPoint(op);
  FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
  if (failed(values))
    return success();
  if (llvm::is_contained(*values, Value()) ||
      TypeRange(ValueRange(*values)) != TypeRange(op->getResultTypes())) {
    InFlightDiagnostic diag =
        op->emitOpError() << "must decompose (AggregatedOpInterface) into "
                             "a value of the type of each result, but gives ";
    if (llvm::is_contained(*values, Value()))
      return diag << "null";
    if (values->empty())
      return diag << "none";
    return diag << values->size() << " of types "
                << TypeRange(ValueRange(*values));
  }
  rewriter.replaceOp(op, *values);
  isReplaced = true;
  return success();
}

/// Replaces the ops in `func` that say what they consist of, but those of
/// linalg.
static LogicalResult decomposeOps(RewriterBase &rewriter, func::FuncOp func) {
  // What an op consists of may do so again; but nobody may do so for ever.
  constexpr unsigned kMostRounds = 16;
  bool isReplaced = true;
  for (unsigned round = 0; isReplaced && round != kMostRounds; ++round) {
    tgemm::decomposeOps(func);
    SmallVector<linalg::AggregatedOpInterface> ops;
    func.walk([&](linalg::AggregatedOpInterface op) {
      if (!isa<linalg::LinalgDialect>(op->getDialect()))
        ops.push_back(op);
    });
    isReplaced = false;
    for (linalg::AggregatedOpInterface op : ops)
      if (failed(decompose(rewriter, op, isReplaced)))
        return failure();
    if (isReplaced && failed(verify(func)))
      return emitError(func.getLoc())
             << "ops of '" << func.getSymName()
             << "' do not decompose (AggregatedOpInterface) "
                "into valid ops";
  }
  return success();
}

OwningOpRef<func::FuncOp>
grout::reference::buildPlainFunction(func::FuncOp func, bool strictTypes) {
  OwningOpRef<func::FuncOp> plain(func.clone());
  IRRewriter rewriter(func.getContext());
  if (failed(decomposeOps(rewriter, *plain)))
    return {};
  replaceKernels(*plain);
  plain->walk([&](linalg::SoftmaxOp op) {
    if (op.hasPureTensorSemantics() &&
        op.getInputOperandType().hasStaticShape())
      decompose(rewriter, op, strictTypes);
  });
  return plain;
}
