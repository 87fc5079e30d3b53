//===- Targets.h - Processors that image.smooth is compiled for -*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_TARGETS_H
#define IMAGE_TARGETS_H

#include "grout/Target/Target.h"

namespace image {

/// Creates a Hopper GPU with a third of an H200's SMs, and less shared memory.
std::unique_ptr<grout::Target> createSmallHopper();

/// Registers image-cpu and image-h200, which are Grout's cpu and h200 with
/// kernels of image.smooth, and the small Hopper GPU. Those of Grout have to be
/// registered.
void registerTargets();

} // namespace image

#endif // IMAGE_TARGETS_H
