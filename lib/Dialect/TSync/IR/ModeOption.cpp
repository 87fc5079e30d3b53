//===- ModeOption.cpp - Modes as options of passes and tools --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/ModeOption.h"

using namespace grout::tsync;

/// Returns `mode` as a value of an option of type ModeOption; `what` describes
/// it.
static llvm::cl::OptionEnumValue getValue(Mode mode, llvm::StringRef what) {
  return {stringifyMode(mode), static_cast<int>(mode), what};
}

llvm::cl::ValuesClass grout::tsync::getModeValues() {
  return llvm::cl::values(
      getValue(Mode::serial, "one kernel after another"),
      getValue(Mode::pdl, "the same by programmatic dependent launch, so that "
                          "each loads ahead what it can (GPU)"),
      getValue(Mode::overlap,
               "launched like that, but tiles wait for tiles (GPU)"),
      getValue(Mode::persistent,
               "one kernel for all, whose tiles wait for tiles"),
      clEnumValN(ModeOption::Auto, "auto",
                 "persistent, or for each kernel one of the others, whichever "
                 "a model of the target prefers"));
}

std::optional<Mode> grout::tsync::symbolizeEdgeMode(llvm::StringRef name) {
  std::optional<Mode> mode = symbolizeMode(name);
  return mode && isOneLaunch(*mode) ? std::nullopt : mode;
}

std::string grout::tsync::getEdgeModeNames() {
  llvm::ArrayRef<Mode> modes = getEdgeModes();
  std::string names;
  llvm::raw_string_ostream os(names);
  llvm::interleaveComma(modes.drop_back(), os);
  os << " or " << modes.back();
  return names;
}

bool llvm::cl::parser<Mode>::parse(Option &option, StringRef, StringRef value,
                                   Mode &mode) {
  std::optional<Mode> parsed = symbolizeEdgeMode(value);
  if (!parsed)
    return option.error("'" + value +
                        "' is not the mode of a dependence, which is " +
                        getEdgeModeNames());
  mode = *parsed;
  return false;
}

void llvm::cl::parser<Mode>::anchor() {}
