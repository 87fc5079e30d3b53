//===- Seeds.h - Seeds of random tests --------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_ANALYSIS_SEEDS_H
#define GROUT_UNITTESTS_ANALYSIS_SEEDS_H

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>

namespace grout::test {

/// The seeds of a test: `count` from `first` on or, if the environment variable
/// GROUT_TEST_SEEDS is FIRST:COUNT, those. scripts/attack sets it.
class Seeds {
public:
  Seeds(unsigned first, unsigned count) : first(first), count(count) {
    const char *text = std::getenv("GROUT_TEST_SEEDS");
    if (!text)
      return;
    auto [from, number] = llvm::StringRef(text).split(':');
    if (from.getAsInteger(10, this->first) ||
        number.getAsInteger(10, this->count))
      llvm::report_fatal_error("GROUT_TEST_SEEDS must be FIRST:COUNT");
    isDefault = false;
  }

  /// Of others nothing is known but that none may fail: not how often each
  /// verdict is reached.
  bool areDefault() const { return isDefault; }
  auto begin() const { return llvm::seq(first, first + count).begin(); }
  auto end() const { return llvm::seq(first, first + count).end(); }

private:
  unsigned first, count;
  bool isDefault = true;
};

} // namespace grout::test

#endif // GROUT_UNITTESTS_ANALYSIS_SEEDS_H
