//===- Tolerance.h - How exact a plan can be --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_TOLERANCE_H
#define GROUT_TOOLS_GROUT_RUN_TOLERANCE_H

#include "ElementTypes.h"

#include <string>

namespace grout {
namespace run {

struct Tolerance {
  /// Largest relative Frobenius error that passes.
  double value = 0;
  /// Where it comes from, for people.
  std::string source;
};

/// The tolerance for an output of a plan that runs on `device` and has this
/// grout_module_precision. Integers are exact. For others it goes by the
/// precision: a result in f32 is no better than an intermediate in bf16 that it
/// is computed from.
Tolerance chooseTolerance(grout_element_type output,
                          grout_element_type precision, grout_device device);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_TOLERANCE_H
