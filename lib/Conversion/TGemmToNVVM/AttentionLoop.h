//===- AttentionLoop.h - What a consumer warpgroup does ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONLOOP_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONLOOP_H

#include "AttentionContext.h"

namespace grout::hopper {

/// Emits all of a consumer warpgroup's work on the block's tile.
void emitAttentionConsumer(const AttentionContext &context);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONLOOP_H
