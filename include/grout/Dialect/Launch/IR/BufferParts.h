//===- BufferParts.h - Which buffers have elements in common ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_BUFFERPARTS_H
#define GROUT_DIALECT_LAUNCH_IR_BUFFERPARTS_H

#include "mlir/IR/Value.h"

namespace grout::launch {

/// Returns the memory of `buffer`, a value of a plan: the buffer of which it is
/// a part, or `buffer` itself.
mlir::Value getMemory(mlir::Value buffer);

/// Returns whether two buffers of a plan may have an element in common. Two
/// parts of the same buffer have none if they are different columns of its
/// rows, or one begins after the other ends. All other parts of the same buffer
/// count as overlapping.
bool mayOverlap(mlir::Value first, mlir::Value second);

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_BUFFERPARTS_H
