//===- TreeOps.cpp - The ops of constraint trees --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Returns the number of dimensions outside of the dimension of `node`.
static unsigned getDepth(Operation *node) {
  unsigned depth = 0;
  while (!isa<TreeOp>(node->getParentOp())) {
    node = node->getParentOp();
    ++depth;
  }
  return depth;
}

/// Checks that the children of a node are nodes of dimensions.
static LogicalResult verifyChildren(Region &body) {
  for (Operation &op : body.getOps())
    if (!isa<LinearOp, SequenceOp>(op))
      return op.emitOpError("is not allowed in a constraint tree, which holds "
                            "scop.linear and scop.sequence only");
  return success();
}

/// Returns the statement called `name` of the kernel around `node`. Emits an
/// error if there is none.
static FailureOr<StmtOp> getStatement(Operation *node, StringRef name) {
  if (StmtOp statement =
          node->getParentOfType<KernelOp>().lookupStatement(name))
    return statement;
  return node->emitOpError()
         << "names @" << name << ", which is not a statement of the kernel";
}

LogicalResult TreeOp::verifyRegions() { return verifyChildren(getBody()); }

//===----------------------------------------------------------------------===//
// LinearOp
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::verify() {
  bool listed = getCoincidence() == Coincidence::Listed;
  if (listed != !getCoincident().empty())
    return emitOpError("needs names of dependences just where the coincidence "
                       "is of those listed");
  return success();
}

LogicalResult LinearOp::verifyRegions() {
  unsigned depth = getDepth(*this);
  for (auto constraint : getConstraints().getAsRange<ConstraintAttr>())
    for (TermAttr term : constraint.getTerms()) {
      FailureOr<StmtOp> statement = getStatement(*this, term.getStatement());
      if (failed(statement))
        return failure();
      if (term.getIterator() &&
          *term.getIterator() >= statement->getNumIterators())
        return emitOpError() << "names iterator " << *term.getIterator()
                             << " of @" << term.getStatement().getValue()
                             << ", which has " << statement->getNumIterators();
      if (term.getRow() && *term.getRow() >= depth)
        return emitOpError() << "refers to row " << *term.getRow()
                             << ", but only " << depth << " are outside of it";
    }
  for (StringAttr name : getExecution().getVectorStatements())
    if (failed(getStatement(*this, name)))
      return failure();
  return verifyChildren(getBody());
}

//===----------------------------------------------------------------------===//
// SequenceOp
//===----------------------------------------------------------------------===//

LogicalResult SequenceOp::verify() {
  llvm::SmallDenseSet<StringRef> seen;
  for (auto group : getOrder().getAsRange<ArrayAttr>()) {
    if (group.empty())
      return emitOpError("has an empty group of statements");
    for (auto symbol : group.getAsRange<FlatSymbolRefAttr>())
      if (!seen.insert(symbol.getValue()).second)
        return emitOpError() << "names @" << symbol.getValue() << " twice";
  }
  return success();
}

LogicalResult SequenceOp::verifyRegions() {
  llvm::SmallDenseSet<StringRef> seen;
  for (auto group : getOrder().getAsRange<ArrayAttr>())
    for (auto symbol : group.getAsRange<FlatSymbolRefAttr>()) {
      if (failed(getStatement(*this, symbol.getValue())))
        return failure();
      seen.insert(symbol.getValue());
    }
  for (StmtOp statement : (*this)->getParentOfType<KernelOp>().getStatements())
    if (!seen.contains(statement.getSymName()))
      return emitOpError() << "does not name @" << statement.getSymName();
  return verifyChildren(getBody());
}
