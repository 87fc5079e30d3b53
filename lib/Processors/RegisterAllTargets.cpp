//===- RegisterAllTargets.cpp - The targets of Grout ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Processors.h"
#include "grout/InitAllTargets.h"

#include <mutex>

using namespace grout;

void grout::registerAllTargets() {
  static std::once_flag isDone;
  std::call_once(isDone, [] {
#define GROUT_PROCESSOR(name) registerTarget(processors::create##name());
#include "Processors.def"
  });
}
