//===- CheckTarget.h - Whether a target can be --------------------*- C++
//-*-===//
//
// Part of Grout. Targets may come from anybody. Where #grout.target names one,
// its limits and rates are checked.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_CHECKTARGET_H
#define GROUT_TARGET_CHECKTARGET_H

#include "grout/Target/TargetSpec.h"
#include <string>

namespace grout {

/// Which field of `spec` no processor can have, what it is, and what it must
/// be; empty if there is none. Passes divide by some of them, and size kernels
/// by others.
std::string findTargetProblem(const TargetSpec &spec);

} // namespace grout

#endif // GROUT_TARGET_CHECKTARGET_H
