//===- GroupTasks.h - The tiles of groups of rows ---------------*- C++ -*-===//
//
// Part of Grout. If rows are in groups, the ends of the groups, which a tensor
// holds, determine the tiles. The scheduler's warp reads all ends when a block
// starts, and makes a table of them in shared memory. The scheduler looks up
// each task in this table.
//
// A group has a tile for each `m` of its rows and each `n` columns. Tasks are
// ordered by group. Up to 16 tiles along the rows of a group follow one another
// before the next columns, so that they read the same part of rhs at the same
// time.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_GROUPTASKS_H
#define GROUT_LIB_HOPPER_GEMM_GROUPTASKS_H

#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Returns the bytes of the table of groups of `kernel`; 0 if its rows are in
/// no groups.
int64_t getGroupTableBytes(const GemmPlan &kernel);

/// Emits the table, for the whole scheduler warp.
void emitGroupTable(const GemmContext &context);

/// Return the number of tasks (an i32), and task `index` as a vector of four
/// words (see TaskValues). For one thread of the scheduler warp.
mlir::Value emitGroupTaskCount(const GemmContext &context);
mlir::Value emitGroupTask(const GemmContext &context, mlir::Value index);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_GROUPTASKS_H
