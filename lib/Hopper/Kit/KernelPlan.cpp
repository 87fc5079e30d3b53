//===- KernelPlan.cpp - The shape of a Hopper kernel ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/KernelPlan.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

void KernelPlan::addSyncState(launch::TilesOp launch) {
  MLIRContext *context = launch.getContext();
  syncStateParam = params.add(launch::ArgKind::sync_state, context);
  if (launch.getSemaphores() && !launch.ownsSemaphores())
    semaphoresParam = params.add(launch::ArgKind::semaphores, context);
}

LaunchCode KernelPlan::getLaunchCode(launch::TilesOp launch) const {
  LaunchCode code;
  code.entries = {name};
  code.buffers = llvm::to_vector(params.getBuffers());
  code.args = llvm::to_vector(params.getArgs());
  code.residents = launch.getResidents();
  code.block = getThreads();
  code.cluster = clusterSize;
  code.sharedMemory = sharedBytes;
  return code;
}
