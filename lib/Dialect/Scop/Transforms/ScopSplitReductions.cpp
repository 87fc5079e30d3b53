//===- ScopSplitReductions.cpp - Reductions in two stages -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PartialReduction.h"
#include "PartitionKernel.h"
#include "SplitChoice.h"
#include "StripMine.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPSPLITREDUCTIONS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Strip-mines `loops` of reductions that are split, and updates their numbers
/// in `reductions`.
static void stripMineReductions(std::vector<SplitLoop> loops,
                                std::vector<SplitLoop> &reductions) {
  // Later iterators come first, so that the numbers of the others stay the
  // same.
  llvm::stable_sort(loops, [](const SplitLoop &a, const SplitLoop &b) {
    return a.iterator > b.iterator;
  });
  for (const SplitLoop &loop : loops) {
    if (!stripMine(loop.op, loop.iterator, loop.factor))
      continue;
    for (SplitLoop &reduction : reductions)
      if (reduction.op == loop.op && reduction.iterator > loop.iterator)
        ++reduction.iterator;
  }
}

/// Splits `kernel` as `choice` says. Returns the second kernel.
static FailureOr<KernelOp> splitReductions(KernelOp kernel,
                                           SplitChoice choice) {
  SmallVector<unsigned> meanReads;
  for (const Variance &variance : choice.variances)
    meanReads.push_back(inlineDifferences(variance));
  StatementSet split;
  for (const SplitLoop &loop : choice.reductions)
    split.insert(loop.op);
  std::vector<SplitLoop> loops = choice.reductions;
  std::vector<std::pair<std::string, SplitLoop>> others;
  for (const SplitLoop &loop : choice.others) {
    if (split.contains(loop.op))
      loops.push_back(loop);
    else
      others.emplace_back(StmtOp(loop.op).getSymName().str(), loop);
  }
  stripMineReductions(loops, choice.reductions);
  StatementSet late;
  llvm::MapVector<Operation *, PartialReduction> partials;
  for (const SplitLoop &loop : choice.reductions) {
    PartialReduction partial(loop.op, loop.iterator);
    late.insert(partial.split());
    partials.insert({loop.op, partial});
  }
  for (auto [variance, read] : llvm::zip_equal(choice.variances, meanReads))
    partials.find(variance.squares)
        ->second.centre(partials.find(variance.sum)->second, read);
  addDependentStatements(kernel, late);
  auto kernels = partitionKernel(kernel, late);
  if (failed(kernels))
    return failure();
  auto [first, second] = *kernels;

  // The second kernel may have these statements, too, but not the reductions.
  llvm::stable_sort(others, [](const auto &a, const auto &b) {
    return a.second.iterator > b.second.iterator;
  });
  for (const auto &[name, loop] : others)
    if (StmtOp op = KernelOp(first).lookupStatement(name))
      stripMine(op, loop.iterator, loop.factor);
  return second;
}

namespace {

struct ScopSplitReductions
    : grout::scop::impl::ScopSplitReductionsBase<ScopSplitReductions> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getGPU(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (processors < 0 || processors > INT32_MAX || blocksPerProcessor < 1 ||
        blocksPerProcessor > INT32_MAX || minBytes < 0 || minBlockBytes < 0 ||
        launchNanoseconds < -1) {
      emitError(getOperation()->getLoc())
          << "blocks-per-processor must be at least 1, processors, min-bytes "
             "and min-block-bytes at least 0, and launch-ns at least -1; "
             "processors and blocks-per-processor must be below 2^31";
      return signalPassFailure();
    }
    const TargetSpec &spec = (*target)->getSpec();
    int64_t numProcessors = processors > 0 ? processors : spec.processors;
    double launchTime = launchNanoseconds < 0 ? spec.launchTime * 1e9
                                              : double(launchNanoseconds);
    SplitModel model = {numProcessors * blocksPerProcessor,
                        spec.memoryRate * 1e-9,
                        minBytes,
                        minBlockBytes,
                        launchTime,
                        spec.memoryBound.splitRowCost};
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && !kernel.getSchedule() && !kernel.getTree())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      for (;;) {
        SplitChoice choice = chooseSplits(kernel, model);
        if (choice.reductions.empty())
          break;
        numSplit += choice.reductions.size();
        FailureOr<KernelOp> second = splitReductions(kernel, choice);
        if (failed(second))
          return signalPassFailure();
        kernel = *second;
      }
  }
};

} // namespace
