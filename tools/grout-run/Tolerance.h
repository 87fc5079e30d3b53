//===- Tolerance.h - How exact a plan can be --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_TOLERANCE_H
#define GROUT_TOOLS_GROUT_RUN_TOLERANCE_H

#include "ElementSizes.h"

#include <string>

namespace grout {
namespace run {

struct Tolerance {
  /// The largest relative Frobenius error that passes.
  double value = 0;
  /// The reason for the value, for people.
  std::string source;
};

/// Returns the tolerance for an output of a plan that runs on `device`;
/// `precision` is the plan's grout_module_precision. Integers must be exact.
/// For other types, the tolerance depends on the precision: an f32 result that
/// is computed from bf16 intermediates is no better than these.
Tolerance chooseTolerance(grout_element_type output,
                          grout_element_type precision, grout_device device);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_TOLERANCE_H
