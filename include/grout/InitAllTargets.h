//===- InitAllTargets.h - Registers Grout's targets -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INITALLTARGETS_H
#define GROUT_INITALLTARGETS_H

namespace grout {

/// Registers Grout's targets. registerAllDialects does, too.
void registerAllTargets();

} // namespace grout

#endif // GROUT_INITALLTARGETS_H
