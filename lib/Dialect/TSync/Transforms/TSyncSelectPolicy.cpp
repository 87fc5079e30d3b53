//===- TSyncSelectPolicy.cpp - Chooses the semaphores of dependences ------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/DerivePolicy.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCSELECTPOLICY
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// What `name` asks for. `auto` is `row`: on the GPUs measured so far, waiting
/// at every step has never paid for its polls.
static std::optional<Granularity> parseGranularity(StringRef name) {
  if (name == "auto" || name == "row")
    return Granularity::Row;
  if (name == "tile")
    return Granularity::Tile;
  if (name == "kernel")
    return Granularity::Kernel;
  return std::nullopt;
}

/// The dependence of a read that has no policy yet, if there is one.
static DependenceOp findOpen(const ChainProgram &chainProgram, ChainOp chain,
                             const ChainRead &read) {
  for (DependenceOp dependence : chain.getDependences())
    if (dependence.getProducerKernel() == chainProgram.kernels[read.producer] &&
        dependence.getConsumerKernel() == chainProgram.kernels[read.consumer] &&
        dependence.getOperand() == read.operand->getOperandNumber() &&
        !dependence.getPolicy())
      return dependence;
  return {};
}

static LogicalResult selectPolicies(ChainOp chain, Granularity granularity) {
  FailureOr<ChainProgram> chainProgram = ChainProgram::get(chain);
  if (failed(chainProgram))
    return failure();
  const TileProgram &program = chainProgram->program;

  // Reads of one producer by one consumer share a policy, so that they share
  // semaphores; what only the epilogue reads is waited for later, and apart.
  using Group = std::tuple<unsigned, unsigned, unsigned>;
  llvm::MapVector<Group, SmallVector<const ChainRead *>> groups;
  for (const ChainRead &read : chainProgram->reads)
    if (findOpen(*chainProgram, chain, read))
      groups[{read.producer, read.consumer,
              chainProgram->kernels[read.consumer].isReadAfterSteps(
                  *read.operand)}]
          .push_back(&read);

  IslContext context;
  for (auto &[group, reads] : groups) {
    auto [producer, consumer, afterSteps] = group;
    Operation *consumerOp = chainProgram->kernels[consumer];
    std::optional<TileDependence> merged;
    for (const ChainRead *read : reads) {
      llvm::Expected<TileDependence> dependence = deriveDependence(
          context, producer, program.kernels[producer],
          program.writes[chainProgram->firstWrite[producer]].access, consumer,
          program.kernels[consumer], read->operand->getOperandNumber(),
          read->access);
      if (dependence && merged)
        dependence = mergeDependences(*merged, *dependence);
      if (!dependence)
        return consumerOp->emitOpError()
               << "dependence cannot be derived: "
               << llvm::toString(dependence.takeError());
      merged = std::move(*dependence);
    }
    // An epilogue waits once.
    Granularity chosen = afterSteps && granularity == Granularity::Tile
                             ? Granularity::Row
                             : granularity;
    llvm::Expected<DerivedPolicy> policy =
        derivePolicy(*merged, program.kernels[producer],
                     program.kernels[consumer], chosen, chain.getContext());
    if (!policy)
      return consumerOp->emitOpError() << "policy cannot be derived: "
                                       << llvm::toString(policy.takeError());
    for (const ChainRead *read : reads)
      findOpen(*chainProgram, chain, *read)
          .setPolicyAttr(toPolicyAttr(policy->policy));
  }
  return success();
}

namespace {

struct TSyncSelectPolicy : tsync::impl::TSyncSelectPolicyBase<TSyncSelectPolicy> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<Granularity> parsed = parseGranularity(granularity);
    if (!parsed) {
      getOperation()->emitError()
          << "unknown granularity '" << granularity
          << "'; it must be auto, tile, row or kernel";
      return signalPassFailure();
    }
    WalkResult result = getOperation()->walk([&](ChainOp chain) {
      if (chain.getMode() == Mode::serial)
        return WalkResult::advance();
      return WalkResult(selectPolicies(chain, *parsed));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
