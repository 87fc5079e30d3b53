//===- ScopSchedule.cpp - Finds schedules ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EqualKernels.h"
#include "Report.h"
#include "ScheduleProblem.h"
#include "SparseLoops.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Scheduling/Scheduler.h"
#include "grout/Support/ThreadDiagnostics.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/IR/Threading.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "scop-schedule"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPSCHEDULE
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether `result` comes from another source than the user asked for.
static bool isFallback(const SchedulingResult &result, bool hasTree,
                       bool usesIsl) {
  switch (result.origin) {
  case SchedulingResult::Origin::Tree:
    return false;
  case SchedulingResult::Origin::Completed:
    return hasTree;
  case SchedulingResult::Origin::IslFallback:
    return !usesIsl;
  case SchedulingResult::Origin::Relaxed:
  case SchedulingResult::Origin::OriginalOrder:
    return true;
  }
  llvm_unreachable("unknown origin");
}

/// Returns the node of `tree` at `path`, such as "1.0.0".
static Operation *findNode(TreeOp tree, StringRef path) {
  Operation *node = tree;
  while (!path.empty()) {
    auto [number, rest] = path.split('.');
    path = rest;
    unsigned index = 0;
    number.getAsInteger(10, index);
    node = &*std::next(node->getRegion(0).front().begin(), index);
  }
  return node;
}

/// Remarks which paths of the tree of `kernel` were given up because `target`
/// cannot run the schedules to which they lead.
static void remarkRefused(KernelOp kernel, ArrayRef<RefusedPath> refused,
                          bool hasOwnTree, const Target &target) {
  for (const RefusedPath &path : refused) {
    InFlightDiagnostic remark =
        hasOwnTree ? findNode(kernel.getTree(), path.path)->emitRemark()
                   : kernel.emitRemark()
                         << "path " << path.path << " of its constraint tree ";
    remark << "leads to a legal schedule that " << target.getName()
           << " cannot run: " << path.problem << "; this path is given up";
  }
}

namespace {

struct ScopSchedule : grout::scop::impl::ScopScheduleBase<ScopSchedule> {
  using Base::Base;

  void runOnOperation() override {
    // Trees describe the distribution to threads of a GPU.
    policy = lookupConstraintTreePolicy(tree);
    FailureOr<const Target *> target =
        policy ? getGPU(getOperation()) : nullptr;
    if (failed(target) || failed(checkOptions()))
      return signalPassFailure();
    std::unique_ptr<Scheduler> scheduler =
        usesIsl() ? createIslScheduler() : createIlpScheduler();
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getSchedule())
        kernels.push_back(kernel);
    });
    auto schedule = [&](KernelOp kernel) {
      return scheduleKernel(kernel, *scheduler, *target);
    };
    // Each kernel has a report of its own.
    LogicalResult result =
        trace
            ? LogicalResult::success(llvm::all_of(
                  kernels,
                  [&](KernelOp kernel) { return succeeded(schedule(kernel)); }))
            : scheduleDistinct(kernels, schedule);
    if (failed(result))
      signalPassFailure();
  }

  /// Schedules kernels that are not equal, several at the same time. Equal
  /// kernels get the same schedule, but if there were remarks, each is
  /// scheduled and gets remarks of its own.
  LogicalResult
  scheduleDistinct(ArrayRef<KernelOp> kernels,
                   function_ref<LogicalResult(KernelOp)> schedule) {
    SmallVector<size_t> firstEqual = findFirstEqual(kernels), distinct;
    for (auto [index, first] : llvm::enumerate(firstEqual))
      if (index == first)
        distinct.push_back(index);
    std::vector<char> hasRemark(kernels.size());
    auto scheduleFirst = [&](size_t index) {
      ThreadDiagnostics watch(&getContext(), [&](Diagnostic &) {
        hasRemark[index] = true;
        return failure();
      });
      return schedule(kernels[index]);
    };
    if (failed(failableParallelForEach(&getContext(), distinct, scheduleFirst)))
      return failure();
    for (auto [index, first] : llvm::enumerate(firstEqual)) {
      KernelOp kernel = kernels[index], original = kernels[first];
      if (index != first && !hasRemark[first])
        kernel.setScheduleAttr(original.getScheduleAttr());
      else if (index != first && failed(schedule(kernel)))
        return failure();
    }
    return success();
  }

  bool usesIsl() const { return solver == SolverOption::Isl; }

  LogicalResult checkOptions() {
    if (!policy && tree != "none" && tree != "from-ir") {
      InFlightDiagnostic diag = emitError(getOperation()->getLoc())
                                << "unknown tree '" << tree
                                << "'; trees are none, from-ir, ";
      llvm::interleaveComma(getConstraintTreePolicyNames(), diag);
      return diag;
    }
    if (usesIsl() && tree != "none")
      return emitError(getOperation()->getLoc())
             << "the solver isl takes no constraint tree";
    return success();
  }

  LogicalResult scheduleKernel(KernelOp kernel, const Scheduler &scheduler,
                               const Target *target) {
    FailureOr<SchedulingProblem> problem =
        buildSchedulingProblem(kernel, maxOperations);
    if (failed(problem))
      return failure();

    std::optional<ConstraintTree> constraints;
    bool hasOwnTree = kernel.getTree() && tree != "none";
    if (hasOwnTree) {
      constraints = toConstraintTree(kernel.getTree());
    } else if (policy) {
      ConstraintTreeOptions options;
      options.target = target->getSpec();
      auto built = policy->build(kernel, *problem, options);
      if (built)
        constraints = std::move(*built);
      else
        kernel.emitRemark()
            << "has no constraint tree: " << llvm::toString(built.takeError());
      if (constraints &&
          failed(checkTree(kernel, *problem, *constraints, *policy)))
        return failure();
    }
    SchedulerOptions options;
    options.maxOperations = maxOperations;
    options.trace = trace;
    const Target *runner = findTarget(kernel);
    bool isForGPU =
        runner && runner->getSpec().warpSize != 0 && kernel.hasTensors();
    options.findProblem = [&](const Schedule &schedule) {
      ScheduleAttr attr = toScheduleAttr(&getContext(), schedule);
      std::string problem = findSparseLoop(kernel, attr);
      return problem.empty() && isForGPU ? findScheduleProblem(kernel, attr)
                                         : problem;
    };
    llvm::Expected<SchedulingResult> result = scheduler.schedule(
        *problem, constraints ? &*constraints : nullptr, options);
    if (!result)
      return kernel.emitOpError()
             << "cannot be scheduled: " << llvm::toString(result.takeError());
    if (runner)
      remarkRefused(kernel, result->refused, hasOwnTree, *runner);
    if (trace)
      printReport(kernel, result->traceText());
    LDBG() << kernel.getLoc() << ": the schedule is "
           << stringifyOrigin(result->origin)
           << (constraints ? ", with a constraint tree" : ", without a tree")
           << (result->remark.empty() ? "" : ": ") << result->remark;
    if (isFallback(*result, constraints.has_value(), usesIsl()))
      kernel.emitRemark() << "schedule is " << stringifyOrigin(result->origin)
                          << ": " << result->remark;
    kernel.setScheduleAttr(toScheduleAttr(&getContext(), result->schedule));
    return success();
  }

  /// The policy that builds trees; null if there is none.
  const ConstraintTreePolicy *policy = nullptr;
};

} // namespace
