//===- CPUAttentionModel.h - Attention on a CPU --------------------*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PROCESSORS_CPU_CPUATTENTIONMODEL_H
#define GROUT_PROCESSORS_CPU_CPUATTENTIONMODEL_H

#include "grout/Dialect/TGemm/Transforms/AttentionModel.h"

namespace grout::cpu {

/// Computes attention by loops, for tiles of any size.
class CPUAttentionModel : public tgemm::AttentionModel {
public:
  std::string findProblem(tgemm::AttentionOp op) const override;
  std::string
  findTilingProblem(tgemm::AttentionOp op,
                    tgemm::AttentionTilingAttr tiling) const override;
  tgemm::AttentionTilingAttr chooseTiling(tgemm::AttentionOp op) const override;
  bool hasOwnLaunch() const override { return false; }
};

} // namespace grout::cpu

#endif // GROUT_PROCESSORS_CPU_CPUATTENTIONMODEL_H
