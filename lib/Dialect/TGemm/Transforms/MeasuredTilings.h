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

/// Returns the fastest entry for `op` alone, if there is one. Leaves out
/// entries with a tiling that `target` cannot compute, with a warning. Fails
/// with an error if the database is damaged.
mlir::FailureOr<std::optional<MeasuredTilings>>
findMeasured(ProductOpInterface op, TuningDatabase &database,
             const Target &target);

/// Returns the fastest entry for the chain of `ops` in one of `modes`, if there
/// is one. In a mode with one launch, the tilings of an entry must fit together
/// in one kernel. Keeps the tilings that `ops` already have: entries with other
/// tilings do not count.
mlir::FailureOr<std::optional<MeasuredTilings>>
findMeasured(llvm::ArrayRef<ProductOpInterface> ops,
             llvm::ArrayRef<tsync::Mode> modes, TuningDatabase &database,
             const Target &target);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_MEASUREDTILINGS_H
