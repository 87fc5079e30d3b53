//===- FuzzedTarget.h - Limits and rates that can't be ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_FUZZEDTARGET_H
#define GROUT_UNITTESTS_OUTSIDERS_FUZZEDTARGET_H

#include "grout/Target/TargetSpec.h"
#include <random>
#include <string>

namespace grout::test {

/// Gives one field of `spec` another value: tiny, huge, negative, or no number.
/// Returns what it did, for people.
std::string damageSpec(TargetSpec &spec, std::mt19937 &random);

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_FUZZEDTARGET_H
