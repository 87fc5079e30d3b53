//===- ProgramOrder.h - A policy of constraint trees ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_PROGRAMORDER_H
#define IMAGE_PROGRAMORDER_H

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"

namespace image {

/// Leaves the loops of a kernel in the order of the program. Neighbouring
/// threads go along the innermost one, by vectors of four elements if that
/// divides its extent.
class ProgramOrder : public grout::scop::ConstraintTreePolicy {
public:
  llvm::StringRef getName() const override { return "program-order"; }
  llvm::Expected<std::optional<grout::ConstraintTree>>
  build(grout::scop::KernelOp kernel, const grout::SchedulingProblem &problem,
        const grout::scop::ConstraintTreeOptions &options) const override;
};

} // namespace image

#endif // IMAGE_PROGRAMORDER_H
