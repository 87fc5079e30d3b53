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

/// Rows of a group where a GPU goes through its tiles several times.
constexpr int64_t kGroupRows = 8;

/// How many rows of tiles of `kernel`, whose tiles in a row and in a column
/// read the same, are issued together, column by column. Where all of its tiles
/// run at once, blocks of neighbouring numbers run on processors that share a
/// path to the cache: as few bytes as can be should come along each of these,
/// and the larger operand along few of them.
int64_t chooseGroupRows(TileKernelOpInterface kernel,
                        llvm::ArrayRef<int64_t> grid, const TargetSpec &target);

} // namespace grout::tsync

#endif // GROUT_LIB_DIALECT_TSYNC_TRANSFORMS_GROUPROWS_H
