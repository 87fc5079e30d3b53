//===- LinalgToTGemm.cpp - linalg contractions to tgemm -------------------===//
//
// Part of Grout. Every contraction becomes a tgemm.matmul together with the
// elementwise ops that follow it. An existing product, such as a tgemm.conv2d,
// takes the elementwise ops that follow it, too. After that, the elementwise
// ops that compute epilogue inputs move into epilogues. This order lets an op
// follow one product even if it could also precede the epilogue of another.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"

#include "EpilogueBuilder.h"
#include "EpilogueCone.h"
#include "UnconvertedOps.h"
#include "grout/Conversion/Common/DeadOps.h"
#include "grout/Conversion/Common/Outputs.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "convert-linalg-to-tgemm"

namespace grout {
#define GEN_PASS_DEF_CONVERTLINALGTOTGEMM
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Finds all contractions. Emits errors for malformed ones.
static LogicalResult collectContractions(func::FuncOp function,
                                         ContractionMap &contractions) {
  bool failed = false;
  function.walk([&](Operation *any) {
    if (auto product = dyn_cast<tgemm::ProductOpInterface>(any);
        product && product.takesEpilogue() && product.getEpilogue().empty()) {
      Contraction contraction;
      contraction.op = product;
      contraction.lhs = any->getOperand(0);
      contraction.rhs = any->getOperand(1);
      contractions.insert({product, contraction});
    }
    auto op = dyn_cast<linalg::LinalgOp>(any);
    if (!op)
      return;
    Refusal refusal;
    FailureOr<Contraction> contraction = matchContraction(op, refusal);
    if (linalg::isaContractionOpInterface(op))
      LDBG() << op->getName() << " at " << op.getLoc()
             << (succeeded(contraction) ? " is a product" : " is no product: ")
             << refusal.reason;
    if (succeeded(contraction)) {
      contractions.insert({op, *contraction});
    } else if (refusal.isError) {
      op.emitOpError() << "cannot be compiled: " << refusal.reason;
      failed = true;
    }
  });
  return failure(failed);
}

/// Reports the products of `cone`, and the ops of their epilogue.
static void reportCone(const EpilogueCone &cone) {
  LDBG_OS([&](llvm::raw_ostream &os) {
    os << "one product of";
    for (const Contraction *product : cone.products)
      os << ' ' << product->op->getLoc();
    os << ", with " << cone.ops.size() << " ops in its epilogue";
    for (linalg::LinalgOp op : cone.ops)
      os << ' ' << op->getName() << " at " << op->getLoc();
  });
}

/// Replaces the ops of `cone` by one product.
static void convertCone(OpBuilder &builder, EpilogueCone &cone) {
  tgemm::ProductOpInterface product = buildProduct(builder, cone);
  cone.result.replaceAllUsesWith(product.getResult());
  for (linalg::LinalgOp op : llvm::reverse(cone.ops))
    op.erase();
  for (const Contraction *contraction : cone.products)
    contraction->op->erase();
}

namespace {

struct ConvertLinalgToTGemm
    : grout::impl::ConvertLinalgToTGemmBase<ConvertLinalgToTGemm> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    function.walk(dropUnreadOutputs);
    eraseDeadOps(function);
    ContractionMap contractions;
    if (failed(collectContractions(function, contractions)))
      return signalPassFailure();

    // Go from the last product to the first. If results of products with
    // different inputs are combined, the last product takes the results of the
    // others, which are computed before it.
    OpBuilder builder(&getContext());
    while (!contractions.empty()) {
      EpilogueCone cone = growCone(contractions.back().second, contractions);
      reportCone(cone);
      numProducts += cone.products.size();
      numEpilogueOps += cone.ops.size();
      SmallVector<Operation *> converted;
      for (const Contraction *product : cone.products)
        converted.push_back(product->op);
      convertCone(builder, cone);
      for (Operation *op : converted)
        contractions.erase(op);
    }
    function.walk([](tgemm::ProductOpInterface op) { absorbProducers(op); });
    eraseDeadOps(function);
    if (failed(refuseUnconverted(function)))
      return signalPassFailure();
    reportUnconverted(function, remarkMemoryBound);
  }
};

} // namespace
