//===- ModeOption.h - Modes as options of passes and tools ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_IR_MODEOPTION_H
#define GROUT_DIALECT_TSYNC_IR_MODEOPTION_H

#include "grout/Dialect/TSync/IR/TSync.h"
#include "llvm/Support/CommandLine.h"

namespace grout::tsync {

/// The modes that a user may ask for.
enum class ModeOption { Serial, PDL, Overlap, Persistent, Auto };

/// The mode that `option` names; none for `auto`.
std::optional<Mode> getMode(ModeOption option);

/// The option that names `mode`.
ModeOption getModeOption(Mode mode);

/// What an option of type ModeOption may be.
llvm::cl::ValuesClass getModeValues();

/// The same of an option of type Mode that is about edges.
llvm::cl::ValuesClass getEdgeModeValues();

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_IR_MODEOPTION_H
