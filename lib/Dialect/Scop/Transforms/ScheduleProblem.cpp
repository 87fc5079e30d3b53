//===- ScheduleProblem.cpp - Whether a GPU runs a schedule ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ScheduleProblem.h"

#include "ScheduledGroups.h"
#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"
#include "grout/Support/CapturedErrors.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

/// A copy of a kernel, placed behind it, to which passes may be applied. The
/// destructor erases the copy, and all that was made of it.
class Trial {
public:
  explicit Trial(KernelOp kernel) : kernel(kernel) {
    OpBuilder builder(kernel->getContext());
    builder.setInsertionPointAfter(kernel);
    end = kernel->getNextNode();
    copy = cast<KernelOp>(builder.clone(*kernel));
  }
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;
  ~Trial() {
    while (end->getPrevNode() != kernel)
      end->getPrevNode()->erase();
  }

  KernelOp copy;

private:
  KernelOp kernel;
  Operation *end;
};

} // namespace

/// Returns the part of an error behind the words with which all of them begin.
static std::string getReason(StringRef error) {
  StringRef reason = error.split("cannot be compiled for a GPU: ").second;
  return (reason.empty() ? error : reason).str();
}

std::string scop::findScheduleProblem(KernelOp kernel, ScheduleAttr schedule) {
  Trial trial(kernel);
  trial.copy.setScheduleAttr(schedule);
  CapturedErrors errors(kernel->getContext());
  SmallVector<KernelOp> parts = {trial.copy};
  std::vector<StatementGroup> groups = getScheduledGroups(trial.copy);
  if (groups.size() > 1) {
    FailureOr<SmallVector<KernelOp>> kernels =
        distributeKernel(trial.copy, groups);
    if (failed(kernels))
      return getReason(errors.getFirst());
    parts = std::move(*kernels);
  }
  for (KernelOp part : parts) {
    if (!part)
      continue;
    FailureOr<KernelShape> shape = getKernelShape(part, getWholeLayout);
    if (failed(shape))
      return getReason(errors.getFirst());
  }
  return "";
}
