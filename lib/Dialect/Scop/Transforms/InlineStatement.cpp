//===- InlineStatement.cpp - A statement in its readers -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "InlineStatement.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout::scop;

std::optional<SmallVector<AffineExpr>>
grout::scop::getWritingIterators(StmtOp producer, AffineMap map) {
  AffineMap write = producer.getWriteMap(0);
  SmallVector<AffineExpr> iterators;
  for (auto [iterator, extent] : llvm::enumerate(producer.getExtents())) {
    auto result = llvm::find(write.getResults(),
                             getAffineDimExpr(iterator, producer.getContext()));
    if (result != write.getResults().end())
      iterators.push_back(map.getResult(result - write.getResults().begin()));
    else if (extent == 1)
      iterators.push_back(getAffineConstantExpr(0, producer.getContext()));
    else
      return std::nullopt;
  }
  return iterators;
}

/// Emits the value of `expr`, a function of the iterators of the statement
/// around `builder`.
static Value emitIterator(OpBuilder &builder, Location loc, AffineExpr expr,
                          unsigned numIterators) {
  SmallVector<Value> values(numIterators);
  for (unsigned i = 0; i != numIterators; ++i)
    if (expr.isFunctionOfDim(i))
      values[i] = IndexOp::create(builder, loc, i);
  return affine::expandAffineExpr(builder, loc, expr, values,
                                  /*symbolValues=*/{});
}

/// Copies `op` into the statement around `builder`. `iterators` are the
/// iterators of the statement of `op`, as functions of those of the statement
/// around `builder`.
static void cloneInto(OpBuilder &builder, Operation &op,
                      ArrayRef<AffineExpr> iterators, unsigned numIterators,
                      IRMapping &mapping) {
  if (auto index = dyn_cast<IndexOp>(op)) {
    mapping.map(index.getValue(),
                emitIterator(builder, op.getLoc(),
                             iterators[index.getIterator()], numIterators));
    return;
  }
  SmallVector<IndexOp> nested;
  builder.clone(op, mapping)->walk([&](IndexOp index) {
    nested.push_back(index);
  });
  for (IndexOp index : nested) {
    OpBuilder inside(index);
    index.replaceAllUsesWith(emitIterator(
        inside, index.getLoc(), iterators[index.getIterator()], numIterators));
    index.erase();
  }
}

/// Emits into the region of `reader` the value that `reader` reads at `map`,
/// and returns it.
static Value copyInto(StmtOp producer, StmtOp reader, AffineMap map) {
  auto iterators = getWritingIterators(producer, map);
  SmallVector<Attribute> maps(reader.getReadMaps().getValue());
  Block &body = reader.getBody().front();
  IRMapping mapping;
  for (auto [number, array] : llvm::enumerate(producer.getReads())) {
    maps.push_back(AffineMapAttr::get(
        simplifyAffineMap(producer.getReadMap(number).replaceDimsAndSymbols(
            *iterators, {}, reader.getNumIterators(), /*numResultSyms=*/0))));
    Value element = body.addArgument(
        cast<MemRefType>(array.getType()).getElementType(), producer.getLoc());
    mapping.map(producer.getBody().getArgument(number), element);
    reader.getReadsMutable().append(array);
  }
  reader.setReadMapsAttr(ArrayAttr::get(reader.getContext(), maps));
  auto builder = OpBuilder::atBlockBegin(&body);
  Block &source = producer.getBody().front();
  for (Operation &op : source.without_terminator())
    cloneInto(builder, op, *iterators, reader.getNumIterators(), mapping);
  return mapping.lookupOrDefault(source.getTerminator()->getOperand(0));
}

void grout::scop::inlineStatement(StmtOp producer, StmtOp reader) {
  Value array = producer.getWrites().front();
  // Each element is computed once, even if it is read several times.
  llvm::SmallDenseMap<AffineMap, Value> values;
  Block &body = reader.getBody().front();
  for (unsigned index = reader.getReads().size(); index-- > 0;) {
    if (reader.getReads()[index] != array)
      continue;
    AffineMap map = reader.getReadMap(index);
    if (!values.contains(map)) {
      Value value = copyInto(producer, reader, map);
      values[map] = value;
    }
    body.getArgument(index).replaceAllUsesWith(values[map]);
    body.eraseArgument(index);
    reader.getReadsMutable().erase(index);
    SmallVector<Attribute> maps(reader.getReadMaps().getValue());
    maps.erase(maps.begin() + index);
    reader.setReadMapsAttr(ArrayAttr::get(reader.getContext(), maps));
  }
}
