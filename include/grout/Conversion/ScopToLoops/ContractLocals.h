//===- ContractLocals.h - Less memory for locals ----------------*- C++ -*-===//
//
// Part of Grout. Throws, as IslGuard.h says.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOLOOPS_CONTRACTLOCALS_H
#define GROUT_CONVERSION_SCOPTOLOOPS_CONTRACTLOCALS_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Isl/AffineSets.h"

namespace grout::scop {

/// Removes the dimensions of locals that the loops of the schedule make
/// unnecessary: if each element is only accessed in one iteration of the outer
/// loops, and that only accesses one index of a dimension, all iterations can
/// use the same one. The body then only means the same in the order of the
/// schedule. Vectorised loops, and what is inside, keep all their elements.
/// A local stays as it is if `accepts` says no to the type that it would get.
void contractLocals(
    isl::ctx ctx, KernelOp kernel,
    llvm::function_ref<bool(LocalOp local, mlir::MemRefType type)> accepts);

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOLOOPS_CONTRACTLOCALS_H
