//===- HopperProcessor.h - A processor with wgmma ---------------*- C++ -*-===//
//
// Part of Grout. Processors of one architecture have the same kernels, and
// differ in a table.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TARGET_PROCESSORS_HOPPERPROCESSOR_H
#define GROUT_LIB_TARGET_PROCESSORS_HOPPERPROCESSOR_H

#include "grout/Target/Hopper/AttentionModel.h"
#include "grout/Target/Hopper/ProductModel.h"
#include "grout/Target/Target.h"

namespace grout {

/// The table of a processor.
struct HopperProcessor {
  TargetSpec spec;
  hopper::ModelConstants products;
  hopper::AttentionConstants attention;
};

/// That of an H200, which those of other processors differ from in a few rows.
HopperProcessor getH200();

std::unique_ptr<Target> createHopperTarget(const HopperProcessor &processor);

} // namespace grout

#endif // GROUT_LIB_TARGET_PROCESSORS_HOPPERPROCESSOR_H
