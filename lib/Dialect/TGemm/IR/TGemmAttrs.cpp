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
                                 int64_t stages, int64_t clusterM,
                                 int64_t clusterN, int64_t splitK) {
  if (m <= 0 || n <= 0 || k <= 0)
    return emitError() << "tile sizes must be positive, got m = " << m
                       << ", n = " << n << ", k = " << k;
  if (stages <= 0)
    return emitError() << "needs at least one stage, got " << stages;
  if (clusterM <= 0 || clusterN <= 0 || splitK <= 0)
    return emitError() << "needs positive shares of a cluster, got cluster_m = "
                       << clusterM << ", cluster_n = " << clusterN
                       << ", split_k = " << splitK;
  if (m % clusterM != 0)
    return emitError() << "cannot share out " << m << " rows to " << clusterM
                       << " blocks";
  // The product of the two might overflow.
  if (n % clusterN != 0 || n / clusterN % splitK != 0)
    return emitError() << "cannot share out " << n << " columns to " << clusterN
                       << " times " << splitK << " blocks";
  return success();
}
