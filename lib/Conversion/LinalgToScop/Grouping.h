//===- Grouping.h - Groups of ops that become kernels -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOSCOP_GROUPING_H
#define GROUT_LIB_CONVERSION_LINALGTOSCOP_GROUPING_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SetVector.h"

namespace grout::scop {

/// The ops of a kernel that will be built: statements and views.
using Group = llvm::SetVector<mlir::Operation *>;

/// Groups the statements of `block` with their producers and consumers. Each
/// group can run at one place: no op outside of a group depends on one op of
/// the group while another op of the group depends on it. Groups do not reach
/// across ops with effects, and have at most `maxStatements` statements.
llvm::SmallVector<Group>
groupStatements(mlir::Block &block, unsigned maxStatements,
                llvm::function_ref<bool(mlir::Operation *)> isStatement);

/// Sorts the ops of `group` by their current order in their block.
void sortByOrder(Group &group);

/// Returns the ops of the block of `op` whose results `op` and its regions use.
llvm::SmallVector<mlir::Operation *> getProducers(mlir::Operation *op);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_LINALGTOSCOP_GROUPING_H
