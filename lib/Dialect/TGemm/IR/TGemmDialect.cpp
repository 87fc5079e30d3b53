//===- TGemmDialect.cpp - The tgemm dialect -------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "grout/Dialect/Collective/IR/Collective.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace grout::tgemm;

void TGemmDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "grout/Dialect/TGemm/IR/TGemmOps.cpp.inc"
      >();
}

/// Checks that `tilings` of `op` is a list of tilings for a module's products.
static LogicalResult verifyTilings(Operation *op, Attribute tilings) {
  auto list = dyn_cast<ArrayAttr>(tilings);
  if (!list || !llvm::all_of(list, llvm::IsaPred<TilingAttr>))
    return op->emitError() << TGemmDialect::kTilingsAttrName
                           << " must be a list of #tgemm.tiling, got "
                           << tilings;
  if (!isa<ModuleOp>(op))
    return op->emitError() << TGemmDialect::kTilingsAttrName
                           << " is an attribute of modules";
  return success();
}

LogicalResult TGemmDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() == kTilingsAttrName)
    return verifyTilings(op, attribute.getValue());
  if (attribute.getName() != kTilingAttrName)
    return op->emitError() << "the tgemm dialect has no attribute "
                           << attribute.getName();
  if (!isa<TilingAttr>(attribute.getValue()))
    return op->emitError() << attribute.getName()
                           << " must be a #tgemm.tiling, got "
                           << attribute.getValue();
  return success();
}

#include "grout/Dialect/TGemm/IR/ProductOpInterface.cpp.inc"

#include "grout/Dialect/TGemm/IR/TGemmDialect.cpp.inc"
