//===- TreeNodes.h - Makes nodes of constraint trees ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_TREENODES_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_TREENODES_H

#include "grout/Scheduling/ConstraintTree.h"

namespace grout::scop {

/// The row of `statement` at the node is `iterator`, or 0.
void fixRow(ConstraintTreeNode &node, const std::string &statement,
            unsigned numIterators, std::optional<unsigned> iterator);

/// Adds nodes that are inside of each other, the outermost first, as the last
/// alternative; it shares the nodes with which the one before begins.
void addPath(ConstraintTree &tree,
             std::vector<std::unique_ptr<ConstraintTreeNode>> path);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_TREENODES_H
