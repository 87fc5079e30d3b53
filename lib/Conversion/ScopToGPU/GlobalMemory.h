//===- GlobalMemory.h - Loads and stores of a kernel ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H

#include "EmitContext.h"

namespace grout::scop {

/// The address of the element of `view` whose number in its buffer is `index`,
/// an i64.
mlir::Value emitElementAddress(EmitContext &ctx, mlir::Type elementType,
                               const BufferView &view, mlir::Value index);

/// Loads `width` elements of `view` along `loop`, or one if the access does not
/// change with it.
Lanes emitLoad(EmitContext &ctx, const StridedAccess &access,
               const BufferView &view, const Point &point, unsigned loop,
               int64_t width);

/// Stores `lanes`, neighbours in memory, at `address`, which is aligned to all
/// of them.
void emitVectorStore(EmitContext &ctx, llvm::ArrayRef<mlir::Value> lanes,
                     mlir::Value address);

/// Stores the elements of the points that a thread has at once, if the point is
/// its own.
void emitStore(EmitContext &ctx, const StridedAccess &access,
               const Point &point, const Lanes &lanes);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H
