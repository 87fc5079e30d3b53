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

ProgrammaticLaunch ProgrammaticLaunch::get(ArrayRef<tgemm::MatmulOp> ops) {
  auto chain = ops.front()->getParentOfType<tsync::ChainOp>();
  if (chain.getMode() != tsync::Mode::pdl)
    return {};
  SmallVector<TileKernelOpInterface> kernels = chain.getKernels();
  ProgrammaticLaunch launch;
  launch.startsEarly = ops.front() != kernels.front();
  launch.hasEarlySuccessor = ops.back() != kernels.back();
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
