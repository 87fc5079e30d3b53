//===- TileProgram.h - Tile kernels that run together -----------*- C++ -*-===//
//
// Part of Grout. Plain data: what tsync-verify proves things about, and what
// the interpreter runs.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_TILEPROGRAM_H
#define GROUT_ANALYSIS_TILEPROGRAM_H

#include "grout/Analysis/SemaphorePolicy.h"
#include "grout/Analysis/TileKernel.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace grout {

/// A root tensor, and where it lives.
struct TensorInfo {
  llvm::SmallVector<int64_t> shape;
  int64_t elementBits = 32;
  /// Tensors with the same buffer overwrite each other. All start at the
  /// buffer's first byte, dense and row-major.
  unsigned buffer = 0;
  /// Must hold its value when the program ends. A tensor that no kernel reads
  /// counts as an output; one that no kernel writes is an input.
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
  /// Of a read by a kernel that is a launch of its own: whether who reads first
  /// waits for the end of the launch before.
  bool waitsForLaunch = false;
  /// Of a read: whether it comes after the steps of each run.
  bool isAfterSteps = false;
};

/// A dependence and the semaphores that implement it. Every edge has an array
/// of semaphores of its own.
struct SynchronisedEdge {
  unsigned producer = 0, consumer = 0;
  /// Operand of the consumer; only for messages.
  unsigned operand = 0;
  SemaphorePolicy policy;
  /// Whether the wait comes after the steps of each run.
  bool isAfterSteps = false;
};

/// How a kernel keeps to the launch before its own. A wait for a launch ends
/// when that launch has ended, and everything that it wrote, or has seen
/// written, is then visible to who waits. Of launches before that one it says
/// nothing by itself.
struct LaunchWaits {
  /// Whether it starts when the launch before has ended. Else it starts early,
  /// and nothing is known of that launch but by waits.
  bool atStart = false;
  /// Whether every tile waits before it writes.
  bool beforeWrites = false;
  /// Whether the kernel waits before it ends.
  bool beforeEnd = false;
  /// Whether it is in one launch with the kernel before.
  bool isWithPrevious = false;
};

/// Kernels that run together, tile by tile.
///
/// Tiles are claimed strictly in tile order by a number of residents, each of
/// which runs one tile at a time to its end. A tile, for each step of a run in
/// turn, first waits for the boxes of all edges into its kernel and then reads
/// what the step reads of tensors that this program writes; its runs (see
/// TileKernel) do so beside each other. After all of them it writes its
/// results, then posts the semaphores of all edges out of its kernel. Inputs
/// (tensors that no kernel writes) in buffers of their own may be read at any
/// time.
///
/// Waits and reads after the steps are made in each run, when its own steps are
/// over, those reads after those waits.
///
/// With `launches`, every kernel is a launch of its own, in the order of
/// `kernels`, or is in that of the kernel before. Residents of each claim its
/// tiles in tile order, whatever those of others do; no block of one starts
/// before all of those before it have.
struct TileProgram {
  std::vector<TileKernel> kernels;
  std::vector<TensorInfo> tensors;
  std::vector<ProgramAccess> reads, writes;
  std::vector<SynchronisedEdge> edges;
  /// For each kernel (tile...) -> time. All of one rank; compared
  /// lexicographically; no two tiles at the same time.
  std::vector<mlir::AffineMap> order;
  /// One for each kernel, or none where one launch runs all of them.
  std::vector<LaunchWaits> launches;

  /// The launch of each kernel, by its number.
  std::vector<unsigned> getLaunchNumbers() const;
};

/// One entry of the task list.
struct TileTask {
  unsigned kernel = 0;
  llvm::SmallVector<int64_t, 4> tile;
};

/// All tiles in tile order: the task list. Fails if a grid is dynamic, ranks
/// differ or two tiles have the same time. O(n log n); 10^5 tiles take some
/// ten milliseconds.
llvm::Expected<std::vector<TileTask>>
enumerateOrder(const TileProgram &program);

/// One of the nested loops that visit the tiles of a grid: over blocks of
/// `block` tiles along `dim`, within what the loops before have left of it. The
/// last block may be smaller.
struct TileLoop {
  unsigned dim;
  int64_t block;
};

/// Loops that visit the tiles of `grid` in the tile order `order`, outermost
/// first, and end at single tiles. None if it is not seen that there are any:
/// results of the order must be constants, or dimensions, quotients of them or
/// remainders by constants, each within what those before have left open.
std::optional<llvm::SmallVector<TileLoop>>
getLoopsOfOrder(mlir::AffineMap order, llvm::ArrayRef<int64_t> grid);

/// The dimensions of `grid` by which the tile order `order` sorts its tiles,
/// the one that changes fastest last, so that a tile follows from its place.
/// Empty if loops of the order are over blocks, or it has none.
llvm::SmallVector<unsigned> getOrderOfDims(mlir::AffineMap order,
                                           llvm::ArrayRef<int64_t> grid);

/// Checks that positions, ranks and sizes in `program` fit together, as every
/// function on programs assumes.
llvm::Error checkWellFormed(const TileProgram &program);

} // namespace grout

#endif // GROUT_ANALYSIS_TILEPROGRAM_H
