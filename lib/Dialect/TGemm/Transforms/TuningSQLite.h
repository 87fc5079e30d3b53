//===- TuningSQLite.h - Measurements in a database --------------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGSQLITE_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGSQLITE_H

#include "TuningDatabase.h"

namespace grout::tgemm {

/// What the header of grout-tune's databases says, and the tables that they
/// have: tools/grout-tune/tuning/schema.py.
inline constexpr int kTuningApplicationId = 0x47725475;
inline constexpr int kTuningSchemaVersion = 1;
extern const char *const kTuningShapesTable;
extern const char *const kTuningMeasurementsTable;

/// Opens the database of grout-tune that is file `path`, which others may write
/// meanwhile. Each look-up reads the rows of its shape alone, by an index.
/// Fails with an error if the database is another's, or of another version, or
/// if what look-ups rely on is damaged.
mlir::FailureOr<std::unique_ptr<TuningDatabase>>
openTuningSQLite(mlir::MLIRContext *context, llvm::StringRef path);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGSQLITE_H
