//===- BufferParts.h - Which buffers have elements in common ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_BUFFERPARTS_H
#define GROUT_DIALECT_LAUNCH_IR_BUFFERPARTS_H

#include "mlir/IR/Value.h"

namespace grout::launch {

/// The memory of `buffer`, a value of a plan: that of which it is a part, or
/// itself.
mlir::Value getMemory(mlir::Value buffer);

/// Whether two buffers of a plan may have an element in common. Parts of one
/// have none if they lie in different columns of its rows, or one behind the
/// other; other parts are taken to have some.
bool mayOverlap(mlir::Value first, mlir::Value second);

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_BUFFERPARTS_H
