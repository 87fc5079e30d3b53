//===- BFloatsAsIntegers.cpp - bf16 as 16-bit integers --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"

namespace grout {
#define GEN_PASS_DEF_BFLOATSASINTEGERS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

namespace {

struct BFloatsAsIntegers
    : grout::impl::BFloatsAsIntegersBase<BFloatsAsIntegers> {
  void runOnOperation() override {
    Type integer = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](BFloat16Type) { return integer; });
    replacer.addReplacement([&](FloatAttr value) -> std::optional<Attribute> {
      if (!value.getType().isBF16())
        return std::nullopt;
      return IntegerAttr::get(integer, value.getValue().bitcastToAPInt());
    });
    replacer.addReplacement(
        [&](DenseElementsAttr values) -> std::optional<Attribute> {
          if (!values.getElementType().isBF16())
            return std::nullopt;
          return values.bitcast(integer);
        });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }
};

} // namespace
