//===- ScheduleProblem.cpp - Whether a GPU runs a schedule ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ScheduleProblem.h"

#include "ScheduledGroups.h"
#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"
#include "grout/Support/CapturedErrors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Creates a module like that of `kernel`, with a function that has a copy of
/// `kernel` alone, to which passes may be applied. Meanwhile, other threads may
/// read the original, and schedule kernels beside it.
static OwningOpRef<ModuleOp> createTrial(KernelOp kernel) {
  Location loc = kernel.getLoc();
  OpBuilder builder(kernel.getContext());
  OwningOpRef<ModuleOp> trial = ModuleOp::create(builder, loc);
  if (auto module = kernel->getParentOfType<ModuleOp>())
    (*trial)->setAttrs(module->getAttrDictionary());
  builder.setInsertionPointToEnd(trial->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "trial",
      builder.getFunctionType(kernel->getOperandTypes(), {}));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping mapping;
  mapping.map(kernel->getOperands(), entry->getArguments());
  builder.clone(*kernel, mapping);
  func::ReturnOp::create(builder, loc);
  return trial;
}

/// Returns the part of an error behind the words with which all of them begin.
static std::string getReason(StringRef error) {
  StringRef reason = error.split("cannot be compiled for a GPU: ").second;
  return (reason.empty() ? error : reason).str();
}

std::string scop::findScheduleProblem(KernelOp kernel, ScheduleAttr schedule) {
  OwningOpRef<ModuleOp> trial = createTrial(kernel);
  auto function = *trial->getOps<func::FuncOp>().begin();
  KernelOp copy = *function.getOps<KernelOp>().begin();
  copy.setScheduleAttr(schedule);
  CapturedErrors errors(kernel->getContext());
  SmallVector<KernelOp> parts = {copy};
  std::vector<StatementGroup> groups = getScheduledGroups(copy);
  if (groups.size() > 1) {
    FailureOr<SmallVector<KernelOp>> kernels = distributeKernel(copy, groups);
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
