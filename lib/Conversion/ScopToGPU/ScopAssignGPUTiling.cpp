//===- ScopAssignGPUTiling.cpp - Blocks of scop kernels as tiles ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ThreadMapping.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Scop/IR/KernelTiles.h"
#include "grout/Dialect/TSync/Transforms/ChosenMode.h"
#include "grout/Target/TargetSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout {
#define GEN_PASS_DEF_SCOPASSIGNGPUTILING
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether `op` is a tile kernel that is no kernel of ours.
static bool isOtherKernel(Operation &op) {
  return isa<TileKernelOpInterface>(op) && !isa<KernelOp>(op);
}

/// The tiles that blocks of `kernel` have on `target`, if its array are whole
/// buffers.
static FailureOr<SmallVector<int64_t>> chooseTiles(KernelOp kernel,
                                                   const TargetSpec &target) {
  FailureOr<KernelShape> shape = getKernelShape(kernel, [](Value array) {
    auto type = cast<MemRefType>(array.getType());
    BufferView view;
    view.shape = llvm::to_vector(type.getShape());
    view.strides = type.getStridesAndOffset().first;
    view.elementType = type.getElementType();
    return view;
  });
  if (failed(shape))
    return failure();
  return getTileSizes(*shape, chooseThreadMapping(*shape, target.processors));
}

namespace {

struct ScopAssignGPUTiling
    : grout::impl::ScopAssignGPUTilingBase<ScopAssignGPUTiling> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<TargetSpec> spec = lookupTarget(target);
    if (!spec || !spec->isGPU) {
      getOperation().emitError() << "'" << target << "' is not a GPU";
      return signalPassFailure();
    }
    if (isPersistent())
      return;
    for (Block &block : getOperation().getBody()) {
      // Alone they gain nothing by waiting for tiles.
      if (llvm::none_of(block, isOtherKernel))
        continue;
      for (KernelOp kernel : block.getOps<KernelOp>())
        if (!kernel.getTileSizes() && failed(assignTiles(kernel, *spec)))
          return signalPassFailure();
    }
  }

private:
  bool isPersistent() {
    auto chosen =
        getOperation()->getAttrOfType<StringAttr>(tsync::kChosenModeAttrName);
    return mode == "persistent" ||
           (mode == "auto" && (!chosen || chosen == "persistent"));
  }

  LogicalResult assignTiles(KernelOp kernel, const TargetSpec &spec) {
    FailureOr<SmallVector<int64_t>> sizes = chooseTiles(kernel, spec);
    if (failed(sizes))
      return failure();
    if (!sizes->empty() && findTilesProblem(kernel, *sizes).empty())
      kernel.setTileSizes(*sizes);
    return success();
  }
};

} // namespace
