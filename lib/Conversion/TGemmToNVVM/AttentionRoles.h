//===- AttentionRoles.h - What roles of a kernel share ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONROLES_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONROLES_H

#include "AttentionContext.h"

namespace grout::hopper {

/// The address, in global memory, of the element of `tensor` at `coordinates`
/// of (b, h, i, d or j), i32.
mlir::Value emitElementAddress(const AttentionContext &context,
                               const StridedTensor &tensor,
                               mlir::ArrayRef<mlir::Value> coordinates);

/// What one thread does when the block has written its part of the result:
/// posts, for others that read it through any proxy, and ends the block.
/// `proxy` is the one that wrote.
void emitAttentionEnd(const AttentionContext &context, tsync::Proxy proxy);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONROLES_H
