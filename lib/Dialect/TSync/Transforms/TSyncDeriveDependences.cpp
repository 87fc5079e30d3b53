//===- TSyncDeriveDependences.cpp - Derives tile dependences --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/TileDependence.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Interfaces/VerifyTiles.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tsync-derive-dependences"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCDERIVEDEPENDENCES
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// Adds the dependences of `chain`, or refreshes those that are there.
static LogicalResult deriveDependences(ChainOp chain) {
  FailureOr<ChainProgram> chainProgram = ChainProgram::get(chain);
  if (failed(chainProgram))
    return failure();
  for (TileKernelOpInterface kernel : chainProgram->kernels)
    if (failed(verifyTiles(kernel)))
      return failure();
  const TileProgram &program = chainProgram->program;

  IslContext context;
  OpBuilder builder(chain.getBody().front().getTerminator());
  for (const ChainRead &read : chainProgram->reads) {
    TileKernelOpInterface producer = chainProgram->kernels[read.producer];
    TileKernelOpInterface consumer = chainProgram->kernels[read.consumer];
    unsigned operand = read.operand->getOperandNumber();
    llvm::Expected<TileDependence> dependence =
        deriveDependence(context, read.producer, program.kernels[read.producer],
                         program.writes[read.write].access, read.consumer,
                         program.kernels[read.consumer], operand, read.access);
    if (!dependence)
      return consumer->emitOpError()
             << "dependence of operand " << operand << " cannot be derived: "
             << llvm::toString(dependence.takeError());

    DependenceOp existing;
    for (DependenceOp candidate : chain.getDependences())
      if (candidate.getProducerKernel() == producer &&
          candidate.getConsumerKernel() == consumer &&
          candidate.getOperand() == operand)
        existing = candidate;
    if (!existing)
      existing = DependenceOp::create(builder, consumer->getLoc(), read.result,
                                      consumer->getResult(0), operand,
                                      StringAttr(), ModeAttr(), PolicyAttr());
    existing.setRelation(dependence->relation.str());
    LDBG() << "operand " << operand << " of " << consumer->getLoc()
           << " depends on " << producer->getLoc() << ": "
           << existing.getRelation();
  }
  return success();
}

namespace {

struct TSyncDeriveDependences
    : tsync::impl::TSyncDeriveDependencesBase<TSyncDeriveDependences> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk(
        [](ChainOp chain) { return WalkResult(deriveDependences(chain)); });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
