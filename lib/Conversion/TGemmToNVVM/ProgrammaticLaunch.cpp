//===- ProgrammaticLaunch.cpp - Kernels that start early ------------------===//
//
// Part of Grout. The instructions are inline PTX, because LLVM 22 takes its
// intrinsics for functions that access no memory, and may move loads and stores
// across them.
//
//===----------------------------------------------------------------------===//

#include "ProgrammaticLaunch.h"

#include "grout/Dialect/TSync/IR/TSync.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Whether the operands of `op` come from the cache if it is used again and
/// again, and so fast that a launch takes noticeable time.
static bool isShort(Operation *op, const TargetSpec &target) {
  int64_t bits = 0;
  for (Type type : op->getOperandTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    bits += tensor.getNumElements() * tensor.getElementTypeBitWidth();
  }
  return bits / 8 <= target.cacheBytes / 2;
}

ProgrammaticLaunch ProgrammaticLaunch::get(ArrayRef<tgemm::MatmulOp> ops,
                                           const TargetSpec &target) {
  auto chain = ops.front()->getParentOfType<tsync::ChainOp>();
  ProgrammaticLaunch launch;
  if (chain.getMode() == tsync::Mode::serial)
    return launch;
  SmallVector<TileKernelOpInterface> kernels = chain.getKernels();
  bool isFirst = ops.front() == kernels.front();
  bool isLast = ops.back() == kernels.back();
  // Blocks that start early go to processors as these become free, not evenly.
  // That costs more than a launch where memory is what a chain waits for.
  bool isShortChain = llvm::all_of(kernels, [&](TileKernelOpInterface kernel) {
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

bool hopper::needsLaunchesBefore(tgemm::MatmulOp op, unsigned operand) {
  auto chain = op->getParentOfType<tsync::ChainOp>();
  return chain.getMode() == tsync::Mode::pdl &&
         chain.dependsOnKernels(op->getOperand(operand));
}

void hopper::emitLaunchWait(DeviceBuilder &b) {
  b.assembly(Type(), ValueRange(), "griddepcontrol.wait;", "",
             /*touchesMemory=*/true);
}

void hopper::emitLaunchTrigger(DeviceBuilder &b) {
  b.assembly(Type(), ValueRange(), "griddepcontrol.launch_dependents;", "",
             /*touchesMemory=*/true);
}
