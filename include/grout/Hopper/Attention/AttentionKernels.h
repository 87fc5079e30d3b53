//===- AttentionKernels.h - Attention for Hopper ----------------*- C++ -*-===//
//
// Part of Grout. See docs/HopperAttention.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_ATTENTION_ATTENTIONKERNELS_H
#define GROUT_HOPPER_ATTENTION_ATTENTIONKERNELS_H

#include "grout/Conversion/Common/LaunchGenerator.h"
#include "grout/Hopper/Attention/AttentionModel.h"

namespace grout::hopper {

/// Gives `target` the model of attention with `constants`, and adds the
/// generator of kernels of attention to `launches`.
void addAttentionKernels(Target &target, LaunchGenerators &launches,
                         const AttentionConstants &constants);

} // namespace grout::hopper

#endif // GROUT_HOPPER_ATTENTION_ATTENTIONKERNELS_H
