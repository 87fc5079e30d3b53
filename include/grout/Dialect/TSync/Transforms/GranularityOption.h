//===- GranularityOption.h - Granularity as an option -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_GRANULARITYOPTION_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_GRANULARITYOPTION_H

#include "grout/Analysis/DerivePolicy.h"
#include "llvm/Support/CommandLine.h"

namespace grout::tsync {

/// A granularity option of a user: a Granularity, by its number, or `auto`,
/// which lets the compiler choose.
enum class GranularityOption : unsigned {
  Tile = static_cast<unsigned>(Granularity::Tile),
  Row = static_cast<unsigned>(Granularity::Row),
  Kernel = static_cast<unsigned>(Granularity::Kernel),
  Auto = ~0u
};

/// Returns the values of an option of that type.
llvm::cl::ValuesClass getGranularityValues();

/// Returns the granularity to try first. For `auto` this is `row`: on the GPUs
/// measured so far, waiting at every step has never paid for its polls.
constexpr Granularity getFirstGranularity(GranularityOption option) {
  return option == GranularityOption::Auto ? Granularity::Row
                                           : static_cast<Granularity>(option);
}

/// Returns the name of a granularity, as the option takes it.
llvm::StringRef stringifyGranularity(Granularity granularity);

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_GRANULARITYOPTION_H
