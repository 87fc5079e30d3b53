//===- Tolerance.h - How exact a plan can be --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_TOLERANCE_H
#define GROUT_TOOLS_GROUT_RUN_TOLERANCE_H

#include "ArtifactTypes.h"

#include <string>

namespace grout {
namespace run {

struct Tolerance {
  /// Largest relative Frobenius error that passes.
  double value = 0;
  /// Where it comes from, for people.
  std::string source;
};

/// The tolerance for an output of a plan. Integers are exact. For others it
/// goes by the coarsest element type of the tensors that the plan writes, and
/// of what the function rounds to between them: a result in f32 is no better
/// than an intermediate in bf16 that it is computed from.
Tolerance chooseTolerance(const artifact::Artifact &artifact,
                          const artifact::Plan &plan,
                          artifact::ElementType output);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_TOLERANCE_H
