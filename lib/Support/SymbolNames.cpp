//===- SymbolNames.cpp - Names of generated functions ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/SymbolNames.h"

#include "llvm/ADT/StringExtras.h"

/// With what is added, well below what the runtime takes.
static constexpr size_t kMaxLength = 256;

std::string grout::getSymbolSafeName(llvm::StringRef name) {
  std::string safe = name.take_front(kMaxLength).str();
  for (char &c : safe)
    if (!llvm::isAlnum(c))
      c = '_';
  if (safe.empty() || llvm::isDigit(safe.front()))
    safe.insert(safe.begin(), '_');
  return safe;
}
