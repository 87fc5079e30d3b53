//===- TGemmAttrs.cpp - Attributes of the tgemm dialect -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace grout::tgemm;

#define GET_ATTRDEF_CLASSES
#include "grout/Dialect/TGemm/IR/TGemmAttrs.cpp.inc"

void TGemmDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "grout/Dialect/TGemm/IR/TGemmAttrs.cpp.inc"
      >();
}

LogicalResult TilingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t m, int64_t n, int64_t k,
                                 int64_t stages) {
  if (m <= 0 || n <= 0 || k <= 0)
    return emitError() << "tile sizes must be positive, got m = " << m
                       << ", n = " << n << ", k = " << k;
  if (stages <= 0)
    return emitError() << "needs at least one stage, got " << stages;
  return success();
}
