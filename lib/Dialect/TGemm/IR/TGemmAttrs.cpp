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
                                 int64_t clusterN, int64_t splitK,
                                 int64_t streamK, int64_t tail, bool swapAb) {
  if (m <= 0 || n <= 0 || k <= 0)
    return emitError() << "tile sizes must be positive, got m = " << m
                       << ", n = " << n << ", k = " << k;
  if (stages <= 0)
    return emitError() << "a tiling needs at least one stage, got " << stages;
  if (clusterM <= 0 || clusterN <= 0 || splitK <= 0)
    return emitError()
           << "a tiling needs positive shares of a cluster, got cluster_m = "
           << clusterM << ", cluster_n = " << clusterN
           << ", split_k = " << splitK;
  // With split-K, each block completes a part of the tile along B's dimension.
  auto checkShares = [&](int64_t extent, StringRef what, int64_t shares,
                         bool isB) -> LogicalResult {
    // The product of the two might overflow.
    if (extent % shares == 0 && (!isB || extent / shares % splitK == 0))
      return success();
    InFlightDiagnostic diag = emitError() << "cannot split " << extent << " "
                                          << what << " among " << shares;
    if (isB)
      diag << " times " << splitK;
    return diag << " blocks";
  };
  if (failed(checkShares(m, "rows", clusterM, swapAb)) ||
      failed(checkShares(n, "columns", clusterN, !swapAb)))
    return failure();
  if (streamK <= 0 || tail < 0)
    return emitError()
           << "a tiling needs a positive stream_k and a tail of at least 0, "
              "got stream_k = "
           << streamK << ", tail = " << tail;
  if ((streamK == 1) != (tail == 0))
    return emitError()
           << "a tiling needs stream_k above 1 and a tail together, got "
              "stream_k = "
           << streamK << ", tail = " << tail;
  if (streamK != 1 && splitK != 1)
    return emitError() << "cannot split the K loop both by split-K and by "
                          "stream-K, got split_k = "
                       << splitK << ", stream_k = " << streamK;
  return success();
}

TilingAttr TilingAttr::withParts(int64_t streamK, int64_t tail) const {
  return get(getContext(), getM(), getN(), getK(), getStages(), getClusterM(),
             getClusterN(), getSplitK(), streamK, tail, getSwapAb());
}

TilingAttr TilingAttr::withStages(int64_t stages) const {
  return get(getContext(), getM(), getN(), getK(), stages, getClusterM(),
             getClusterN(), getSplitK(), getStreamK(), getTail(), getSwapAb());
}
