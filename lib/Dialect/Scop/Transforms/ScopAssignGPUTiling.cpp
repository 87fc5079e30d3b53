//===- ScopAssignGPUTiling.cpp - Blocks of scop kernels as tiles ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/KernelTiles.h"
#include "grout/Dialect/Scop/ThreadMapping/MappedKernel.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "scop-assign-gpu-tiling"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPASSIGNGPUTILING
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether `op` is a tile kernel, but not a scop.kernel.
static bool isOtherKernel(Operation &op) {
  return isa<TileKernelOpInterface>(op) && !isa<KernelOp>(op);
}

namespace {

struct ScopAssignGPUTiling
    : grout::scop::impl::ScopAssignGPUTilingBase<ScopAssignGPUTiling> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getGPU(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (isPersistent()) {
      LDBG() << "no tiles: in mode persistent only products wait for tiles";
      return;
    }
    for (Block &block : getOperation().getBody()) {
      // Without other tile kernels, memory-bound kernels gain nothing by
      // waiting for tiles.
      if (llvm::none_of(block, isOtherKernel)) {
        LDBG() << "no tiles: there are no kernels to wait for";
        continue;
      }
      for (KernelOp kernel : block.getOps<KernelOp>())
        if (!kernel.getTileSizes() &&
            failed(assignTiles(kernel, (*target)->getSpec())))
          return signalPassFailure();
    }
  }

private:
  bool isPersistent() {
    if (std::optional<tsync::Mode> given = tsync::getMode(mode))
      return isOneLaunch(*given);
    auto chosen = getOperation()->getAttrOfType<tsync::ExecutionAttr>(
        tsync::ExecutionAttr::getAttrName());
    return !chosen || isOneLaunch(chosen.getMode());
  }

  LogicalResult assignTiles(KernelOp kernel, const TargetSpec &spec) {
    FailureOr<MappedKernel> mapped = mapKernel(kernel, spec, getWholeLayout);
    if (failed(mapped))
      return failure();
    SmallVector<int64_t> sizes = getTileSizes(mapped->shape, mapped->mapping);
    if (sizes.empty()) {
      LDBG() << kernel.getLoc() << " gets no tiles: its blocks are none";
      return success();
    }
    std::string problem = findTilesProblem(kernel, sizes);
    LDBG() << kernel.getLoc() << ": tiles of " << llvm::interleaved_array(sizes)
           << (problem.empty() ? "" : " are not possible: ") << problem;
    if (problem.empty())
      kernel.setTileSizes(sizes);
    return success();
  }
};

} // namespace
