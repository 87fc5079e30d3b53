//===- FittedConstants.cpp - What was fitted to a processor ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/FittedConstants.h"

#include <cmath>

using namespace grout;

/// The constant in `text`, which is its name and value.
static llvm::Expected<NamedConstant> parse(llvm::StringRef text) {
  auto [name, value] = text.split('=');
  double number = 0;
  if (value.getAsDouble(number) || !std::isfinite(number) || number < 0)
    return llvm::createStringError("a constant is NAME=VALUE, with a number "
                                   "from 0 on, not '" +
                                   text + "'");
  return NamedConstant(name, number);
}

llvm::Error grout::replaceConstants(llvm::StringRef name,
                                    llvm::ArrayRef<std::string> values) {
  const Target *target = lookupTarget(name);
  const auto *fitted =
      target ? target->getInterface<FittedConstants>() : nullptr;
  if (!fitted)
    return llvm::createStringError("target '" + name +
                                   "' has no fitted constants");
  llvm::SmallVector<NamedConstant> constants;
  for (llvm::StringRef text : values) {
    llvm::Expected<NamedConstant> constant = parse(text);
    if (!constant)
      return constant.takeError();
    constants.push_back(*constant);
  }
  llvm::Expected<std::unique_ptr<Target>> changed = fitted->replace(constants);
  if (!changed)
    return changed.takeError();
  registerTarget(std::move(*changed));
  return llvm::Error::success();
}
