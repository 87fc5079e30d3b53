//===- StreamedReads.h - Reads that bypass the cache ------------*- C++ -*-===//
//
// Part of Grout. The reads of a kernel evict data from the cache that other
// kernels have left there. If that data was written, it has to go to memory
// immediately. Caching is useless if the kernel reads everything only once, and
// more than the cache holds.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_STREAMEDREADS_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_STREAMEDREADS_H

#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"

namespace grout::scop {

/// Returns the arrays that a kernel reads in this way, on a GPU whose cache has
/// `cacheBytes`. A kernel that writes much has none: it is faster if its writes
/// replace elements that it has read.
llvm::SmallVector<mlir::Value> findStreamedArrays(KernelShape &shape,
                                                  int64_t cacheBytes);

/// Loads a value of `type`, which has one, two or four words, from `address`,
/// aligned to its size. The cache need not keep it.
mlir::Value emitStreamedLoad(mlir::ImplicitLocOpBuilder &b,
                             mlir::VectorType type, mlir::Value address);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_STREAMEDREADS_H
