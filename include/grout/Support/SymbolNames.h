//===- SymbolNames.h - Names of generated functions -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_SYMBOLNAMES_H
#define GROUT_SUPPORT_SYMBOLNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace grout {

/// Returns a prefix for the names of kernels that are made for the function
/// `name`. It consists of ASCII letters, digits and underscores, does not begin
/// with a digit, and has a limited length, so that linkers, PTX and the runtime
/// accept it. Several functions may have the same prefix. Callers must add a
/// part that distinguishes their kernels.
std::string getSymbolSafeName(llvm::StringRef name);

} // namespace grout

#endif // GROUT_SUPPORT_SYMBOLNAMES_H
