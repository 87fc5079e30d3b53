//===- Explain.h - Says what the compiler decided, and why ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_EXPLAIN_H
#define GROUT_TARGET_EXPLAIN_H

#include "grout/Target/TargetSpec.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {

/// Describes the chains of `module`, after `tsync-verify` and before kernels
/// are made: for every kernel its tile shape, tiles and waves; for every
/// dependence the relation, the policy, semaphores, counts and waits; the
/// proof. Fails with a diagnostic.
mlir::LogicalResult printExplanation(mlir::ModuleOp module,
                                     const TargetSpec &target,
                                     llvm::raw_ostream &os);

} // namespace grout

#endif // GROUT_TARGET_EXPLAIN_H
