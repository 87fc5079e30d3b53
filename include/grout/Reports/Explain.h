//===- Explain.h - Says what the compiler decided, and why ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_REPORTS_EXPLAIN_H
#define GROUT_REPORTS_EXPLAIN_H

#include "grout/Codegen/PTX.h"
#include "grout/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {

/// Describes the chains of `module`, after `tsync-verify` and before kernels
/// are made: for every kernel its tile shape, why it has that, tiles and waves;
/// for every dependence the relation, the policy, semaphores, counts and waits;
/// the proof. Describes memory-bound kernels, which have schedules by then, as
/// `scop-explain` does. Fails with a diagnostic.
mlir::LogicalResult printExplanation(mlir::ModuleOp module,
                                     const Target &target,
                                     llvm::raw_ostream &os);

/// Describes the launches of `module`'s plans, after kernels are made and
/// lowered to LLVM, for a GPU: threads, shared memory, and the registers that
/// ptxas reports, if there is a ptxas. Says nothing for a CPU.
mlir::LogicalResult printKernelResources(mlir::ModuleOp module,
                                         const Target &target,
                                         const PtxasOptions &ptxas,
                                         llvm::raw_ostream &os);

} // namespace grout

#endif // GROUT_REPORTS_EXPLAIN_H
