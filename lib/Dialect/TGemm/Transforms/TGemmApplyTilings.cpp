//===- TGemmApplyTilings.cpp - Gives products the tilings of a list -------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tgemm-apply-tilings"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMAPPLYTILINGS
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

static constexpr llvm::StringLiteral kTilingsAttrName =
    TGemmDialect::kTilingsAttrName;

/// Gives `op` the tiling that the list has for it.
static LogicalResult applyTiling(ProductOpInterface op, TilingAttr tiling) {
  if (op.getTiling() && *op.getTiling() != tiling)
    return op.emitOpError()
           << "has a tiling, and another one in " << kTilingsAttrName;
  LDBG() << op->getLoc() << " gets " << tiling << ", from the list";
  op.setTilingAttr(tiling);
  return success();
}

namespace {

struct TGemmApplyTilings
    : grout::tgemm::impl::TGemmApplyTilingsBase<TGemmApplyTilings> {
  using Base::Base;

  void runOnOperation() override {
    if (Attribute list = getOperation()->removeAttr(kTilingsAttrName))
      if (failed(apply(getOperation(), cast<ArrayAttr>(list))))
        signalPassFailure();
  }

private:
  static LogicalResult apply(ModuleOp module, ArrayAttr list) {
    SmallVector<ProductOpInterface> products;
    module.walk([&](ProductOpInterface op) { products.push_back(op); });
    if (list.size() != products.size())
      return emitError(module.getLoc())
             << kTilingsAttrName << " has " << list.size()
             << " tilings, but the module has " << products.size()
             << " products";
    for (auto [op, tiling] : llvm::zip_equal(products, list))
      if (failed(applyTiling(op, cast<TilingAttr>(tiling))))
        return failure();
    return success();
  }
};

} // namespace
