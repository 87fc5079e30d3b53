//===- Targets.h - Processors that image.smooth is compiled for -*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_TARGETS_H
#define IMAGE_TARGETS_H

namespace image {

/// Registers image-cpu and image-h200, which are Grout's cpu and h200 with
/// kernels of image.smooth. Those of Grout have to be registered.
void registerTargets();

} // namespace image

#endif // IMAGE_TARGETS_H
