//===- Precision.cpp - How exact a plan's results can be ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Precision.h"

#include "ArtifactTypes.h"

using namespace grout;
using namespace grout::artifact;

ElementType runtime::findPrecision(const Artifact &artifact, const Plan &plan) {
  ElementType coarsest = ElementType::F64;
  auto include = [&](ElementType type) {
    // Integers round nothing.
    if (!isInteger(type) && fractionBits(type) < fractionBits(coarsest))
      coarsest = type;
  };
  // If a kernel rounds between two operations, no buffer shows it. And buffers
  // that hold the pieces of a number do not round it. So if there is a
  // reference, use the type that it states.
  const Plan *reference = artifact.reference();
  if (reference)
    include(reference->rounded_to());
  for (const Buffer *buffer : *plan.buffers())
    if (buffer->kind() == BufferKind::Output ||
        (!reference && (buffer->kind() == BufferKind::Intermediate ||
                        buffer->kind() == BufferKind::InOutput)))
      include(buffer->tensor()->element_type());
  return coarsest;
}
