//===- ScopFormLaunches.cpp - One kernel for each launch ------------------===//
//
// Part of Grout. See docs/ConstraintTrees.md.
//
//===----------------------------------------------------------------------===//

#include "DistributeKernel.h"
#include "EqualKernels.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Threading.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "scop-form-launches"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPFORMLAUNCHES
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Reports the statements of each launch that `kernel` becomes.
static void reportGroups(KernelOp kernel, ArrayRef<StatementGroup> groups) {
  LDBG() << kernel.getLoc() << " becomes " << groups.size() << " kernels";
  for (const StatementGroup &group : groups)
    LDBG() << "  one of "
           << llvm::interleaved(llvm::map_range(
                  group, [](StmtOp op) { return op.getSymName(); }));
}

/// The names of statements, for each launch.
using StatementNames = std::vector<std::vector<std::string>>;

static StatementNames getNames(ArrayRef<StatementGroup> groups) {
  StatementNames names;
  for (const StatementGroup &group : groups) {
    names.emplace_back();
    for (StmtOp op : group)
      names.back().push_back(op.getSymName().str());
  }
  return names;
}

/// Returns the statements of `kernel` with these names.
static SmallVector<StatementGroup> lookupGroups(KernelOp kernel,
                                                const StatementNames &names) {
  SmallVector<StatementGroup> groups;
  for (const std::vector<std::string> &group : names)
    groups.push_back(llvm::map_to_vector(group, [&](const std::string &name) {
      return kernel.lookupStatement(name);
    }));
  return groups;
}

namespace {

struct ScopFormLaunches
    : grout::scop::impl::ScopFormLaunchesBase<ScopFormLaunches> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && !kernel.getSchedule() && !kernel.getTree())
        kernels.push_back(kernel);
    });
    SmallVector<size_t> firstEqual = findFirstEqual(kernels);
    // The groups of the first of equal kernels; none if it stays whole, which
    // each kernel says itself.
    std::vector<StatementNames> found(kernels.size());
    auto find = [&](size_t index) -> LogicalResult {
      FailureOr<SmallVector<StatementGroup>> groups =
          findGroups(kernels[index], (*target)->getSpec());
      if (succeeded(groups))
        found[index] = getNames(*groups);
      return groups;
    };
    SmallVector<size_t> distinct;
    for (auto [index, first] : llvm::enumerate(firstEqual))
      if (index == first)
        distinct.push_back(index);
    if (failed(failableParallelForEach(&getContext(), distinct, find)))
      return signalPassFailure();
    for (auto [index, first] : llvm::enumerate(firstEqual)) {
      if (found[first].empty() && index != first && failed(find(index)))
        return signalPassFailure();
      KernelOp kernel = kernels[index];
      SmallVector<StatementGroup> groups = lookupGroups(
          kernel, found[first].empty() ? found[index] : found[first]);
      reportGroups(kernel, groups);
      numKernels += groups.size();
      if (groups.size() > 1 && failed(distributeKernel(kernel, groups)))
        return signalPassFailure();
    }
  }

  /// Returns the statements of each launch that `kernel` becomes. If nobody can
  /// tell, emits a remark, and returns no groups.
  FailureOr<SmallVector<StatementGroup>> findGroups(KernelOp kernel,
                                                    const TargetSpec &spec) {
    std::string reason;
    FailureOr<std::optional<SchedulingProblem>> problem =
        tryBuildSchedulingProblem(kernel, maxOperations, reason);
    if (failed(problem))
      return failure();
    auto keepWhole = [&] {
      LDBG() << kernel.getLoc() << " stays one kernel: " << reason;
      kernel.emitRemark() << "stays one kernel: " << reason;
      return SmallVector<StatementGroup>();
    };
    if (!*problem)
      return keepWhole();
    ConstraintTreeOptions options;
    options.target = spec;
    auto groups = findLaunchGroups(kernel, **problem, options);
    if (!groups) {
      reason = llvm::toString(groups.takeError());
      return keepWhole();
    }
    return SmallVector<StatementGroup>(groups->begin(), groups->end());
  }
};

} // namespace
