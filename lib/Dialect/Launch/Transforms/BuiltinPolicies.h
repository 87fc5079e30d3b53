//===- BuiltinPolicies.h - Grout's own launch policies ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_BUILTINPOLICIES_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_BUILTINPOLICIES_H

#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"

namespace grout::launch {

std::unique_ptr<SchedulingPolicy> createSerialPolicy();
std::unique_ptr<SchedulingPolicy> createOparaPolicy();
std::unique_ptr<SchedulingPolicy> createNimblePolicy();
std::unique_ptr<SchedulingPolicy> createWavePolicy();

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_BUILTINPOLICIES_H
