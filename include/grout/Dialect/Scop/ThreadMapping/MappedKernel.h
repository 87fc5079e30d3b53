//===- MappedKernel.h - A kernel and its threads ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_THREADMAPPING_MAPPEDKERNEL_H
#define GROUT_DIALECT_SCOP_THREADMAPPING_MAPPEDKERNEL_H

#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"
#include "grout/Dialect/Scop/ThreadMapping/ThreadMapping.h"

namespace grout::scop {

/// A kernel, and the distribution of its points over blocks and threads.
struct MappedKernel {
  KernelOp op;
  KernelShape shape;
  ThreadMapping mapping;
};

/// Chooses how the points of `kernel`, which has a schedule, are distributed on
/// `target`, a GPU. `getLayout` returns the layout of each array in its buffer,
/// in elements. Fails with a diagnostic that names the part of the kernel that
/// cannot be compiled.
mlir::FailureOr<MappedKernel> mapKernel(
    KernelOp kernel, const TargetSpec &target,
    llvm::function_ref<mlir::StridedLayoutAttr(mlir::Value array)> getLayout);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_THREADMAPPING_MAPPEDKERNEL_H
