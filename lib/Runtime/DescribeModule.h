//===- DescribeModule.h - Describes an artifact for people ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_DESCRIBEMODULE_H
#define GROUT_LIB_RUNTIME_DESCRIBEMODULE_H

#include "LoadedModule.h"

#include <ostream>

namespace grout {
namespace runtime {

/// See grout_module_describe.
void describeModule(const LoadedModule &module, std::ostream &out);

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_DESCRIBEMODULE_H
