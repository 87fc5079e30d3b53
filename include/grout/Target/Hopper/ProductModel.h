//===- ProductModel.h - Matrix products on Hopper ---------------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_HOPPER_PRODUCTMODEL_H
#define GROUT_TARGET_HOPPER_PRODUCTMODEL_H

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"

namespace grout::hopper {

/// What was fitted to measured times of products on a processor.
struct ModelConstants {
  /// From the request for a step's data to its arrival, under load, in seconds.
  double loadLatency;
  /// What one processor takes in at most, in bytes per second.
  double processorLoadRate;
  /// What memory delivers to one processor at most, in bytes per second.
  double processorMemoryRate;
  /// What main loops reach of the target's matrix rate, which is that of longer
  /// kernels.
  double matrixShare;
  /// How much faster than under the power limit a clock gets.
  double maxClockGain;
  /// Of the norm by which times of several limits become one.
  double power;

  /// How much longer memory takes for each processor that all waves leave idle,
  /// as a share: where clusters have fewer blocks than this; and where a kernel
  /// starts early behind another one, whose processors its blocks take in
  /// pairs.
  double idleMemoryLoss;
  int64_t minClusterWithoutLoss;
  double earlyIdleMemoryLoss;
  /// How much longer memory takes for a kernel of a single wave, as a share:
  /// processors do not get equal parts of its rate, and when they store what
  /// they have nothing is loaded any more. Of several waves it is a part of
  /// this for each. Blocks that load rhs for each other do not lose it.
  double waveMemoryLoss;

  /// What a kernel that starts early hides of what comes after the last steps
  /// of the one before, as a share: it loads ahead meanwhile.
  double hiddenShare;

  /// Time of an epilogue, in seconds: a constant, and a part for each
  /// accumulator that a thread completes; and what functions like tanh in it
  /// add.
  double epilogueTime;
  double epilogueTimePerAccumulator;
  double functionTime;
  /// The same for a sum over blocks, for each accumulator that a thread sends.
  double exchangeTime;
  double exchangeTimePerAccumulator;

  /// The same for a part of a tile that stores its sums, and for each part that
  /// a tile adds up.
  double storeSumsTime;
  double storeSumsTimePerAccumulator;
  double addSumsTime;
  double addSumsTimePerAccumulator;
  /// From the end of a part to where a tile that waits for it sees that.
  double postLatency;

  /// What clusters cost, and those of eight blocks, in seconds.
  double clusterTime;
  double largestClusterTime;
  /// How much longer a load takes in a cluster.
  double clusterLatencyLoss;
  /// How much longer lhs takes to come in where blocks load it for each other.
  /// (For rhs nothing of the kind was seen.)
  double sharedLhsLoss;
  /// What it takes to load pixels of a convolution, beyond what it takes to
  /// load as many rows of a matrix, and as a share of that. Blocks that load
  /// them for each other share it out.
  double pixelLoss;

  /// What it saves the cache that blocks read equal parts of lhs, or of rhs, at
  /// about the same time, at most. Blocks of split-K read
  /// different parts, so that it saves a `split_k`th of this.
  double equalLhsGain;
  double equalRhsGain;
  /// Blocks that start early go to processors as these become free, and not at
  /// the same time: of so many that read the same, one does not profit from the
  /// others' reads.
  double earlyReaders;
  /// How much longer each row of lhs beyond M takes to come in, although
  /// nothing is read for it.
  double missingRowLoss;
  /// What a line of the cache costs that rows of rhs touch beyond those that
  /// their bytes fill, as a share of a line: when it comes in, and when it
  /// leaves the cache.
  double extraLineEntry;
  double extraLineRead;

  /// Of dependent products.
  tgemm::ChainConstants chain;
};

/// Products by `wgmma`, fed by TMA.
class HopperProductModel : public tgemm::ProductModel {
public:
  HopperProductModel(const TargetSpec &target, const ModelConstants &constants)
      : target(target), constants(constants) {}

  /// Columns of a tile, without `swap_ab`, are a multiple of this.
  static constexpr int64_t kColumnUnit = 16;

  const TargetSpec &getSpec() const { return target; }
  const ModelConstants &getConstants() const { return constants; }

  using ProductModel::modelTiling;
  using ProductModel::modelTilings;

  std::string findProblem(tgemm::ProductOpInterface op,
                          tgemm::TilingAttr tiling) const override;
  // TMA loads channels from multiples of 16 bytes.
  std::optional<tgemm::PreferredColumns> getPreferredColumns() const override {
    return tgemm::PreferredColumns{kColumnUnit, /*full=*/64, /*most=*/256,
                                   /*channelUnit=*/8};
  }
  bool multipliesF32() const override { return false; }
  std::vector<tgemm::ModelledTiling>
  modelTilings(tgemm::ProductOpInterface op,
               tgemm::KernelStart start) const override;
  tgemm::TilingAttr refineTiling(tgemm::ProductOpInterface op,
                                 tgemm::TilingAttr tiling) const override;
  bool hasTimes() const override { return true; }
  tgemm::TilingTime modelTiling(tgemm::ProductOpInterface op,
                                tgemm::TilingAttr tiling,
                                tgemm::KernelStart start) const override;
  int64_t getResidentTiles(tgemm::TilingAttr tiling) const override;
  tgemm::ChainConstants getChainConstants() const override {
    return constants.chain;
  }
  llvm::ArrayRef<tgemm::KernelForm> getKernelForms() const override;
  bool fits(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling,
            const tgemm::KernelForm &form) const override;
  bool canShareKernel(llvm::ArrayRef<tgemm::ProductOpInterface> ops,
                      llvm::ArrayRef<tgemm::TilingAttr> tilings) const override;

private:
  TargetSpec target;
  ModelConstants constants;
};

} // namespace grout::hopper

#endif // GROUT_TARGET_HOPPER_PRODUCTMODEL_H
