//===- MmaTraits.cpp - What matrix instructions multiply ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/MmaTraits.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

namespace {
/// A type of elements that `wgmma` multiplies.
struct MmaType {
  bool (*isSame)(Type type);
  StringLiteral name;
  MmaTraits traits;
};
} // namespace

template <typename T> static bool isType(Type type) { return isa<T>(type); }

static constexpr MmaType kMmaTypes[] = {
    {isType<Float16Type>, "f16", {"f16", 2, kMmaDepth, /*takesMNMajor=*/true}},
    {isType<BFloat16Type>,
     "bf16",
     {"bf16", 2, kMmaDepth, /*takesMNMajor=*/true}},
};

std::optional<MmaTraits> hopper::findMmaTraits(Type type) {
  for (const MmaType &row : kMmaTypes)
    if (row.isSame(type))
      return row.traits;
  return std::nullopt;
}

SmallVector<StringRef> hopper::getMmaTypeNames() {
  return llvm::map_to_vector(
      kMmaTypes, [](const MmaType &row) { return StringRef(row.name); });
}
