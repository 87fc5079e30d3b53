//===- TilingOrigin.h - Where a tiling comes from ---------------*- C++ -*-===//
//
// Part of Grout. tgemm-assign-tiling leaves this information for explanations.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGORIGIN_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGORIGIN_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include <optional>
#include <string>

namespace grout::tgemm {

/// Where the tiling of a GEMM comes from.
struct TilingOrigin {
  enum Kind {
    /// The op had it already.
    Given,
    /// From the model, for this GEMM alone.
    Modelled,
    /// From the model, for all GEMMs of a kernel together.
    ModelledTogether,
    /// From the tuning database, measured for this GEMM alone.
    MeasuredProduct,
    /// From the tuning database, measured for the whole function.
    MeasuredChain,
  };

  Kind kind;
  /// For a measured tiling: its time, and the row of the database or the line
  /// of the file.
  double microseconds = 0;
  std::string place;
};

/// Stores `origin` in an attribute of `op`.
void setTilingOrigin(ProductOpInterface op, const TilingOrigin &origin);

/// Returns the origin that is stored in `op`, if any.
std::optional<TilingOrigin> getTilingOrigin(ProductOpInterface op);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGORIGIN_H
