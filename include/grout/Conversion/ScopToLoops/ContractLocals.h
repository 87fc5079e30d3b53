//===- ContractLocals.h - Less memory for locals ----------------*- C++ -*-===//
//
// Part of Grout. Functions here may throw; see IslGuard.h.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOLOOPS_CONTRACTLOCALS_H
#define GROUT_CONVERSION_SCOPTOLOOPS_CONTRACTLOCALS_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Isl/AffineSets.h"

namespace grout::scop {

/// Removes the dimensions of locals that the loops of the schedule make
/// unnecessary. Suppose that each element is only accessed in one iteration of
/// the outer loops, and that this iteration only accesses one index of a
/// dimension. Then all iterations can use the same index. After that, the body
/// has the same meaning only in the order of the schedule. Accesses in
/// vectorised loops keep all their elements. A local stays as it is if
/// `accepts` returns false for its new type.
void contractLocals(
    isl::ctx ctx, KernelOp kernel,
    llvm::function_ref<bool(LocalOp local, mlir::MemRefType type)> accepts);

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOLOOPS_CONTRACTLOCALS_H
