//===- GranularityOption.cpp - Granularities as an option -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/Transforms/GranularityOption.h"

using namespace grout;
using namespace grout::tsync;

llvm::StringRef tsync::stringifyGranularity(Granularity granularity) {
  switch (granularity) {
  case Granularity::Tile:
    return "tile";
  case Granularity::Row:
    return "row";
  case Granularity::Kernel:
    return "kernel";
  }
  llvm_unreachable("unknown granularity");
}

/// Returns `granularity` as a value of an option of type GranularityOption;
/// `what` describes it.
static llvm::cl::OptionEnumValue getValue(Granularity granularity,
                                          llvm::StringRef what) {
  return {stringifyGranularity(granularity), static_cast<int>(granularity),
          what};
}

llvm::cl::ValuesClass tsync::getGranularityValues() {
  return llvm::cl::values(
      getValue(Granularity::Tile, "at each step, for the tiles that it reads"),
      getValue(Granularity::Row, "once, for all tiles that it reads"),
      getValue(Granularity::Kernel, "once, for all tiles of the kernel"),
      clEnumValN(GranularityOption::Auto, "auto",
                 "row, or kernel where row takes too long to derive, which a "
                 "remark says"));
}
