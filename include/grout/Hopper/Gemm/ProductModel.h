//===- ProductModel.h - Matrix products on Hopper ---------------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_GEMM_PRODUCTMODEL_H
#define GROUT_HOPPER_GEMM_PRODUCTMODEL_H

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Runtime/DeviceABI.h"

namespace grout::hopper {

/// The fitted constants of the GEMM model. ModelConstants.def describes each.
struct ModelConstants {
#define GROUT_CONSTANT(name) double name;
#include "grout/Hopper/Gemm/ModelConstants.def"
  /// Clusters of at least this many blocks have no `idleMemoryLoss`.
  int64_t minClusterWithoutLoss;
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
  /// TMA loads pixels.
  tgemm::ConvolutionLimits getConvolutionLimits() const override {
    constexpr uint32_t axes = 2;
    return {kernelabi::kMaxIm2colStep, kernelabi::getIm2colOffsetLimit(axes),
            kernelabi::getIm2colCornerLimit(axes)};
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

#endif // GROUT_HOPPER_GEMM_PRODUCTMODEL_H
