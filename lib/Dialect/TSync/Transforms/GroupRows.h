//===- GroupRows.h - How many rows of tiles are issued together -*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TSYNC_TRANSFORMS_GROUPROWS_H
#define GROUT_LIB_DIALECT_TSYNC_TRANSFORMS_GROUPROWS_H

#include "grout/Interfaces/TileKernelInterface.h"
#include "grout/Target/TargetSpec.h"

namespace grout::tsync {

/// The number of rows of a group if a GPU needs several waves for its tiles.
constexpr int64_t kGroupRows = 8;

/// Returns how many rows of tiles of `kernel` form a group. The tiles of a
/// group are issued column by column. Tiles in a row of `kernel` must share one
/// operand, and tiles in a column another. If all of its tiles run at once,
/// blocks with neighbouring numbers run on processors that share a path to the
/// cache. Then this chooses the rows so that few bytes move along each path,
/// and the larger operand moves along few paths.
int64_t chooseGroupRows(TileKernelOpInterface kernel,
                        llvm::ArrayRef<int64_t> grid, const TargetSpec &target);

} // namespace grout::tsync

#endif // GROUT_LIB_DIALECT_TSYNC_TRANSFORMS_GROUPROWS_H
