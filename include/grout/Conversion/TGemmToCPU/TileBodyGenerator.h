//===- TileBodyGenerator.h - Tiles of a kind of kernel on CPUs --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTOCPU_TILEBODYGENERATOR_H
#define GROUT_CONVERSION_TGEMMTOCPU_TILEBODYGENERATOR_H

#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"

namespace grout::cpu {

/// Makes tile bodies of one kind of tile kernel. It has no state: modules may
/// be compiled at the same time.
class TileBodyGenerator {
public:
  virtual ~TileBodyGenerator();

  virtual bool handles(mlir::Operation *kernel) const = 0;

  /// Fills `body` with the work of one tile of `kernel`, with the waits before
  /// and the posts after that `layout` has for it (KernelSync). Fails with a
  /// diagnostic that names what cannot be compiled. The body is verified
  /// behind it: it writes to each result, to no operand, and has these waits
  /// and posts.
  virtual mlir::LogicalResult emit(TileKernelOpInterface kernel,
                                   LaunchTensors &tensors,
                                   const SemaphoreLayout &layout,
                                   CPUTileBody &body) const = 0;
};

/// For tgemm.matmul, tgemm.partial_sums, tgemm.conv2d, tgemm.attention, ops of
/// linalg that have a tile shape, and scheduled scop.kernel ops.
std::unique_ptr<TileBodyGenerator> createProductBodyGenerator();
std::unique_ptr<TileBodyGenerator> createPartialSumsBodyGenerator();
std::unique_ptr<TileBodyGenerator> createConv2dBodyGenerator();
std::unique_ptr<TileBodyGenerator> createAttentionBodyGenerator();
std::unique_ptr<TileBodyGenerator> createLinalgBodyGenerator();
std::unique_ptr<TileBodyGenerator> createScopBodyGenerator();

/// Whether what a tile of `op` of so many rows, and steps of so many keys,
/// works on fits into the local memory that a tile body may have.
bool fitsLocalMemory(tgemm::AttentionOp op, int64_t rows, int64_t keys);

} // namespace grout::cpu

#endif // GROUT_CONVERSION_TGEMMTOCPU_TILEBODYGENERATOR_H
