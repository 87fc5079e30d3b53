//===- LargestFirst.h - A launch policy -------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_LARGESTFIRST_H
#define IMAGE_LARGESTFIRST_H

#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"

namespace image {

/// Of the launches that need nothing more, takes the one with most tiles.
class LargestFirst : public grout::launch::SchedulingPolicy {
public:
  llvm::StringRef getName() const override { return "largest-first"; }
  mlir::LogicalResult schedule(grout::launch::PlanOp plan,
                               const grout::TargetSpec &target) const override;
};

} // namespace image

#endif // IMAGE_LARGESTFIRST_H
