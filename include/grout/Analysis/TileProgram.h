//===- TileProgram.h - Tile kernels that run together -----------*- C++ -*-===//
//
// Part of Grout. Plain data. tsync-verify proves properties of tile programs,
// and the interpreter runs them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_TILEPROGRAM_H
#define GROUT_ANALYSIS_TILEPROGRAM_H

#include "grout/Analysis/SemaphorePolicy.h"
#include "grout/Analysis/TileKernel.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace grout {

/// A root tensor, and its memory.
struct TensorInfo {
  llvm::SmallVector<int64_t> shape;
  int64_t elementBits = 32;
  /// Tensors with the same buffer overwrite each other. All start at the
  /// buffer's first byte, dense and row-major.
  unsigned buffer = 0;
  /// Whether the tensor must hold its value when the program ends. A tensor
  /// that no kernel reads counts as an output. A tensor that no kernel writes
  /// is an input.
  bool isOutput = false;
};

/// One kernel's access to one root tensor.
struct ProgramAccess {
  /// Position in TileProgram::kernels.
  unsigned kernel = 0;
  /// Operand of a read, result of a write; only for messages.
  unsigned operand = 0;
  /// Position in TileProgram::tensors.
  unsigned tensor = 0;
  ElementAccess access;
  /// For a read by a kernel that is a launch of its own: whether the thread
  /// that reads first waits for the end of the launch before.
  bool waitsForLaunch = false;
  /// For a read: whether it comes after the steps of each run.
  bool isAfterSteps = false;
};

/// A dependence, and the semaphores that implement it. Every edge has its own
/// array of semaphores.
struct SynchronisedEdge {
  unsigned producer = 0, consumer = 0;
  /// Operand of the consumer; only for messages.
  unsigned operand = 0;
  SemaphorePolicy policy;
  /// Whether the wait comes after the steps of each run.
  bool isAfterSteps = false;
};

/// How a kernel waits for the launch before its own. A wait ends when that
/// launch has ended. All data that this launch wrote, or has seen written, is
/// then visible to the thread that waits. The wait alone says nothing about
/// launches before that one.
struct LaunchWaits {
  /// Whether the kernel starts when the launch before has ended. Otherwise it
  /// starts early, and only waits tell that the launch before has ended.
  bool atStart = false;
  /// Whether every tile waits before it writes.
  bool beforeWrites = false;
  /// Whether the kernel waits before it ends.
  bool beforeEnd = false;
  /// Whether the kernel is in the same launch as the kernel before.
  bool isWithPrevious = false;
};

/// Kernels that run together, tile by tile.
///
/// A number of residents claim tiles strictly in tile order. Each resident runs
/// one tile at a time to its end. For each step of a run in turn, a tile first
/// waits for the boxes of all edges into its kernel. Then it reads the elements
/// that the step reads, of tensors that this program writes. The runs of a tile
/// (see TileKernel) run beside each other. After all of them, the tile writes
/// its results, and then posts the semaphores of all edges out of its kernel.
/// Inputs (tensors that no kernel writes) in buffers of their own may be read
/// at any time.
///
/// Some waits and reads come after the steps. Each run does them when its own
/// steps are over: first these waits, then these reads.
///
/// With `launches`, every kernel is either a launch of its own, in the order of
/// `kernels`, or is in the launch of the kernel before. The residents of each
/// launch claim its tiles in tile order, independently of other launches. No
/// block of a launch starts before all blocks of the launches before it have
/// started.
struct TileProgram {
  std::vector<TileKernel> kernels;
  std::vector<TensorInfo> tensors;
  std::vector<ProgramAccess> reads, writes;
  std::vector<SynchronisedEdge> edges;
  /// For each kernel, (tile...) -> time. All times have the same rank, and are
  /// compared lexicographically. No two tiles have the same time.
  std::vector<mlir::AffineMap> order;
  /// One entry for each kernel, or empty if one launch runs all kernels.
  std::vector<LaunchWaits> launches;

  /// Returns the number of the launch of each kernel.
  std::vector<unsigned> getLaunchNumbers() const;
};

/// One entry of the task list.
struct TileTask {
  unsigned kernel = 0;
  llvm::SmallVector<int64_t, 4> tile;
};

/// Returns all tiles in tile order: the task list. Fails if a grid is dynamic,
/// if ranks differ, or if two tiles have the same time. Takes O(n log n) time:
/// some ten milliseconds for 10^5 tiles.
llvm::Expected<std::vector<TileTask>>
enumerateOrder(const TileProgram &program);

/// One of the nested loops that visit the tiles of a grid. It goes over blocks
/// of `block` tiles along `dim`, within the part of `dim` that the loops before
/// have left. The last block may be smaller.
struct TileLoop {
  unsigned dim;
  int64_t block;
};

/// Returns loops that visit the tiles of `grid` in the tile order `order`,
/// outermost first, down to single tiles. Returns none if the function finds no
/// such loops: each result of the order must be a constant, a dimension, or a
/// quotient or remainder of a dimension by a constant, within the part that the
/// results before have left open.
std::optional<llvm::SmallVector<TileLoop>>
getLoopsOfOrder(mlir::AffineMap order, llvm::ArrayRef<int64_t> grid);

/// Returns the dimensions of `grid` by which the tile order `order` sorts its
/// tiles, with the fastest one last, so that the coordinates of a tile follow
/// from its place. Empty if the loops of the order go over blocks, or if there
/// are no such loops.
llvm::SmallVector<unsigned> getOrderOfDims(mlir::AffineMap order,
                                           llvm::ArrayRef<int64_t> grid);

/// Checks that positions, ranks and sizes in `program` fit together, as every
/// function on programs assumes.
llvm::Error checkWellFormed(const TileProgram &program);

} // namespace grout

#endif // GROUT_ANALYSIS_TILEPROGRAM_H
