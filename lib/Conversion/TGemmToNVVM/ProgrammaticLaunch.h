//===- ProgrammaticLaunch.h - Kernels that start early ----------*- C++ -*-===//
//
// Part of Grout. Programmatic dependent launch, for chains in mode `pdl`: a
// kernel may start before the one before it has ended, and waits for its end
// itself. docs/HopperKernels.md says why that is safe.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_PROGRAMMATICLAUNCH_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_PROGRAMMATICLAUNCH_H

#include "DeviceBuilder.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"

namespace grout::hopper {

/// How a kernel's launch overlaps its neighbours in its chain.
struct ProgrammaticLaunch {
  /// Whether it may start before the launch before it has ended.
  bool startsEarly = false;
  /// Whether the launch after it may start before it has ended.
  bool hasEarlySuccessor = false;

  /// For the kernel of the tile kernels `ops`, of one chain.
  static ProgrammaticLaunch get(llvm::ArrayRef<tgemm::MatmulOp> ops);
};

/// Whether `op` is in a chain in mode `pdl` that writes its operand `operand`,
/// so that the operand can be read only after the launches before have ended.
bool needsLaunchesBefore(tgemm::MatmulOp op, unsigned operand);

/// Emits a wait, of the executing thread, until all launches before have ended
/// and what they wrote is visible to all proxies. Returns at once after a
/// launch that did not start early.
void emitLaunchWait(DeviceBuilder &b);

/// Emits this block's consent to the start of the next launch, which comes when
/// all blocks have given it or ended. Further ones have no effect.
void emitLaunchTrigger(DeviceBuilder &b);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_PROGRAMMATICLAUNCH_H
