//===- Precision.cpp - How exact a plan's results can be ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Precision.h"

using namespace grout;
using namespace grout::artifact;

/// Greater for fewer bits of fraction; 0 for doubles, and for integers, which
/// round nothing.
static int getCoarseness(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return 3;
  case ElementType::F16:
    return 2;
  case ElementType::F32:
    return 1;
  default:
    return 0;
  }
}

ElementType runtime::findPrecision(const Artifact &artifact, const Plan &plan) {
  ElementType coarsest = ElementType::F64;
  auto include = [&](ElementType type) {
    if (getCoarseness(type) > getCoarseness(coarsest))
      coarsest = type;
  };
  // What is rounded within a kernel is in no buffer, and pieces of a number are
  // no roundings of it: the reference knows.
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
