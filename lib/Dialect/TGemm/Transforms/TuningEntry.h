//===- TuningEntry.h - A measurement of tilings -----------------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGENTRY_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGENTRY_H

#include "grout/Dialect/TSync/IR/TSync.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace grout::tgemm {

/// Identifies a measured matmul or convolution, or a chain of them.
struct TuningShape {
  std::string target, kind, key;

  bool operator==(const TuningShape &other) const {
    return target == other.target && kind == other.kind && key == other.key;
  }
};

/// The result of a measurement.
struct TuningEntry {
  /// The mode in which the products ran; none if this compiler does not know
  /// it.
  std::optional<tsync::Mode> mode;
  /// For each product in order, the text of its tiling after `#tgemm.tiling`.
  std::vector<std::string> tilings;
  double microseconds;
  /// Whether the entry was measured too seldom to compare it with others.
  bool isEliminated;
  /// `FILE:N`, line N of the file or row N of the database.
  std::string place;
};

/// Reads a measurement from the line of JSON `text`, which is at `place`.
/// Refuses lines that nest deeper than a measurement does, so that no line can
/// make the parser recurse.
llvm::Expected<std::pair<TuningShape, TuningEntry>>
parseTuningLine(llvm::StringRef text, std::string place);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGENTRY_H
