//===- StripMine.cpp - Strip-mining ---------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "StripMine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace grout::scop;

/// Replaces the iterator's values in the region.
static void rewriteIndices(StmtOp op, unsigned iterator, int64_t inner) {
  SmallVector<IndexOp> indices;
  op.getBody().walk([&](IndexOp index) { indices.push_back(index); });
  for (IndexOp index : indices) {
    if (index.getIterator() > iterator)
      index.setIterator(index.getIterator() + 1);
    else if (index.getIterator() == iterator) {
      OpBuilder builder(index);
      Location loc = index.getLoc();
      Value outer = IndexOp::create(builder, loc, iterator);
      Value start = arith::MulIOp::create(
          builder, loc, outer,
          arith::ConstantIndexOp::create(builder, loc, inner));
      Value sum = arith::AddIOp::create(
          builder, loc, start, IndexOp::create(builder, loc, iterator + 1));
      index.replaceAllUsesWith(sum);
      index.erase();
    }
  }
}

bool grout::scop::stripMine(StmtOp op, unsigned iterator, int64_t factor) {
  if (op.getExtents()[iterator] == factor)
    return false;
  MLIRContext *context = op.getContext();
  SmallVector<int64_t> extents(op.getExtents());
  int64_t inner = extents[iterator] / factor;
  rewriteIndices(op, iterator, inner);
  SmallVector<AffineExpr> iterators;
  for (unsigned i = 0; i != op.getNumIterators(); ++i) {
    AffineExpr expr = getAffineDimExpr(i + (i > iterator), context);
    if (i == iterator)
      expr = expr * inner + getAffineDimExpr(i + 1, context);
    iterators.push_back(expr);
  }
  auto getMaps = [&](ArrayAttr maps) {
    return Builder(context).getAffineMapArrayAttr(
        llvm::map_to_vector(maps.getAsRange<AffineMapAttr>(), [&](auto map) {
          return map.getValue().replaceDimsAndSymbols(
              iterators, {}, op.getNumIterators() + 1, 0);
        }));
  };
  op.setReadMapsAttr(getMaps(op.getReadMaps()));
  op.setWriteMapsAttr(getMaps(op.getWriteMaps()));
  SmallVector<int64_t> reductions;
  for (int64_t reduction : op.getReductions()) {
    reductions.push_back(reduction + (reduction > iterator));
    if (reduction == iterator)
      reductions.push_back(reduction + 1);
  }
  op.setReductions(reductions);
  extents[iterator] = factor;
  extents.insert(extents.begin() + iterator + 1, inner);
  op.setExtents(extents);
  return true;
}
