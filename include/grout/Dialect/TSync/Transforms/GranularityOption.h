//===- GranularityOption.h - What tiles wait for, as an option --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_GRANULARITYOPTION_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_GRANULARITYOPTION_H

#include "grout/Analysis/DerivePolicy.h"
#include "llvm/Support/CommandLine.h"

namespace grout::tsync {

/// What a user may ask for: a Granularity, by its number, or a choice of one.
enum class GranularityOption : unsigned {
  Tile = static_cast<unsigned>(Granularity::Tile),
  Row = static_cast<unsigned>(Granularity::Row),
  Kernel = static_cast<unsigned>(Granularity::Kernel),
  Auto = ~0u
};

/// What an option of that type may be.
llvm::cl::ValuesClass getGranularityValues();

/// What tiles wait for first. `auto` begins with `row`: on the GPUs measured so
/// far, waiting at every step has never paid for its polls.
constexpr Granularity getFirstGranularity(GranularityOption option) {
  return option == GranularityOption::Auto ? Granularity::Row
                                           : static_cast<Granularity>(option);
}

/// The name of a granularity, as the option takes it.
llvm::StringRef stringifyGranularity(Granularity granularity);

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_GRANULARITYOPTION_H
