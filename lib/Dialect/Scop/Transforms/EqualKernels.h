//===- EqualKernels.h - Kernels with the same statements --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_EQUALKERNELS_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_EQUALKERNELS_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Returns a hash that equal kernels have in common.
llvm::hash_code computeHash(KernelOp kernel);

/// Whether both kernels have the same attributes and the same statements, on
/// operands of the same types for which `areEqualOperands` holds.
bool areEqual(
    KernelOp one, KernelOp other,
    llvm::function_ref<bool(mlir::Value, mlir::Value)> areEqualOperands);

/// Returns, for each kernel, the index of the first that is equal to it, on
/// operands that are alike (`isComputed`). What depends on these alone, such as
/// the schedule of a kernel, then needs to be computed once. Models often have
/// the same layer many times.
llvm::SmallVector<size_t> findFirstEqual(llvm::ArrayRef<KernelOp> kernels);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_EQUALKERNELS_H
