//===- TilingOrigin.cpp - Where a tiling is from --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/TilingOrigin.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

static constexpr StringLiteral kOriginAttrName = "grout.tiling_origin";

/// The kinds' names, in their order.
static constexpr StringLiteral kNames[] = {
    "given", "modelled", "modelled_together", "measured_product",
    "measured_chain"};

void tgemm::setTilingOrigin(ProductOpInterface op, const TilingOrigin &origin) {
  Builder builder(op.getContext());
  SmallVector<NamedAttribute> fields = {
      builder.getNamedAttr("kind", builder.getStringAttr(kNames[origin.kind]))};
  if (!origin.place.empty()) {
    fields.push_back(builder.getNamedAttr(
        "us", builder.getF64FloatAttr(origin.microseconds)));
    fields.push_back(
        builder.getNamedAttr("place", builder.getStringAttr(origin.place)));
  }
  op->setAttr(kOriginAttrName, builder.getDictionaryAttr(fields));
}

std::optional<TilingOrigin> tgemm::getTilingOrigin(ProductOpInterface op) {
  auto fields = op->getAttrOfType<DictionaryAttr>(kOriginAttrName);
  if (!fields)
    return {};
  auto name = fields.getAs<StringAttr>("kind");
  const auto *kind =
      name ? llvm::find(kNames, name.getValue()) : std::end(kNames);
  if (kind == std::end(kNames))
    return {};
  TilingOrigin origin = {
      static_cast<TilingOrigin::Kind>(kind - std::begin(kNames)), 0, ""};
  if (auto us = fields.getAs<FloatAttr>("us"))
    origin.microseconds = us.getValueAsDouble();
  if (auto place = fields.getAs<StringAttr>("place"))
    origin.place = place.str();
  return origin;
}
