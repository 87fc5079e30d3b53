//===- TSyncSelectEdgeModes.cpp - Chooses modes of edges ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Dialect/TSync/Transforms/EdgeModel.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/Format.h"

#define DEBUG_TYPE "tsync-select-edge-modes"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCSELECTEDGEMODES
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// Reports the times that edges to `kernel` are modelled to save.
static void reportTimes(TileKernelOpInterface kernel, const EdgeTimes &times) {
  LDBG_OS([&](llvm::raw_ostream &os) {
    auto print = [&](StringRef what, double seconds) {
      os << what << llvm::format("%.2f us", seconds * 1e6);
    };
    os << kernel.getLoc();
    print(": waiting for tiles saves ", times.gain);
    print(" and costs ", times.cost);
    print("; starting in order saves ", times.inOrderGain);
    if (!times.obstacle.empty())
      os << "; " << times.obstacle;
  });
}

namespace {

struct TSyncSelectEdgeModes
    : grout::tsync::impl::TSyncSelectEdgeModesBase<TSyncSelectEdgeModes> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (!modes.empty() && !(*target)->getSpec().hasProgrammaticLaunch) {
      emitError(getOperation()->getLoc())
          << "'" << (*target)->getName()
          << "' has no programmatic dependent launch";
      return signalPassFailure();
    }
    const auto *model = (*target)->getInterface<EdgeModel>();
    getOperation()->walk([&](ChainOp chain) {
      bool selectsEdges = chain.getSelectsEdges();
      chain.setSelectsEdges(false);
      if (!modes.empty() && !chain.isOneLaunch())
        setModes(chain, *modes);
      else if (selectsEdges && model)
        selectModes(chain, *model);
    });
  }

private:
  /// Sets the mode of edges to `kernels`, which are all kernels of one launch.
  static void setMode(ChainOp chain, ArrayRef<TileKernelOpInterface> kernels,
                      Mode mode) {
    LDBG() << "edges to " << kernels.back()->getLoc() << " get mode "
           << stringifyMode(mode);
    chain.removeResidentsAttr();
    for (DependenceOp dependence : chain.getDependences())
      if (llvm::is_contained(kernels, dependence.getConsumerKernel()) &&
          !dependence.isWithinLaunch() && !dependence.getMode() &&
          !dependence.getPolicy())
        dependence.setMode(mode);
  }

  /// Reports the dependences of `kernels` that the input gives another mode
  /// than `mode`, and that keep it.
  static void reportGiven(ChainOp chain,
                          ArrayRef<TileKernelOpInterface> kernels, Mode mode) {
    for (DependenceOp dependence : chain.getDependences()) {
      bool isOther = dependence.getMode()
                         ? *dependence.getMode() != mode
                         : dependence.getPolicy() && mode != Mode::overlap;
      if (isOther && !dependence.isWithinLaunch() &&
          llvm::is_contained(kernels, dependence.getConsumerKernel()))
        dependence.emitRemark()
            << "the dependence stays as it is in the input: mode "
            << stringifyMode(mode) << " is for those without mode and policy";
    }
  }

  static void setModes(ChainOp chain, ArrayRef<Mode> given) {
    auto launches = chain.getLaunches();
    if (given.size() >= launches.size())
      chain.emitWarning("the chain has ")
          << launches.size() << " launches, so only the first "
          << launches.size() - 1 << " of " << given.size()
          << " modes for edges count";
    for (const auto &[kernels, mode] :
         llvm::zip(ArrayRef(launches).drop_front(), given)) {
      reportGiven(chain, kernels, mode);
      setMode(chain, kernels, mode);
    }
  }

  void selectModes(ChainOp chain, const EdgeModel &model) {
    bool mayBeByTile = waitsForTiles(getLaunchWait(chain.getMode()));
    for (ArrayRef<TileKernelOpInterface> kernels : chain.getLaunches()) {
      EdgeTimes times = model.modelEdges(kernels.back());
      reportTimes(kernels.back(), times);
      if (mayBeByTile && times.isByTile()) {
        LDBG() << "edges to " << kernels.back()->getLoc() << " stay by tile";
        ++numByTile;
        continue;
      }
      if (times.inOrderGain > 0)
        setMode(chain, kernels, Mode::serial);
      else if (mayBeByTile)
        setMode(chain, kernels, Mode::pdl);
    }
  }
};

} // namespace
