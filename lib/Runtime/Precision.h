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

/// Returns the coarsest floating-point type that a plan rounds to, or F64 if it
/// does not round. See grout_module_precision.
artifact::ElementType findPrecision(const artifact::Artifact &artifact,
                                    const artifact::Plan &plan);

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_PRECISION_H
