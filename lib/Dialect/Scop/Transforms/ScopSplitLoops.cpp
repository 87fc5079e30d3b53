//===- ScopSplitLoops.cpp - Two loops of one that accesses divide ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "StripMine.h"
#include "grout/Dialect/Scop/IR/IndexSum.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "scop-split-loops"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPSPLITLOOPS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout::scop;

namespace {

/// A division, or remainder, of an iterator by a divisor of its extent.
struct Division {
  unsigned iterator;
  int64_t divisor;
};

} // namespace

/// The division in the accesses of `op` with the smallest divisor.
static std::optional<Division> findDivision(StmtOp op) {
  std::optional<Division> best;
  auto visit = [&](AffineExpr expr) {
    if (expr.getKind() != AffineExprKind::FloorDiv &&
        expr.getKind() != AffineExprKind::Mod)
      return;
    auto binary = cast<AffineBinaryOpExpr>(expr);
    auto iterator = dyn_cast<AffineDimExpr>(binary.getLHS());
    if (!iterator)
      return;
    int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    int64_t extent = op.getExtents()[iterator.getPosition()];
    if (divisor < extent && extent % divisor == 0 &&
        (!best || divisor < best->divisor))
      best = {iterator.getPosition(), divisor};
  };
  for (ArrayAttr maps : {op.getReadMaps(), op.getWriteMaps()})
    for (AffineMap map : maps.getAsValueRange<AffineMapAttr>())
      map.walkExprs(visit);
  return best;
}

static ArrayAttr simplifyMaps(ArrayAttr maps, ArrayRef<int64_t> extents) {
  auto simplify = [&](AffineExpr index) {
    index = simplifyAffineExpr(index, extents.size(), /*numSymbols=*/0);
    return IndexSum(index, extents).getExpr();
  };
  SmallVector<AffineMap> simplified;
  for (AffineMap map : maps.getAsValueRange<AffineMapAttr>())
    simplified.push_back(AffineMap::get(
        map.getNumDims(), 0, llvm::map_to_vector(map.getResults(), simplify),
        maps.getContext()));
  return Builder(maps.getContext()).getAffineMapArrayAttr(simplified);
}

namespace {

struct ScopSplitLoops : grout::scop::impl::ScopSplitLoopsBase<ScopSplitLoops> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.getSchedule() || kernel.getTree())
        return;
      for (StmtOp op : kernel.getStatements())
        while (std::optional<Division> division = findDivision(op)) {
          int64_t extent = op.getExtents()[division->iterator];
          LDBG() << op.getSymName() << ": loop " << division->iterator << " of "
                 << extent << " becomes two, the inner one of "
                 << division->divisor << ", by which an access divides";
          ++numSplit;
          stripMine(op, division->iterator, extent / division->divisor);
          op.setReadMapsAttr(simplifyMaps(op.getReadMaps(), op.getExtents()));
          op.setWriteMapsAttr(simplifyMaps(op.getWriteMaps(), op.getExtents()));
        }
    });
  }
};

} // namespace
