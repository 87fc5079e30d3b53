//===- Precision.h - How exact a plan's results can be ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_PRECISION_H
#define GROUT_LIB_RUNTIME_PRECISION_H

#include "ArtifactTypes.h"

namespace grout {
namespace runtime {

/// The coarsest floating-point type that a plan rounds to, F64 if it rounds to
/// none. See grout_module_precision.
artifact::ElementType findPrecision(const artifact::Artifact &artifact,
                                    const artifact::Plan &plan);

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_PRECISION_H
