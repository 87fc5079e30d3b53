//===- Tolerance.cpp - How exact a plan can be ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Tolerance.h"

#include <algorithm>

using namespace grout;
using namespace grout::run;
using artifact::ElementType;

/// What a few roundings in a row stay below. In the Frobenius norm a rounding
/// to bf16 costs 1.5e-3, and one to f16 2e-4. The reference has the same ones,
/// but where a value is near the middle of two, they may differ, and a tensor
/// may have no more than that element. Kernels accumulate in f32 or wider,
/// whatever their tensors' types: that costs 5e-6 for sums of 65,536 products.
static double getTolerance(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return 1e-2;
  case ElementType::F16:
    return 1e-3;
  case ElementType::F32:
  case ElementType::F64:
    return 1e-5;
  default:
    return 0; // integers
  }
}

Tolerance run::chooseTolerance(const artifact::Artifact &artifact,
                               const artifact::Plan &plan, ElementType output) {
  if (runtime::isInteger(output))
    return {0, runtime::elementName(output)};
  // What is rounded within a kernel is in no buffer.
  ElementType coarsest = artifact.reference()
                             ? artifact.reference()->rounded_to()
                             : ElementType::F64;
  for (const artifact::Buffer *buffer : *plan.buffers()) {
    ElementType type = buffer->tensor()->element_type();
    if ((buffer->kind() == artifact::BufferKind::Intermediate ||
         buffer->kind() == artifact::BufferKind::Output) &&
        type != ElementType::F64 &&
        getTolerance(type) >= getTolerance(coarsest))
      coarsest = type;
  }
  Tolerance tolerance{getTolerance(coarsest), runtime::elementName(coarsest)};
  // A GPU's epilogues approximate functions such as tanh to 11 bits.
  double leastOnGpu = getTolerance(ElementType::F16);
  if (runtime::runsOnGpu(artifact, plan) && tolerance.value < leastOnGpu) {
    tolerance.value = leastOnGpu;
    tolerance.source += " on a GPU";
  }
  return tolerance;
}
