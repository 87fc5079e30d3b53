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

/// What names of kernels begin with that are made for the function `name`: of
/// that, as linkers, PTX and the runtime take symbols, letters, digits and
/// underscores of ASCII, no digit first; and no more than a readable length.
/// Functions may share one: what tells kernels apart is added to it.
std::string getSymbolSafeName(llvm::StringRef name);

} // namespace grout

#endif // GROUT_SUPPORT_SYMBOLNAMES_H
