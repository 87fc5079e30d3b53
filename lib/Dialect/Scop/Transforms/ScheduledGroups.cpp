//===- ScheduledGroups.cpp - Kernels of a schedule ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ScheduledGroups.h"

#include "SharedLaunch.h"
#include "grout/Target/IR/Grout.h"
#include <map>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether each statement has only one instance.
static bool isPoint(const StatementGroup &group) {
  return llvm::all_of(group, [](StmtOp op) {
    return llvm::all_of(op.getExtents(),
                        [](int64_t extent) { return extent == 1; });
  });
}

/// Whether the outermost loop of a statement is a reduction loop.
static bool startsWithReduction(const StatementGroup &group,
                                ScheduleAttr schedule) {
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

/// Returns the groups of the sequence with which the schedule of `kernel`
/// begins, in order; one group if it does not begin with one. A group that only
/// initialises or finishes a reduction over everything joins the group of that
/// reduction.
static std::vector<StatementGroup> getSequence(KernelOp kernel) {
  ScheduleAttr schedule = *kernel.getSchedule();
  unsigned numSequences = 0;
  for (DimAttr dim : schedule.getDims()) {
    if (dim.getKind() != DimKind::Sequence)
      break;
    ++numSequences;
  }
  std::map<SmallVector<int64_t>, StatementGroup> byTime;
  for (StmtOp op : kernel.getStatements()) {
    SmallVector<int64_t> time;
    for (AffineExpr row :
         schedule.getMap(op.getSymName()).getResults().take_front(numSequences))
      time.push_back(cast<AffineConstantExpr>(row).getValue());
    byTime[time].push_back(op);
  }
  std::vector<StatementGroup> groups;
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

/// Whether all of `kernel` is so little work that one block may do it: for
/// example, if it normalises one row. The block keeps intermediate values in
/// registers instead of memory, and there are no launches to wait for in
/// between. `groups` are the groups of its schedule.
static bool fitsBlock(KernelOp kernel, ArrayRef<StatementGroup> groups) {
  const Target *target = findTarget(kernel);
  if (!target || target->getSpec().warpSize == 0 ||
      llvm::none_of(groups, [&](const StatementGroup &group) {
        return startsWithReduction(group, *kernel.getSchedule());
      }))
    return false;
  for (StmtOp op : kernel.getStatements())
    if (op.getNumInstances() >
        target->getSpec().memoryBound.maxSingleBlockInstances)
      return false;
  std::optional<KernelNeeds> needs = getKernelNeeds(kernel, target->getSpec());
  return needs && needs->blocks == 1;
}

std::vector<StatementGroup> scop::getScheduledGroups(KernelOp kernel) {
  std::vector<StatementGroup> groups = getSequence(kernel);
  if (groups.size() > 1 && fitsBlock(kernel, groups))
    return {llvm::to_vector(kernel.getStatements())};
  return groups;
}
