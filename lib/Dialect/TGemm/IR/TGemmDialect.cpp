//===- TGemmDialect.cpp - The tgemm dialect -------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"

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

LogicalResult TGemmDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() != kTilingAttrName)
    return op->emitError() << "the tgemm dialect has no attribute "
                           << attribute.getName();
  if (!isa<TilingAttr>(attribute.getValue()))
    return op->emitError() << attribute.getName()
                           << " must be a #tgemm.tiling, got "
                           << attribute.getValue();
  return success();
}

#include "grout/Dialect/TGemm/IR/TGemmDialect.cpp.inc"
