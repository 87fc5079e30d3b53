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

/// Makes tile bodies of one kind of tile kernel. A generator has no state,
/// because several modules may be compiled at the same time.
class TileBodyGenerator {
public:
  virtual ~TileBodyGenerator();

  virtual bool handles(mlir::Operation *kernel) const = 0;

  /// Fills `body` with the work of one tile of `kernel`: first the waits of
  /// `layout`, then the tile's computation, then the posts of `layout`
  /// (KernelSync). Fails with a diagnostic that names the op that cannot be
  /// compiled. The caller then verifies the body: it must write to each result,
  /// write to no operand, and have these waits and posts.
  virtual mlir::LogicalResult emit(TileKernelOpInterface kernel,
                                   LaunchTensors &tensors,
                                   const SemaphoreLayout &layout,
                                   CPUTileBody &body) const = 0;

  /// Returns the memory with which a launch of `kernel` exchanges data with
  /// other ranks; null if it does not. Such a kernel is alone in its launch.
  virtual launch::ExchangeAttr getExchange(mlir::Operation *kernel) const {
    return {};
  }
};

/// Create the generators for tgemm.matmul, tgemm.partial_sums,
/// tgemm.grouped_matmul, tgemm.conv2d, tgemm.attention, linalg ops that have a
/// tile shape, and scheduled scop.kernel ops.
std::unique_ptr<TileBodyGenerator> createProductBodyGenerator();
std::unique_ptr<TileBodyGenerator> createPartialSumsBodyGenerator();
std::unique_ptr<TileBodyGenerator> createGroupedProductBodyGenerator();
std::unique_ptr<TileBodyGenerator> createConv2dBodyGenerator();
std::unique_ptr<TileBodyGenerator> createAttentionBodyGenerator();
std::unique_ptr<TileBodyGenerator> createLinalgBodyGenerator();
std::unique_ptr<TileBodyGenerator> createScopBodyGenerator();

/// Whether the data of a tile of `op` fits into the local memory of a tile
/// body, if the tile has `rows` rows and each step `keys` keys.
bool fitsLocalMemory(tgemm::AttentionOp op, int64_t rows, int64_t keys);

} // namespace grout::cpu

#endif // GROUT_CONVERSION_TGEMMTOCPU_TILEBODYGENERATOR_H
