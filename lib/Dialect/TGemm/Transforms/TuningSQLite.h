//===- TuningSQLite.h - Measurements in a database --------------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGSQLITE_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGSQLITE_H

#include "TuningDatabase.h"

namespace grout::tgemm {

/// The header values and the tables of grout-tune's databases, as in
/// tools/grout-tune/tuning/schema.py.
inline constexpr int kTuningApplicationId = 0x47725475;
inline constexpr int kTuningSchemaVersion = 1;
extern const char *const kTuningShapesTable;
extern const char *const kTuningMeasurementsTable;

/// Opens the database of grout-tune in file `path`. Other processes may write
/// it at the same time. Each look-up uses an index, and reads only the rows of
/// its shape. Fails with an error if the file is a database of another program
/// or version, or if the tables or indices that look-ups use are damaged.
mlir::FailureOr<std::unique_ptr<TuningDatabase>>
openTuningSQLite(mlir::MLIRContext *context, llvm::StringRef path);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGSQLITE_H
