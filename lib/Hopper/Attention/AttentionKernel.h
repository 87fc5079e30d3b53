//===- AttentionKernel.h - A Hopper attention kernel ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_ATTENTIONKERNEL_H
#define GROUT_LIB_HOPPER_ATTENTION_ATTENTIONKERNEL_H

#include "AttentionPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace grout::hopper {

/// Adds a kernel with the plan `plan` to `module`.
void emitAttentionKernel(mlir::gpu::GPUModuleOp module, mlir::Location loc,
                         const AttentionPlan &plan);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_ATTENTIONKERNEL_H
