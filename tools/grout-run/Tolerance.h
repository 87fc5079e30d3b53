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

/// The tolerance for a plan's outputs, by the coarsest element type of the
/// tensors that it writes: a result in f32 is no better than an intermediate in
/// bf16 that it is computed from.
Tolerance chooseTolerance(const artifact::Artifact &artifact,
                          const artifact::Plan &plan);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_TOLERANCE_H
