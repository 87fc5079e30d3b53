//===- GlobalMemory.h - Loads and stores of a kernel ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H

#include "EmitContext.h"

namespace grout::scop {

/// Emits the address of the element of `view` whose number in its buffer is
/// `index`, an i64.
mlir::Value emitElementAddress(EmitContext &ctx, mlir::Type elementType,
                               const BufferView &view, mlir::Value index);

/// Loads `width` elements of `view` along `loop`; only one if the access does
/// not depend on `loop`.
Lanes emitLoad(EmitContext &ctx, const StridedAccess &access,
               const BufferView &view, const Point &point, unsigned loop,
               int64_t width);

/// Stores `lanes`, which are neighbours in memory, at `address`. It must be
/// aligned to the size of all lanes.
void emitVectorStore(EmitContext &ctx, llvm::ArrayRef<mlir::Value> lanes,
                     mlir::Value address);

/// Stores the elements of the points that a thread has at once, if `isOwn` of
/// the point holds.
void emitStore(EmitContext &ctx, const StridedAccess &access,
               const Point &point, const Lanes &lanes);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H
