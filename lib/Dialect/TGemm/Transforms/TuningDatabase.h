//===- TuningDatabase.h - Measured times of tilings -------------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGDATABASE_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGDATABASE_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace grout::tgemm {

/// What a line of the database says.
struct TuningEntry {
  /// How the products ran.
  std::string mode;
  /// For each product in order, what follows `#tgemm.tiling`.
  std::vector<std::string> tilings;
  double microseconds;
  /// The line.
  mlir::FileLineColLoc loc;
};

/// The entries of a file that are of one target.
class TuningDatabase {
public:
  /// Reads file `path`. What is wrong with a line is a warning, and the line is
  /// left out: one that was cut off must not make the others useless. Fails
  /// with an error if the file cannot be read.
  static mlir::FailureOr<TuningDatabase> read(mlir::MLIRContext *context,
                                              llvm::StringRef path,
                                              llvm::StringRef target);

  /// Entries of the product or chain that has `key`, fastest first.
  llvm::ArrayRef<TuningEntry> findProduct(llvm::StringRef key) const {
    return find(products, key);
  }
  llvm::ArrayRef<TuningEntry> findChain(llvm::StringRef key) const {
    return find(chains, key);
  }

private:
  using Entries = llvm::StringMap<std::vector<TuningEntry>>;

  static llvm::ArrayRef<TuningEntry> find(const Entries &entries,
                                          llvm::StringRef key);

  Entries products, chains;
};

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGDATABASE_H
