//===- AttentionRoles.h - Code that roles of a kernel share -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_ATTENTIONROLES_H
#define GROUT_LIB_HOPPER_ATTENTION_ATTENTIONROLES_H

#include "AttentionContext.h"

namespace grout::hopper {

// Roles of the producer warpgroup.
inline constexpr Role kAttentionLoader = Role::producer(0);
inline constexpr Role kAttentionStorer = Role::producer(1);

/// Returns the address, in global memory, of the element of `tensor` at
/// `coordinates`: (b, h, i, d or j), as i32.
mlir::Value emitElementAddress(const AttentionContext &context,
                               const StridedTensor &tensor,
                               mlir::ArrayRef<mlir::Value> coordinates);

/// Emits the work of one thread when the block has written its part of the
/// result: it posts, for readers that use any proxy, and ends the block.
/// `proxy` is the proxy that wrote the result.
void emitAttentionEnd(const AttentionContext &context, tsync::Proxy proxy);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_ATTENTIONROLES_H
