//===- ScopDistribute.cpp - One kernel for each part of a sequence --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DistributeKernel.h"
#include "SharedLaunch.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"
#include <map>

#define DEBUG_TYPE "scop-distribute"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPDISTRIBUTE
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

using Group = StatementGroup;

/// Whether each statement has one instance.
static bool isPoint(const Group &group) {
  return llvm::all_of(group, [](StmtOp op) {
    return llvm::all_of(op.getExtents(),
                        [](int64_t extent) { return extent == 1; });
  });
}

/// Whether the outermost loop of a statement is one over which it combines.
static bool startsWithReduction(const Group &group, ScheduleAttr schedule) {
  return llvm::any_of(group, [&](StmtOp op) {
    ArrayRef<AffineExpr> rows = schedule.getMap(op.getSymName()).getResults();
    auto *first = llvm::find_if(rows, [&](AffineExpr row) {
      auto iterator = dyn_cast<AffineDimExpr>(row);
      return iterator && op.getExtents()[iterator.getPosition()] != 1;
    });
    return first != rows.end() &&
           llvm::is_contained(op.getReductions(),
                              cast<AffineDimExpr>(*first).getPosition());
  });
}

/// The groups of the sequence with which the schedule of `kernel` begins, in
/// order; one if it begins with none. What starts or ends a sum of everything
/// is no kernel of its own.
static std::vector<Group> getGroups(KernelOp kernel) {
  ScheduleAttr schedule = *kernel.getSchedule();
  unsigned numSequences = 0;
  for (DimAttr dim : schedule.getDims()) {
    if (dim.getKind() != DimKind::Sequence)
      break;
    ++numSequences;
  }
  std::map<SmallVector<int64_t>, Group> byTime;
  for (StmtOp op : kernel.getStatements()) {
    SmallVector<int64_t> time;
    for (AffineExpr row :
         schedule.getMap(op.getSymName()).getResults().take_front(numSequences))
      time.push_back(cast<AffineConstantExpr>(row).getValue());
    byTime[time].push_back(op);
  }
  std::vector<Group> groups;
  for (auto &entry : byTime)
    groups.push_back(std::move(entry.second));

  for (size_t i = groups.size() - 1; i-- > 0;)
    if (isPoint(groups[i]) && startsWithReduction(groups[i + 1], schedule)) {
      llvm::append_range(groups[i], groups[i + 1]);
      groups.erase(groups.begin() + i + 1);
    }
  for (size_t i = 1; i < groups.size();)
    if (isPoint(groups[i]) && startsWithReduction(groups[i - 1], schedule)) {
      llvm::append_range(groups[i - 1], groups[i]);
      groups.erase(groups.begin() + i);
    } else {
      ++i;
    }
  return groups;
}

/// Whether all of `kernel`, of `groups`, is so little that one block may as
/// well do it: a row that is normalised, say. The block keeps in registers what
/// would go through memory, and waits for no launches in between.
static bool fitsBlock(KernelOp kernel, ArrayRef<Group> groups) {
  const Target *target = findTarget(kernel);
  if (!target || target->getSpec().warpSize == 0 ||
      llvm::none_of(groups, [&](const Group &group) {
        return startsWithReduction(group, *kernel.getSchedule());
      }))
    return false;
  for (StmtOp op : kernel.getStatements())
    if (op.getNumInstances() > target->getSpec().memoryBound.pointsOfBlock)
      return false;
  std::optional<KernelNeeds> needs = getKernelNeeds(kernel, target->getSpec());
  return needs && needs->blocks == 1;
}

namespace {

struct ScopDistribute : grout::scop::impl::ScopDistributeBase<ScopDistribute> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && kernel.getSchedule())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels) {
      std::vector<Group> groups = getGroups(kernel);
      if (groups.size() > 1 && fitsBlock(kernel, groups)) {
        LDBG() << kernel.getLoc() << " stays one kernel, of one block";
        ++numKernels;
        continue;
      }
      LDBG() << kernel.getLoc() << " becomes " << groups.size()
             << " kernels, by the sequence that its schedule begins with";
      numKernels += groups.size();
      // A schedule that is not legal would become another program.
      if (groups.size() > 1 && (failed(verifySchedule(kernel)) ||
                                failed(distributeKernel(kernel, groups))))
        return signalPassFailure();
    }
  }
};

} // namespace
