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

/// What it is if each dependence is to have the mode that suits it, of all or
/// of `serial` and `pdl`; and the attribute of chains, in mode `overlap` or
/// `pdl`, by which tsync-form-chains passes it on to tgemm-select-edge-modes.
inline constexpr llvm::StringLiteral kByEdge = "by_edge";
inline constexpr llvm::StringLiteral kByLaunch = "by_launch";
inline constexpr llvm::StringLiteral kModesByEdgeAttrName =
    "tsync.modes_by_edge";

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_CHOSENMODE_H
