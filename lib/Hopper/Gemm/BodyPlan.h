//===- BodyPlan.h - The shape of a tile kernel ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_BODYPLAN_H
#define GROUT_LIB_HOPPER_GEMM_BODYPLAN_H

#include "grout/Hopper/Gemm/GemmPlan.h"

namespace grout::hopper {

/// Everything from which a body is planned, other than its tile kernel.
struct BodyContext {
  const SemaphoreLayout &layout;
  const ProgrammaticLaunch &programmatic;
  KernelParams &params;
  LaunchTensors &tensors;
  const TargetSpec &target;
};

/// Plans `kernel`, which is a GEMM op or computes partial sums, and adds its
/// parameters. Fails with a diagnostic.
mlir::FailureOr<BodyPlan> planBody(const BodyContext &context,
                                   TileKernelOpInterface kernel,
                                   FindOperandLoader findLoader,
                                   FindMma findMma);

/// Decides which inputs consumers read early, if they have `free` registers for
/// them. Inputs that are not whole matrices, which take few registers, come
/// first.
void planEarlyInputs(BodyPlan &body, int64_t free);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_BODYPLAN_H
