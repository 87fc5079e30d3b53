//===- Comparison.h - How far an output is from its reference ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_COMPARISON_H
#define GROUT_TOOLS_GROUT_RUN_COMPARISON_H

#include "HostTensor.h"

namespace grout {
namespace run {

struct Difference {
  /// ||output - reference|| / ||reference|| in the Frobenius norm, or the
  /// absolute norm if the reference is zero. Counts only elements that are
  /// finite in both tensors.
  double relative = 0;
  /// The largest |output - reference| of those elements.
  double maxAbsolute = 0;
  /// The number of NaNs and infinities in the output where the reference has
  /// another value, and in the reference where the output has another value.
  uint64_t outputNotFinite = 0;
  uint64_t referenceNotFinite = 0;

  /// NaN and infinity pass only if the reference has the same value.
  bool passes(double tolerance) const {
    return outputNotFinite == 0 && referenceNotFinite == 0 &&
           relative <= tolerance;
  }
};

/// Compares tensors of one shape, in double precision. Different integers
/// always count as different.
Difference compare(const HostTensor &output, const HostTensor &reference);

/// A summary of an output, for people.
struct Summary {
  double min = 0, max = 0, mean = 0;
  uint64_t notFinite = 0;
};

Summary summarise(const HostTensor &tensor);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_COMPARISON_H
