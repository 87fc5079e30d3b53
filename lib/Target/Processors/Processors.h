//===- Processors.h - The targets of Grout ----------------------*- C++ -*-===//
//
// Part of Grout. Each is made by a file of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TARGET_PROCESSORS_PROCESSORS_H
#define GROUT_LIB_TARGET_PROCESSORS_PROCESSORS_H

#include "grout/Target/Target.h"

namespace grout {

std::unique_ptr<Target> createA100();
std::unique_ptr<Target> createCPU();
std::unique_ptr<Target> createH100();
std::unique_ptr<Target> createH200();

/// What was fitted to times of memory-bound kernels on an H200.
MemoryBoundConstants getMemoryBoundOfH200();

} // namespace grout

#endif // GROUT_LIB_TARGET_PROCESSORS_PROCESSORS_H
