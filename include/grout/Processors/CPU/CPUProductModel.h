//===- CPUProductModel.h - Matrix products on a CPU ----------------*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PROCESSORS_CPU_CPUPRODUCTMODEL_H
#define GROUT_PROCESSORS_CPU_CPUPRODUCTMODEL_H

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"

namespace grout::cpu {

/// Computes GEMMs by loops, for tiles of any size. Has no model of times.
class CPUProductModel : public tgemm::ProductModel {
public:
  explicit CPUProductModel(const TargetSpec &target) : target(target) {}

  using ProductModel::modelTiling;
  using ProductModel::modelTilings;

  std::string findProblem(tgemm::ProductOpInterface op,
                          tgemm::TilingAttr tiling) const override;
  bool multipliesF32() const override { return true; }
  std::vector<tgemm::ModelledTiling>
  modelTilings(tgemm::ProductOpInterface op,
               tgemm::KernelStart start) const override;
  bool hasTimes() const override { return false; }
  tgemm::TilingTime modelTiling(tgemm::ProductOpInterface op,
                                tgemm::TilingAttr tiling,
                                tgemm::KernelStart start) const override {
    return {};
  }
  int64_t getResidentTiles(tgemm::TilingAttr tiling) const override {
    return target.processors;
  }
  tgemm::ChainConstants getChainConstants() const override { return {}; }
  llvm::ArrayRef<tgemm::KernelForm> getKernelForms() const override {
    return {};
  }
  bool fits(tgemm::ProductOpInterface op, tgemm::TilingAttr tiling,
            const tgemm::KernelForm &form) const override {
    return true;
  }
  bool
  canShareKernel(llvm::ArrayRef<tgemm::ProductOpInterface> ops,
                 llvm::ArrayRef<tgemm::TilingAttr> tilings) const override {
    return true;
  }

private:
  TargetSpec target;
};

} // namespace grout::cpu

#endif // GROUT_PROCESSORS_CPU_CPUPRODUCTMODEL_H
