//===- ModeOption.h - Modes as options of passes and tools ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_IR_MODEOPTION_H
#define GROUT_DIALECT_TSYNC_IR_MODEOPTION_H

#include "grout/Dialect/TSync/IR/TSync.h"
#include "llvm/Support/CommandLine.h"

namespace grout::tsync {

/// A mode option of a user: a mode, by its number, or `auto`, which lets the
/// compiler choose.
enum class ModeOption : unsigned { Auto = ~0u };

/// Returns the option that names `mode`.
constexpr ModeOption getModeOption(Mode mode) {
  return static_cast<ModeOption>(mode);
}

/// Returns the mode that `option` names; none for `auto`.
constexpr std::optional<Mode> getMode(ModeOption option) {
  if (option == ModeOption::Auto)
    return std::nullopt;
  return static_cast<Mode>(option);
}

/// Returns the values of an option of type ModeOption.
llvm::cl::ValuesClass getModeValues();

/// Returns the mode called `name` if a dependence may have it; otherwise none.
std::optional<Mode> symbolizeEdgeMode(llvm::StringRef name);

/// Returns the names of the modes of dependences, for messages.
std::string getEdgeModeNames();

} // namespace grout::tsync

/// Parses an option that is the mode of a dependence. The mode of a chain is a
/// ModeOption.
template <>
class llvm::cl::parser<grout::tsync::Mode>
    : public llvm::cl::basic_parser<grout::tsync::Mode> {
public:
  using basic_parser::basic_parser;

  /// Returns whether parsing fails, as all parsers of LLVM do.
  bool parse(Option &option, StringRef name, StringRef value,
             grout::tsync::Mode &mode);
  StringRef getValueName() const override { return "mode"; }
  void anchor() override;
};

#endif // GROUT_DIALECT_TSYNC_IR_MODEOPTION_H
