//===- InitAllPasses.h - Registers Grout's passes ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INITALLPASSES_H
#define GROUT_INITALLPASSES_H

namespace grout {

/// Registers Grout's passes and pipelines with MLIR's global registry.
void registerAllPasses();

} // namespace grout

#endif // GROUT_INITALLPASSES_H
