//===- Grouping.h - Which ops become one kernel -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOSCOP_GROUPING_H
#define GROUT_LIB_CONVERSION_LINALGTOSCOP_GROUPING_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SetVector.h"

namespace grout::scop {

/// The members of a kernel-to-be, statements and views.
using Group = llvm::SetVector<mlir::Operation *>;

/// Groups the statements of `block` by producer and consumer, so that each
/// group can run at one place: no op outside of a group depends on one member
/// and has another depend on it. Groups do not reach across ops with effects.
/// None has more than `maxStatements` statements.
llvm::SmallVector<Group>
groupStatements(mlir::Block &block, unsigned maxStatements,
                llvm::function_ref<bool(mlir::Operation *)> isStatement);

/// Puts the members in the order that they have in their block now.
void sortByOrder(Group &group);

/// The ops of the block of `op` whose results `op` and its regions use.
llvm::SmallVector<mlir::Operation *> getProducers(mlir::Operation *op);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_LINALGTOSCOP_GROUPING_H
