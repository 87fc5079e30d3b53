//===- ChosenMode.h - Where a chosen mode is left ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_CHOSENMODE_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_CHOSENMODE_H

#include "llvm/ADT/StringRef.h"

namespace grout::tsync {

/// The attribute of a function in which tgemm-assign-tiling, with mode auto,
/// leaves the mode that it chose; tsync-form-chains removes it.
inline constexpr llvm::StringLiteral kChosenModeAttrName = "tsync.mode";

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_CHOSENMODE_H
