//===- ProgrammaticLaunch.cpp - Kernels that start early ------------------===//
//
// Part of Grout. The instructions are inline PTX, because LLVM 22 takes its
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
  launch::Trigger trigger =
      launch.getTrigger().value_or(launch::Trigger::never);
  result.hasEarlySuccessor = trigger != launch::Trigger::never;
  result.triggersBeforeWait = trigger == launch::Trigger::before_wait;
  result.triggersAtEntry =
      result.triggersBeforeWait || trigger == launch::Trigger::at_entry;
  return result;
}

/// An instruction that no access to memory may be moved across.
static Operation *emitFence(OpBuilder &builder, Location loc, StringRef code) {
  return LLVM::InlineAsmOp::create(
      builder, loc, Type(), ValueRange(), code, "~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
}

Operation *grout::emitLaunchWait(OpBuilder &builder, Location loc) {
  return emitFence(builder, loc, "griddepcontrol.wait;");
}

void grout::emitLaunchTrigger(OpBuilder &builder, Location loc) {
  emitFence(builder, loc, "griddepcontrol.launch_dependents;");
}
