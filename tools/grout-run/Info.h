//===- Info.h - What an artifact holds, for people --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_INFO_H
#define GROUT_TOOLS_GROUT_RUN_INFO_H

#include "LoadedModule.h"

#include <ostream>

namespace grout {
namespace run {

void printInfo(const runtime::LoadedModule &module, std::ostream &out);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_INFO_H
