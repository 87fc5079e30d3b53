//===- LaunchWait.cpp - How launches wait in each mode --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/LaunchWait.h"

#include "grout/Dialect/TSync/IR/TSync.h"

using namespace mlir;
using namespace grout::tsync;

static constexpr Mode kModes[] = {Mode::serial, Mode::pdl, Mode::overlap,
                                  Mode::persistent};

ArrayRef<Mode> grout::tsync::getModes() { return kModes; }

ArrayRef<Mode> grout::tsync::getEdgeModes() {
  return getModes().take_until(isOneLaunch);
}

LaunchWait grout::tsync::getLaunchWait(Mode mode) {
  switch (mode) {
  case Mode::serial:
    return LaunchWait::BeforeStart;
  case Mode::pdl:
    return LaunchWait::BeforeUse;
  case Mode::overlap:
    return LaunchWait::BeforeEnd;
  case Mode::persistent:
    return LaunchWait::Never;
  }
  llvm_unreachable("unknown mode");
}
