//===- TuningJSONLines.h - Measurements as JSON lines -----------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGJSONLINES_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGJSONLINES_H

#include "TuningDatabase.h"

namespace grout::tgemm {

/// Reads the output of `grout-tune export`. `text` is the content of file
/// `path`. Fails with an error that names the first line that is not a
/// measurement.
mlir::FailureOr<std::unique_ptr<TuningDatabase>>
readTuningJSONLines(mlir::MLIRContext *context, llvm::StringRef path,
                    llvm::StringRef text);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGJSONLINES_H
