//===- TuningDatabase.h - Measured times of tilings -------------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGDATABASE_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGDATABASE_H

#include "TuningEntry.h"
#include "mlir/IR/MLIRContext.h"
#include <memory>

namespace grout::tgemm {

/// Measurements in a file. The file is only read.
class TuningDatabase {
public:
  using Entries = std::vector<TuningEntry>;

  /// Opens file `path`, which is a database of grout-tune or JSON lines. Fails
  /// with an error if the file cannot be read, or if it is damaged: in a
  /// damaged file, other entries may be wrong, too.
  static mlir::FailureOr<std::unique_ptr<TuningDatabase>>
  open(mlir::MLIRContext *context, llvm::StringRef path);

  virtual ~TuningDatabase() = default;

  /// Returns the entries of `shape` that were measured often enough to compare,
  /// fastest first. Fails with an error if the data that it reads is damaged.
  mlir::FailureOr<Entries> find(const TuningShape &shape);

protected:
  /// All entries of a shape in the order in which they were added.
  virtual mlir::FailureOr<Entries> read(const TuningShape &shape) = 0;
};

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGDATABASE_H
