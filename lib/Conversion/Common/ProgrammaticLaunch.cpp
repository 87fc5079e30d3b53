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

/// Whether the operands of `op` come from the cache if it is used again and
/// again, and so fast that a launch takes noticeable time.
static bool isShort(Operation *op, const TargetSpec &target) {
  int64_t bits = 0;
  for (Type type : op->getOperandTypes()) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bits += tensor.getNumElements() * tensor.getElementTypeBitWidth();
  }
  return bits / 8 <= target.cacheBytes / 2;
}

ProgrammaticLaunch
ProgrammaticLaunch::get(ArrayRef<TileKernelOpInterface> kernels,
                        const TargetSpec &target) {
  auto chain = kernels.front()->getParentOfType<tsync::ChainOp>();
  ProgrammaticLaunch launch;
  if (chain.getMode() == tsync::Mode::serial || !target.hasProgrammaticLaunch)
    return launch;
  SmallVector<TileKernelOpInterface> ofChain = chain.getKernels();
  bool isFirst = kernels.front() == ofChain.front();
  bool isLast = kernels.back() == ofChain.back();
  // Blocks that start early go to processors as these become free, not evenly.
  // That costs more than a launch where memory is what a chain waits for.
  bool isShortChain = llvm::all_of(ofChain, [&](TileKernelOpInterface kernel) {
    return isShort(kernel, target);
  });
  launch.waitsAtEntry = isFirst && isShortChain;
  bool isOverlap = chain.getMode() == tsync::Mode::overlap;
  launch.loadsEarly = !isFirst && !isOverlap;
  launch.waitsAtEnd = !isFirst && isOverlap;
  launch.hasEarlySuccessor = !isLast || isShortChain;
  launch.triggersAtEntry = launch.hasEarlySuccessor && isOverlap;
  return launch;
}

bool grout::needsLaunchesBefore(TileKernelOpInterface kernel,
                                unsigned operand) {
  auto chain = kernel->getParentOfType<tsync::ChainOp>();
  Value value = kernel->getOperand(operand);
  // What is made in the same launch is waited for by tile.
  auto maker = value.getDefiningOp<TileKernelOpInterface>();
  return chain.getMode() == tsync::Mode::pdl && chain.dependsOnKernels(value) &&
         !(maker && maker.isLaunchedWithNext());
}

/// An instruction that no access to memory may be moved across.
static void emitFence(OpBuilder &builder, Location loc, StringRef code) {
  LLVM::InlineAsmOp::create(
      builder, loc, Type(), ValueRange(), code, "~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
}

void grout::emitLaunchWait(OpBuilder &builder, Location loc) {
  emitFence(builder, loc, "griddepcontrol.wait;");
}

void grout::emitLaunchTrigger(OpBuilder &builder, Location loc) {
  emitFence(builder, loc, "griddepcontrol.launch_dependents;");
}
