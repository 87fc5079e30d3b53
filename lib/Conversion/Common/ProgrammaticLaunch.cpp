//===- ProgrammaticLaunch.cpp - Kernels that start early ------------------===//
//
// Part of Grout. The instructions are inline PTX. LLVM 22 takes their
// intrinsics for functions that access no memory, and may move loads and stores
// across them.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/ProgrammaticLaunch.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace grout;

ProgrammaticLaunch ProgrammaticLaunch::get(launch::TilesOp launch) {
  ProgrammaticLaunch result;
  bool waits = launch.hasEdge(launch::Edge::programmatic);
  result.waitsAtEntry = launch.waitsAtEntry();
  result.loadsEarly = waits && !result.waitsAtEntry;
  result.waitsAtEnd = !waits && (launch.hasEdge(launch::Edge::tile) ||
                                 launch.hasEdge(launch::Edge::launch_order));
  result.trigger = launch.getTrigger().value_or(launch::Trigger::never);
  return result;
}

/// Emits an instruction across which no memory access may be moved.
static Operation *emitFence(OpBuilder &builder, Location loc, StringRef code) {
  return LLVM::InlineAsmOp::create(
      builder, loc, Type(), ValueRange(), code, "~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
}

static constexpr llvm::StringLiteral kWait = "griddepcontrol.wait;";

Operation *grout::emitLaunchWait(OpBuilder &builder, Location loc) {
  return emitFence(builder, loc, kWait);
}

bool grout::isLaunchWait(Operation *op) {
  auto code = dyn_cast<LLVM::InlineAsmOp>(op);
  return code && code.getAsmString() == kWait;
}

void grout::emitLaunchTrigger(OpBuilder &builder, Location loc) {
  emitFence(builder, loc, "griddepcontrol.launch_dependents;");
}

void grout::emitEntryTrigger(OpBuilder &builder, Location loc,
                             const ProgrammaticLaunch &programmatic) {
  if (programmatic.trigger == launch::Trigger::before_wait)
    emitLaunchTrigger(builder, loc);
}

void grout::emitEntryWait(OpBuilder &builder, Location loc,
                          const ProgrammaticLaunch &programmatic) {
  if (programmatic.waitsAtEntry)
    emitLaunchWait(builder, loc);
  if (programmatic.trigger == launch::Trigger::at_entry)
    emitLaunchTrigger(builder, loc);
}

// The first kernel of a chain has no wait of its own, or that wait is over.
void grout::emitTriggerBehindLoads(OpBuilder &builder, Location loc,
                                   const ProgrammaticLaunch &programmatic) {
  if (!programmatic.loadsEarly &&
      programmatic.trigger == launch::Trigger::after_wait)
    emitLaunchTrigger(builder, loc);
}

void grout::emitStorerWait(OpBuilder &builder, Location loc,
                           const ProgrammaticLaunch &programmatic) {
  if (!programmatic.loadsEarly)
    return;
  emitLaunchWait(builder, loc);
  if (programmatic.trigger == launch::Trigger::after_wait)
    emitLaunchTrigger(builder, loc);
}
