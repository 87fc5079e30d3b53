//===- ElementTypes.cpp - Element types of tensors ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace grout;

std::optional<int8_t> grout::findElementType(Type type) {
  if (!type.isIntOrFloat())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<int8_t>>(debugString(type))
#define GROUT_ELEMENT_TYPE(Name, value, text, bytes, fractionBits, tensorMap)  \
  .Case(text, value)
#include "grout/Runtime/ElementTypes.def"
      .Default(std::nullopt);
}

bool grout::isNarrowFloat(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  return floating && floating.getWidth() < 32 && findElementType(type);
}

bool grout::isGemmFloat(Type type) {
  return type.isF32() || isNarrowFloat(type);
}

namespace {
struct ElementTypeRow {
  StringLiteral name;
  int64_t bytes;
  int fractionBits;
};
} // namespace

static constexpr ElementTypeRow kRows[] = {
#define GROUT_ELEMENT_TYPE(Name, value, text, bytes, fractionBits, tensorMap)  \
  {text, bytes, fractionBits},
#include "grout/Runtime/ElementTypes.def"
};

SmallVector<StringRef> grout::getFloatNames(int64_t maxBytes) {
  SmallVector<StringRef> names;
  for (const ElementTypeRow &row : kRows)
    if (row.fractionBits != 0 && row.bytes <= maxBytes)
      names.push_back(row.name);
  return names;
}

SmallVector<StringRef> grout::getElementTypeNames() {
  return llvm::map_to_vector(
      kRows, [](const ElementTypeRow &row) { return StringRef(row.name); });
}

std::string grout::joinNames(ArrayRef<StringRef> names, StringRef conjunction) {
  std::string last = names.back().str();
  if (names.size() == 1)
    return last;
  return llvm::join(names.drop_back(), ", ") + " " + conjunction.str() + " " +
         last;
}
