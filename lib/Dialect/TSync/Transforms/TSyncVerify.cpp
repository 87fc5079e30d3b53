//===- TSyncVerify.cpp - Proves that synchronisation is safe --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/VerifyProgram.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Dialect/TSync/Transforms/ProvedChains.h"
#include "grout/Interfaces/TileAnswers.h"
#include "grout/Interfaces/VerifyTiles.h"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCVERIFY
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// Reports `failure` at the dependence that causes it, or else at the consumer.
static void report(const VerifyFailure &failure,
                   const ChainProgram &chainProgram, ChainOp chain) {
  Operation *at = chain;
  if (failure.edge)
    at = chainProgram.edges[*failure.edge];
  else if (failure.consumer)
    at = chainProgram.kernels[failure.consumer->kernel];
  InFlightDiagnostic diag = at->emitOpError("is not proved: ")
                            << failure.message;
  if (failure.producer)
    diag.attachNote(chainProgram.kernels[failure.producer->kernel]->getLoc())
        << "the producer is here";
}

/// Code generators wait for operands of the epilogue once, after the last step.
/// So the policies of these operands must not depend on the step.
static LogicalResult verifyEpilogueWaits(const ChainProgram &chainProgram) {
  for (DependenceOp dependence : chainProgram.edges) {
    PolicyAttr policy = *dependence.getPolicy();
    unsigned step = policy.getLower().getNumDims() - 1;
    if (dependence.getConsumerKernel().isReadAfterSteps(
            dependence.getConsumerOperand()) &&
        (policy.getLower().isFunctionOfDim(step) ||
         policy.getUpper().isFunctionOfDim(step)))
      return dependence.emitOpError()
             << "operand " << dependence.getOperand()
             << " is read once, after the last step, but the policy's waits "
                "depend on the step";
  }
  return success();
}

/// If tiles of `chain` wait for tiles, proves `chain`, and records the number
/// of residents that it needs. `known` is that number if `chain` was proved
/// before.
static LogicalResult verifyWaits(ChainOp chain, int64_t residents,
                                 std::optional<int64_t> known) {
  // Without semaphores, a kernel waits for whole kernels.
  if (!chain.isSynchronisedByTile())
    return success();
  FailureOr<ChainProgram> chainProgram = ChainProgram::get(chain);
  if (failed(chainProgram) || failed(verifyEpilogueWaits(*chainProgram)))
    return failure();
  if (chainProgram->program.order.empty())
    return chain.emitOpError("has no tile order; run tsync-assign-order");
  if (known && residents == 0) {
    chain.setResidents(*known);
    return success();
  }
  VerifyOptions options;
  if (residents > 0)
    options.residents = residents;
  VerifyResult result =
      verifyProgram(IslContext(), chainProgram->program, options);
  for (const VerifyFailure &failure : result.failures)
    report(failure, *chainProgram, chain);
  if (!result.succeeded())
    return failure();
  chain.setResidents(result.requiredResidents);
  return success();
}

/// Whether `kernel` is an op of Grout, whose answers depend only on its
/// attributes and types.
static bool isGrouts(TileKernelOpInterface kernel) {
  return llvm::is_contained({"scop", "tgemm"},
                            kernel->getName().getDialectNamespace());
}

/// Proves `chain`. Records on each kernel of another dialect a digest of its
/// answers, on which the proof depends.
static LogicalResult verifyChain(ChainOp chain, int64_t residents,
                                 std::optional<int64_t> known) {
  SmallVector<std::pair<TileKernelOpInterface, TileAnswers>> fromOutside;
  for (TileKernelOpInterface kernel : chain.getKernels()) {
    if (failed(verifyTiles(kernel)))
      return failure();
    if (isGrouts(kernel))
      kernel->removeDiscardableAttr(TSyncDialect::kProvedAnswersAttrName);
    else
      fromOutside.emplace_back(kernel, TileAnswers(kernel));
  }
  // Such a kernel is alone in its chain, so its tiles wait for none.
  if (llvm::any_of(chain.getKernels(), hasTilesChosenAtRunTime)) {
    chain.setResidents(1);
    return success();
  }
  // An earlier proof may be for other answers.
  if (failed(verifyWaits(chain, residents,
                         fromOutside.empty() ? known : std::nullopt)))
    return failure();
  for (auto &[kernel, answers] : fromOutside) {
    if (failed(answers.verifySame()))
      return failure();
    kernel->setDiscardableAttr(
        TSyncDialect::kProvedAnswersAttrName,
        OpBuilder(chain).getI64IntegerAttr(answers.getDigest()));
  }
  return success();
}

namespace {

struct TSyncVerify : tsync::impl::TSyncVerifyBase<TSyncVerify> {
  using Base::Base;

  void runOnOperation() override {
    if (residents < 0) {
      emitError(getOperation()->getLoc())
          << "residents must be at least 0, got " << int64_t(residents);
      return signalPassFailure();
    }
    bool anyFailed = false;
    auto proved = getCachedAnalysis<ProvedChains>();
    getOperation()->walk([&](ChainOp chain) {
      anyFailed |= failed(
          verifyChain(chain, residents,
                      proved ? proved->get().lookup(chain) : std::nullopt));
    });
    if (anyFailed)
      signalPassFailure();
  }
};

} // namespace
