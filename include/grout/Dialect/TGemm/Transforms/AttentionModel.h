//===- AttentionModel.h - The model of attention on a target ----*- C++ -*-===//
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

/// Limits of the elements of a head.
struct HeadLimits {
  /// Heads have a multiple of this number of elements.
  int64_t unit = 1;
  /// The largest number of elements; 0 means that there is no limit.
  int64_t most = 0;
};

/// A target's model of attention: which attention ops the target can compute,
/// and in which tiles. A target without this interface has no kernels for
/// attention.
class AttentionModel : public TargetInterface {
public:
  /// Returns why the target cannot compute `op`, whatever its tiles; empty if
  /// it can.
  virtual std::string findProblem(AttentionOp op) const = 0;

  /// Returns the limits of heads, for callers that have no op yet.
  virtual HeadLimits getHeadLimits() const { return {}; }

  /// Returns why the target cannot compute `op` in tiles of `tiling`; empty if
  /// it can.
  virtual std::string findTilingProblem(AttentionOp op,
                                        AttentionTilingAttr tiling) const = 0;

  /// Returns a tiling for `op`, which the target can compute.
  virtual AttentionTilingAttr chooseTiling(AttentionOp op) const = 0;

  /// Returns the number of keys of a part, if the keys of `op` should be cut
  /// into parts that have tiles of their own; otherwise none.
  virtual std::optional<int64_t> choosePartKeys(AttentionOp op) const {
    return std::nullopt;
  }

  /// Returns whether a launch with tiles of attention has no other tiles.
  virtual bool hasOwnLaunch() const = 0;
};

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_ATTENTIONMODEL_H
