//===- CheckTarget.h - Checks a target spec ---------------------*- C++ -*-===//
//
// Part of Grout. Users can register targets of their own, so the verifier of
// #grout.target checks the limits and rates of the target that it names.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_CHECKTARGET_H
#define GROUT_TARGET_CHECKTARGET_H

#include "grout/Target/TargetSpec.h"
#include <string>

namespace grout {

/// Describes a field of `spec` that has a value which no processor can have:
/// the field, its value, and the values that it may have. Returns an empty
/// string if all fields are possible. Passes divide by some of these fields,
/// and size kernels by others.
std::string findTargetProblem(const TargetSpec &spec);

} // namespace grout

#endif // GROUT_TARGET_CHECKTARGET_H
