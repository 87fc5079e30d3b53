//===- LaunchWait.cpp - What a mode means ---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/LaunchWait.h"

#include "grout/Dialect/TSync/IR/TSync.h"

using namespace grout::tsync;

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
