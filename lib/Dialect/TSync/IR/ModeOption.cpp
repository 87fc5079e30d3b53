//===- ModeOption.cpp - Modes as options of passes and tools --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/ModeOption.h"

using namespace grout::tsync;

std::optional<Mode> grout::tsync::getMode(ModeOption option) {
  switch (option) {
  case ModeOption::Serial:
    return Mode::serial;
  case ModeOption::PDL:
    return Mode::pdl;
  case ModeOption::Overlap:
    return Mode::overlap;
  case ModeOption::Persistent:
    return Mode::persistent;
  case ModeOption::Auto:
    return std::nullopt;
  }
  llvm_unreachable("unknown option");
}

ModeOption grout::tsync::getModeOption(Mode mode) {
  switch (mode) {
  case Mode::serial:
    return ModeOption::Serial;
  case Mode::pdl:
    return ModeOption::PDL;
  case Mode::overlap:
    return ModeOption::Overlap;
  case Mode::persistent:
    return ModeOption::Persistent;
  }
  llvm_unreachable("unknown mode");
}

llvm::cl::ValuesClass grout::tsync::getModeValues() {
  return llvm::cl::values(
      clEnumValN(ModeOption::Serial, "serial", "one kernel after another"),
      clEnumValN(ModeOption::PDL, "pdl",
                 "the same by programmatic dependent launch, so that each "
                 "loads ahead what it can (GPU)"),
      clEnumValN(ModeOption::Overlap, "overlap",
                 "launched like that, but tiles wait for tiles (GPU)"),
      clEnumValN(ModeOption::Persistent, "persistent",
                 "one kernel for all, whose tiles wait for tiles"),
      clEnumValN(ModeOption::Auto, "auto",
                 "persistent, or for each kernel one of the others, whichever "
                 "a model of the target prefers"));
}

llvm::cl::ValuesClass grout::tsync::getEdgeModeValues() {
  return llvm::cl::values(
      clEnumValN(Mode::serial, "serial", "for the end of all kernels before"),
      clEnumValN(Mode::pdl, "pdl", "the same, but what it can is loaded ahead"),
      clEnumValN(Mode::overlap, "overlap", "tile by tile"));
}
