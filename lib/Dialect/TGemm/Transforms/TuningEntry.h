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

/// What was measured: a product, or a chain of them.
struct TuningShape {
  std::string target, kind, key;

  bool operator==(const TuningShape &other) const {
    return target == other.target && kind == other.kind && key == other.key;
  }
};

/// What a measurement says.
struct TuningEntry {
  /// How the products ran; none if in a way that this compiler does not know.
  std::optional<tsync::Mode> mode;
  /// For each product in order, what follows `#tgemm.tiling`.
  std::vector<std::string> tilings;
  double microseconds;
  /// Whether it was measured too seldom to compare.
  bool isEliminated;
  /// `FILE:N`, line N of the file or row N of the database.
  std::string place;
};

/// Reads a measurement from a line of JSON that is at `place`. A line nests no
/// deeper than a measurement does, so that no line makes the parser recurse.
llvm::Expected<std::pair<TuningShape, TuningEntry>>
parseTuningLine(llvm::StringRef text, std::string place);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TUNINGENTRY_H
