//===- AttentionLoop.h - Consumer warpgroups of attention -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_ATTENTIONLOOP_H
#define GROUT_LIB_HOPPER_ATTENTION_ATTENTIONLOOP_H

#include "AttentionContext.h"

namespace grout::hopper {

/// Emits a consumer warpgroup's whole work on the block's tile.
void emitAttentionConsumer(const AttentionContext &context);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_ATTENTIONLOOP_H
