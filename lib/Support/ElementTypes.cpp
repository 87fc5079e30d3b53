//===- ElementTypes.cpp - Element types of tensors ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/ElementTypes.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace grout;

std::optional<int8_t> grout::findElementType(Type type) {
  if (!type.isIntOrFloat())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<int8_t>>(debugString(type))
#define GROUT_ELEMENT_TYPE(Name, value, text, bytes, fractionBits)             \
  .Case(text, value)
#include "grout/Runtime/ElementTypes.def"
      .Default(std::nullopt);
}

bool grout::isHalf(Type type) { return type.isF16() || type.isBF16(); }

bool grout::isHalfOrSingle(Type type) { return isHalf(type) || type.isF32(); }
