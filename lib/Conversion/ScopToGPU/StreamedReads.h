//===- StreamedReads.h - What the cache need not keep -----------*- C++ -*-===//
//
// Part of Grout. What a kernel reads pushes out of the cache what others have
// left there, and if that was written, it has to go to memory at once. It is in
// vain where the kernel reads everything once, and more than the cache holds.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_STREAMEDREADS_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_STREAMEDREADS_H

#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"

namespace grout::scop {

/// The arrays that a kernel reads so, on a GPU whose cache has `cacheBytes`. A
/// kernel that writes much has none: it is faster if its writes replace what it
/// has read.
llvm::SmallVector<mlir::Value> findStreamedArrays(KernelShape &shape,
                                                  int64_t cacheBytes);

/// Loads `type`, of one, two or four words, from `address`, aligned to its
/// size, as what the cache need not keep.
mlir::Value emitStreamedLoad(mlir::ImplicitLocOpBuilder &b,
                             mlir::VectorType type, mlir::Value address);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_STREAMEDREADS_H
