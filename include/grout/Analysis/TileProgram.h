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
};

/// A dependence and the semaphores that implement it. Every edge has an array
/// of semaphores of its own.
struct SynchronisedEdge {
  unsigned producer = 0, consumer = 0;
  /// Operand of the consumer; only for messages.
  unsigned operand = 0;
  SemaphorePolicy policy;
};

/// Kernels that run together, tile by tile.
///
/// Tiles are claimed strictly in tile order by a number of residents, each of
/// which runs one tile at a time to its end. A tile, for each step in turn,
/// first waits for the boxes of all edges into its kernel and then reads what
/// the step reads of tensors that this program writes; after its last step it
/// writes its results, then posts the semaphores of all edges out of its
/// kernel. Inputs (tensors that no kernel writes) in buffers of their own may
/// be read at any time.
struct TileProgram {
  std::vector<TileKernel> kernels;
  std::vector<TensorInfo> tensors;
  std::vector<ProgramAccess> reads, writes;
  std::vector<SynchronisedEdge> edges;
  /// For each kernel (tile...) -> time. All of one rank; compared
  /// lexicographically; no two tiles at the same time.
  std::vector<mlir::AffineMap> order;
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

/// Checks that positions, ranks and sizes in `program` fit together, as every
/// function on programs assumes.
llvm::Error checkWellFormed(const TileProgram &program);

} // namespace grout

#endif // GROUT_ANALYSIS_TILEPROGRAM_H
