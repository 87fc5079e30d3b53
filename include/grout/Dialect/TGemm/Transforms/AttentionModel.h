//===- AttentionModel.h - What a target knows of attention ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_ATTENTIONMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_ATTENTIONMODEL_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/Target.h"
#include <optional>
#include <string>

namespace grout::tgemm {

/// What a target knows of attention: which it can compute, and in which tiles.
/// A target without one has no kernels for it.
class AttentionModel : public TargetInterface {
public:
  /// Why `op` cannot be computed, in whatever tiles; empty if it can.
  virtual std::string findProblem(AttentionOp op) const = 0;

  /// Why it cannot be in tiles of `tiling`; empty if it can.
  virtual std::string findTilingProblem(AttentionOp op,
                                        AttentionTilingAttr tiling) const = 0;

  /// Tiles for `op`, which can be computed.
  virtual AttentionTilingAttr chooseTiling(AttentionOp op) const = 0;

  /// Keys of a part, where the keys of `op` are to be in parts that tiles of
  /// their own attend to.
  virtual std::optional<int64_t> choosePartKeys(AttentionOp op) const {
    return std::nullopt;
  }

  /// Whether a launch that has tiles of attention has no others.
  virtual bool hasOwnLaunch() const = 0;
};

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_ATTENTIONMODEL_H
