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
/// launch. It may if it has a programmatic edge to that launch and none of
/// another kind, and if all other launches that it is ordered after have surely
/// ended when it starts. All other edges are met by stream order, which is
/// stronger than any of them.
std::vector<bool> chooseProgrammaticLaunches(const artifact::Plan &plan);

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_PROGRAMMATICEDGES_H
