//===- Processors.h - The targets of Grout ----------------------*- C++ -*-===//
//
// Part of Grout. Each processor is a file in this folder, and has no other
// place: CMake writes the names of the files to Processors.def. For example,
// H200.cpp defines createH200.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_PROCESSORS_PROCESSORS_H
#define GROUT_LIB_PROCESSORS_PROCESSORS_H

#include "grout/Target/Target.h"

namespace grout::processors {

#define GROUT_PROCESSOR(name) std::unique_ptr<Target> create##name();
#include "Processors.def"

} // namespace grout::processors

#endif // GROUT_LIB_PROCESSORS_PROCESSORS_H
