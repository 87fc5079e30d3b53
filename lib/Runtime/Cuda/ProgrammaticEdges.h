//===- ProgrammaticEdges.h - Which launches may start early -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_PROGRAMMATICEDGES_H
#define GROUT_LIB_RUNTIME_CUDA_PROGRAMMATICEDGES_H

#include "../ArtifactTypes.h"

#include <vector>

namespace grout {
namespace runtime {
namespace cuda {

/// For each launch of a plan whose launches go into one stream in list order:
/// whether it may overlap the launch before it by programmatic dependent
/// launch. It may if it has an edge to that launch, and full edges only to
/// launches that have surely ended when it starts: for the others its kernel
/// waits by itself. Where it may not, its edges are met by stream order, which
/// is stronger than any of them.
std::vector<bool> chooseProgrammaticLaunches(const artifact::Plan &plan);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_PROGRAMMATICEDGES_H
