//===- TreeNodes.h - Makes nodes of constraint trees ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_TREENODES_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_TREENODES_H

#include "grout/Scheduling/ConstraintTree.h"

namespace grout::scop {

/// Constrains the row of `statement` at `node` to be `iterator`, or 0 if there
/// is none.
void fixRow(ConstraintTreeNode &node, const std::string &statement,
            unsigned numIterators, std::optional<unsigned> iterator);

/// Adds the nodes of `path`, each inside of the one before, as the last
/// alternative of `tree`. Shares the nodes that begin the previous alternative,
/// too.
void addPath(ConstraintTree &tree,
             std::vector<std::unique_ptr<ConstraintTreeNode>> path);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_TREENODES_H
