//===- PlainFunction.cpp - What a reference is made from ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlainFunction.h"

#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/Softmax.h"
#include "grout/Dialect/TGemm/Transforms/Decompose.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace grout;

static void decompose(RewriterBase &rewriter, linalg::SoftmaxOp op,
                      bool strictTypes) {
  if (!strictTypes && isHalf(op.getInputOperandType().getElementType())) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, decomposeHalfSoftmax(rewriter, op));
    return;
  }
  FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
  if (succeeded(values))
    rewriter.replaceOp(op, *values);
}

OwningOpRef<func::FuncOp>
grout::reference::buildPlainFunction(func::FuncOp func, bool strictTypes) {
  OwningOpRef<func::FuncOp> plain(func.clone());
  tgemm::decomposeOps(*plain);
  IRRewriter rewriter(func.getContext());
  plain->walk([&](linalg::SoftmaxOp op) {
    if (op.hasPureTensorSemantics() &&
        op.getInputOperandType().hasStaticShape())
      decompose(rewriter, op, strictTypes);
  });
  return plain;
}
