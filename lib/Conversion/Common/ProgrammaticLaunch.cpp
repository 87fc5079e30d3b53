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

/// Whether the blocks of `kernels`, one launch, leave few processors idle.
static bool fillsProcessors(ArrayRef<TileKernelOpInterface> kernels,
                            const TargetSpec &target) {
  int64_t blocks = 0;
  for (TileKernelOpInterface kernel : kernels) {
    int64_t ofKernel = kernel.getTileWork().clusterSize;
    for (int64_t extent : *kernel.getTileGrid())
      ofKernel *= extent;
    blocks += ofKernel;
  }
  return 10 * blocks >= 9 * target.processors;
}

ProgrammaticLaunch
ProgrammaticLaunch::get(ArrayRef<TileKernelOpInterface> kernels,
                        const TargetSpec &target) {
  auto chain = kernels.front()->getParentOfType<tsync::ChainOp>();
  ProgrammaticLaunch launch;
  if (!target.hasProgrammaticLaunch)
    return launch;
  SmallVector<TileKernelOpInterface> ofChain = chain.getKernels();
  bool isFirst = kernels.front() == ofChain.front();
  bool isLast = kernels.back() == ofChain.back();
  tsync::LaunchWait wait = chain.getLaunchWait(kernels.front());
  // The chain's next run may start when the blocks of this one have ended, and
  // before that only if it does not matter where its first blocks go: those
  // that start early go to processors as these become free, not evenly, which
  // costs more than a launch where they leave some idle and memory is slow.
  bool isEarly =
      getLaunchWait(chain.getMode()) != tsync::LaunchWait::BeforeStart;
  bool triggersNextRun =
      isEarly && (fillsProcessors(chain.getLaunches().front(), target) ||
                  llvm::all_of(ofChain, [&](TileKernelOpInterface kernel) {
                    return isShort(kernel, target);
                  }));
  launch.waitsAtEntry = isFirst && isEarly;
  launch.loadsEarly = !isFirst && wait == tsync::LaunchWait::BeforeUse;
  launch.waitsAtEnd = !isFirst && wait == tsync::LaunchWait::BeforeEnd;
  // After the last kernel comes the chain's next run, which waits for its end.
  tsync::LaunchWait next = wait;
  if (!isLast)
    next = chain.getLaunchWait(*std::next(llvm::find(ofChain, kernels.back())));
  launch.hasEarlySuccessor =
      isLast ? triggersNextRun : next != tsync::LaunchWait::BeforeStart;
  // Tiles of the next kernel may begin as soon as there are some of this one,
  // unless those wait for launches themselves.
  launch.triggersAtEntry = launch.hasEarlySuccessor && !launch.loadsEarly &&
                           next == tsync::LaunchWait::BeforeEnd;
  return launch;
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
