//===- MeasuredTilings.h - Tilings from a tuning database -------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_MEASUREDTILINGS_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_MEASUREDTILINGS_H

#include "TuningDatabase.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/Target.h"

namespace grout::tgemm {

/// Tilings that were measured to be the fastest.
struct MeasuredTilings {
  TuningEntry entry;
  llvm::SmallVector<TilingAttr> tilings;
};

/// The fastest entry for `op` alone, if there is one. Entries with a tiling
/// that `target` cannot compute are left out with a warning. Fails with an
/// error if the database is damaged.
mlir::FailureOr<std::optional<MeasuredTilings>>
findMeasured(ProductOpInterface op, TuningDatabase &database,
             const Target &target);

/// The same for the chain of `ops` in one of `modes`. If that is one launch,
/// its tilings must go together in one kernel. Tilings that `ops` have are
/// kept: entries with others do not count.
mlir::FailureOr<std::optional<MeasuredTilings>>
findMeasured(llvm::ArrayRef<ProductOpInterface> ops,
             llvm::ArrayRef<tsync::Mode> modes, TuningDatabase &database,
             const Target &target);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_MEASUREDTILINGS_H
