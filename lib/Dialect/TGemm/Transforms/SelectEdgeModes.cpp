//===- SelectEdgeModes.cpp - Chooses how each kernel waits ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/EdgeModel.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Target/IR/Grout.h"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMSELECTEDGEMODES
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

struct TGemmSelectEdgeModes
    : grout::tgemm::impl::TGemmSelectEdgeModesBase<TGemmSelectEdgeModes> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (!modes.empty() && !(*target)->getSpec().hasProgrammaticLaunch) {
      getOperation()->emitError() << "'" << (*target)->getName()
                                  << "' has no programmatic dependent launch";
      return signalPassFailure();
    }
    const auto *model = (*target)->getInterface<ProductModel>();
    SmallVector<tsync::Mode> given;
    for (const std::string &name : modes) {
      std::optional<tsync::Mode> mode = tsync::symbolizeMode(name);
      if (!mode || *mode == tsync::Mode::persistent) {
        getOperation()->emitError()
            << "'" << name << "' is not a mode of a dependence; those are "
            << "serial, pdl and overlap";
        return signalPassFailure();
      }
      given.push_back(*mode);
    }
    getOperation()->walk([&](tsync::ChainOp chain) {
      bool selectsEdges = chain.getSelectsEdges();
      chain.setSelectsEdges(false);
      if (!given.empty() && chain.getMode() != tsync::Mode::persistent)
        setModes(chain, given);
      else if (selectsEdges && model)
        selectModes(chain, *model);
    });
  }

private:
  /// `kernels` are those of one launch.
  static void setMode(tsync::ChainOp chain,
                      ArrayRef<TileKernelOpInterface> kernels,
                      tsync::Mode mode) {
    chain.removeResidentsAttr();
    for (tsync::DependenceOp dependence : chain.getDependences())
      if (llvm::is_contained(kernels, dependence.getConsumerKernel()) &&
          !dependence.isWithinLaunch() && !dependence.getMode() &&
          !dependence.getPolicy())
        dependence.setMode(mode);
  }

  static void setModes(tsync::ChainOp chain, ArrayRef<tsync::Mode> given) {
    auto launches = chain.getLaunches();
    if (given.size() >= launches.size())
      chain.emitWarning("the chain has ")
          << launches.size() << " launches, so only the first "
          << launches.size() - 1 << " of " << given.size()
          << " modes for edges count";
    for (const auto &[kernels, mode] :
         llvm::zip(ArrayRef(launches).drop_front(), given))
      setMode(chain, kernels, mode);
  }

  static void selectModes(tsync::ChainOp chain, const ProductModel &model) {
    bool mayBeByTile = waitsForTiles(getLaunchWait(chain.getMode()));
    for (ArrayRef<TileKernelOpInterface> kernels : chain.getLaunches()) {
      EdgeTimes times = modelEdges(kernels.back(), model);
      if (mayBeByTile && times.isByTile())
        continue;
      if (times.inOrderGain > 0)
        setMode(chain, kernels, tsync::Mode::serial);
      else if (mayBeByTile)
        setMode(chain, kernels, tsync::Mode::pdl);
    }
  }
};

} // namespace
