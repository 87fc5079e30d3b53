//===- TilingOrigin.h - Where a tiling is from ------------------*- C++ -*-===//
//
// Part of Grout. What tgemm-assign-tiling leaves for explanations.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGORIGIN_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGORIGIN_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include <optional>
#include <string>

namespace grout::tgemm {

/// Where the tiling of a product is from.
struct TilingOrigin {
  enum Kind {
    /// It was there.
    Given,
    /// The model's, for this product alone.
    Modelled,
    /// The model's, for all products of a kernel together.
    ModelledTogether,
    /// The tuning database's, measured of this product alone.
    MeasuredProduct,
    /// The tuning database's, measured of the whole function.
    MeasuredChain,
  };

  Kind kind;
  /// If it was measured: the time, and the row of the database or the line.
  double microseconds = 0;
  std::string place;
};

/// Leaves `origin` in an attribute of `op`.
void setTilingOrigin(ProductOpInterface op, const TilingOrigin &origin);

/// What was left there, if anything.
std::optional<TilingOrigin> getTilingOrigin(ProductOpInterface op);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGORIGIN_H
