//===- Hopper.h - GPUs with wgmma -------------------------------*- C++ -*-===//
//
// Part of Grout. Processors of one architecture have the same kernels, and
// differ in a table.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PROCESSORS_ARCHITECTURES_HOPPER_H
#define GROUT_PROCESSORS_ARCHITECTURES_HOPPER_H

#include "grout/Hopper/Attention/AttentionModel.h"
#include "grout/Hopper/Gemm/ProductModel.h"
#include "grout/Target/Target.h"

namespace grout {

/// The table of a Hopper GPU.
struct HopperProcessor {
  TargetSpec spec;
  hopper::ModelConstants products;
  hopper::AttentionConstants attention;

  /// Returns the table that the file of a processor starts from: the limits of
  /// the architecture; and the SMs, the cache, the rates and the fitted
  /// constants that H100 and H200 share. The file adds the name and the memory
  /// rates, and replaces numbers that differ.
  static HopperProcessor getDefault();
};

/// Creates a target that has all kernels of Grout.
std::unique_ptr<Target> createHopperTarget(const HopperProcessor &processor);

} // namespace grout

#endif // GROUT_PROCESSORS_ARCHITECTURES_HOPPER_H
