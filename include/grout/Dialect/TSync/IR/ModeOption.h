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

/// What a user may ask for: a mode, by its number, or a choice of one.
enum class ModeOption : unsigned { Auto = ~0u };

/// The option that names `mode`.
constexpr ModeOption getModeOption(Mode mode) {
  return static_cast<ModeOption>(mode);
}

/// The mode that `option` names; none for `auto`.
constexpr std::optional<Mode> getMode(ModeOption option) {
  if (option == ModeOption::Auto)
    return std::nullopt;
  return static_cast<Mode>(option);
}

/// What an option of type ModeOption may be.
llvm::cl::ValuesClass getModeValues();

/// The mode of a dependence that `name` is; none if it is no such.
std::optional<Mode> symbolizeEdgeMode(llvm::StringRef name);

/// The names of these modes, for people.
std::string getEdgeModeNames();

} // namespace grout::tsync

/// A mode as an option is that of a dependence; that of a chain is a
/// ModeOption.
template <>
class llvm::cl::parser<grout::tsync::Mode>
    : public llvm::cl::basic_parser<grout::tsync::Mode> {
public:
  using basic_parser::basic_parser;

  /// As all parsers, returns whether that fails.
  bool parse(Option &option, StringRef name, StringRef value,
             grout::tsync::Mode &mode);
  StringRef getValueName() const override { return "mode"; }
  void anchor() override;
};

#endif // GROUT_DIALECT_TSYNC_IR_MODEOPTION_H
