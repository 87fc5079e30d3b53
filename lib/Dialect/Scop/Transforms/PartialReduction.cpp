//===- PartialReduction.cpp - A reduction in two stages -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PartialReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

PartialReduction::PartialReduction(StmtOp op, unsigned outer)
    : kernel(op->getParentOfType<KernelOp>()), op(op), outer(outer) {
  for (auto [i, extent] : llvm::enumerate(op.getExtents()))
    if (i == outer || !llvm::is_contained(op.getReductions(), int64_t(i))) {
      iterators.push_back(i);
      extents.push_back(extent);
    }
}

AffineMap PartialReduction::getPartialMap() {
  return AffineMap::getMultiDimMapWithTargets(op.getNumIterators(), iterators,
                                              op.getContext());
}

AffineMap PartialReduction::getCombinedMap(AffineMap map) {
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> replacements(op.getNumIterators(),
                                       getAffineConstantExpr(0, context));
  for (auto [position, iterator] : llvm::enumerate(iterators))
    replacements[iterator] = getAffineDimExpr(position, context);
  return map.replaceDimsAndSymbols(replacements, {}, iterators.size(), 0);
}

StmtOp PartialReduction::createStatement(OpBuilder &builder, StringRef suffix,
                                         ArrayRef<Value> reads,
                                         ArrayRef<AffineMap> readMaps,
                                         ArrayRef<Value> writes,
                                         ArrayRef<AffineMap> writeMaps) {
  std::string name = (op.getSymName() + suffix).str();
  while (kernel.lookupStatement(name))
    name += "_";
  auto statement = StmtOp::create(
      builder, op.getLoc(), name, extents, reads,
      builder.getAffineMapArrayAttr(readMaps), writes,
      builder.getAffineMapArrayAttr(writeMaps), ArrayRef<int64_t>());
  Block &block = statement.getBody().emplaceBlock();
  for (Value array : reads)
    block.addArgument(cast<MemRefType>(array.getType()).getElementType(),
                      op.getLoc());
  return statement;
}

void PartialReduction::createPartials() {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (Value array : op.getWrites())
    partials.push_back(LocalOp::create(
        builder, op.getLoc(),
        MemRefType::get(extents,
                        cast<MemRefType>(array.getType()).getElementType())));
}

void PartialReduction::createStart() {
  OpBuilder builder(op);
  SmallVector<AffineMap> maps(partials.size(), builder.getMultiDimIdentityMap(
                                                   unsigned(extents.size())));
  StmtOp start = createStatement(builder, "_start", {}, {}, partials, maps);
  builder.setInsertionPointToEnd(&start.getBody().front());
  SmallVector<Value> values;
  for (unsigned write = 0, e = partials.size(); write != e; ++write)
    values.push_back(arith::ConstantOp::create(
        builder, op.getLoc(), getNeutralElement(op.getCombiner(write))));
  YieldOp::create(builder, op.getLoc(), values);
}

void PartialReduction::createCombination() {
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  AffineMap identity = builder.getMultiDimIdentityMap(extents.size());
  SmallVector<Value> reads, writes;
  SmallVector<AffineMap> readMaps, writeMaps;
  for (auto [index, array] : llvm::enumerate(op.getWrites())) {
    AffineMap map = getCombinedMap(op.getWriteMap(index));
    reads.append({array, partials[index]});
    readMaps.append({map, identity});
    writes.push_back(array);
    writeMaps.push_back(map);
  }
  combination =
      createStatement(builder, "_combine", reads, readMaps, writes, writeMaps);
  Block &block = combination.getBody().front();
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> values;
  for (unsigned write = 0, e = partials.size(); write != e; ++write) {
    Operation *combiner = op.getCombiner(write);
    Value element = op.getBody().getArgument(*op.getReadOfWrite(write));
    IRMapping mapping;
    for (Value operand : combiner->getOperands())
      mapping.map(operand, block.getArgument(2 * write + (operand != element)));
    values.push_back(builder.clone(*combiner, mapping)->getResult(0));
  }
  YieldOp::create(builder, op.getLoc(), values);
  combination.setReductions(
      int64_t(llvm::find(iterators, outer) - iterators.begin()));
}

void PartialReduction::combineIntoPartials() {
  SmallVector<Attribute> readMaps(op.getReadMaps().begin(),
                                  op.getReadMaps().end());
  auto map = AffineMapAttr::get(getPartialMap());
  for (auto [write, partial] : llvm::enumerate(partials)) {
    unsigned read = *op.getReadOfWrite(write);
    readMaps[read] = map;
    op.getReadsMutable()[read].assign(partial);
  }
  op.getWritesMutable().assign(partials);
  Builder builder(op.getContext());
  op.setReadMapsAttr(builder.getArrayAttr(readMaps));
  op.setWriteMapsAttr(
      builder.getArrayAttr(SmallVector<Attribute>(partials.size(), map)));
  SmallVector<int64_t> reductions(op.getReductions());
  llvm::erase(reductions, int64_t(outer));
  op.setReductions(reductions);
}

StmtOp PartialReduction::split() {
  createPartials();
  createStart();
  createCombination();
  combineIntoPartials();
  return combination;
}

int64_t PartialReduction::getPartSize() {
  return op.getNumInstances() / *getSize(extents);
}

Value PartialReduction::createPartMeans(const PartialReduction &sum) {
  Value sums = sum.partials.front();
  auto type = cast<MemRefType>(sums.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value means = LocalOp::create(builder, op.getLoc(), type);
  builder.setInsertionPoint(op);
  AffineMap identity = builder.getMultiDimIdentityMap(extents.size());
  StmtOp statement =
      createStatement(builder, "_mean", sums, identity, means, identity);
  Block &block = statement.getBody().front();
  builder.setInsertionPointToEnd(&block);
  Value size = arith::ConstantOp::create(
      builder, op.getLoc(),
      builder.getFloatAttr(type.getElementType(), double(getPartSize())));
  YieldOp::create(builder, op.getLoc(),
                  ValueRange(arith::DivFOp::create(
                      builder, op.getLoc(), block.getArgument(0), size)));
  return means;
}

void PartialReduction::addDifferences(Value partMeans, Value mean,
                                      AffineMap meanMap) {
  Location loc = op.getLoc();
  Type type = cast<MemRefType>(mean.getType()).getElementType();
  SmallVector<Attribute> maps(combination.getReadMaps().getValue());
  maps.push_back(AffineMapAttr::get(
      AffineMap::getMultiDimIdentityMap(extents.size(), op.getContext())));
  maps.push_back(AffineMapAttr::get(getCombinedMap(meanMap)));
  combination.getReadsMutable().append({partMeans, mean});
  combination.setReadMapsAttr(ArrayAttr::get(op.getContext(), maps));
  Block &block = combination.getBody().front();
  // What the combination reads first: the result, and the part.
  Value part = block.getArgument(1);
  Value partMean = block.addArgument(type, loc);
  Value wholeMean = block.addArgument(type, loc);
  auto builder = OpBuilder::atBlockBegin(&block);
  Value size = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(type, double(getPartSize())));
  Value difference = arith::SubFOp::create(builder, loc, partMean, wholeMean);
  Value square = arith::MulFOp::create(builder, loc, difference, difference);
  Value all = arith::MulFOp::create(builder, loc, square, size);
  Value sum = arith::AddFOp::create(builder, loc, part, all);
  part.replaceAllUsesExcept(sum, sum.getDefiningOp());
}

void PartialReduction::centre(const PartialReduction &sum, unsigned meanRead) {
  Value mean = op.getReads()[meanRead];
  AffineMap meanMap = op.getReadMap(meanRead);
  Value partMeans = createPartMeans(sum);
  addDifferences(partMeans, mean, meanMap);
  SmallVector<Attribute> maps(op.getReadMaps().getValue());
  for (auto [index, array] : llvm::enumerate(op.getReads()))
    if (array == mean && op.getReadMap(index) == meanMap) {
      maps[index] = AffineMapAttr::get(getPartialMap());
      op.getReadsMutable()[index].assign(partMeans);
    }
  op.setReadMapsAttr(ArrayAttr::get(op.getContext(), maps));
}
