//===- EarlyStart.cpp - Kernels that start before others end --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EarlyStart.h"

using namespace mlir;
using namespace grout;

/// An instruction that no access to memory may be moved across.
static void emitFence(OpBuilder &builder, Location loc, StringRef code) {
  MLIRContext *context = builder.getContext();
  LLVM::InlineAsmOp::create(
      builder, loc, Type(), ValueRange(), code, "~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(context, LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
}

void scop::emitEarlyStart(LLVM::LLVMFuncOp kernel, bool waits, bool triggers) {
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  if (waits)
    emitFence(builder, kernel.getLoc(), "griddepcontrol.wait;");
  if (triggers)
    emitFence(builder, kernel.getLoc(), "griddepcontrol.launch_dependents;");
}
