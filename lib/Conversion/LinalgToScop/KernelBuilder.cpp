//===- KernelBuilder.cpp - A group of ops as a scop kernel ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "Members.h"
#include "grout/Conversion/Common/Outputs.h"
#include "grout/Support/Reshapes.h"
#include "grout/Support/StridedView.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

bool KernelBuilder::isUsedOutside(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (!group.contains(user))
      return true;
    return isView(user) && isUsedOutside(user->getResult(0));
  });
}

bool KernelBuilder::isOverwritten(Value value) {
  if (!value.hasOneUse())
    return false;
  OpOperand &use = *value.use_begin();
  auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return user && group.contains(user) && user.isDpsInit(&use) &&
         startsFrom(user, use);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static MemRefType getArrayType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

static AffineMap getIdentity(Value array) {
  return AffineMap::getMultiDimIdentityMap(
      cast<MemRefType>(array.getType()).getRank(), array.getContext());
}

Value KernelBuilder::addInput(Value operand) {
  auto [entry, isNew] = inputArguments.try_emplace(operand);
  if (!isNew)
    return entry->second;
  Type type = isa<TensorType>(operand.getType()) ? getArrayType(operand)
                                                 : operand.getType();
  // Outputs come after all inputs.
  entry->second = body->insertArgument(inputs.size(), type, operand.getLoc());
  inputs.push_back(operand);
  return entry->second;
}

Value KernelBuilder::addOutput(Value init, Value result) {
  outputs.push_back(init);
  results.push_back(result);
  return body->addArgument(getArrayType(result), result.getLoc());
}

Value KernelBuilder::addLocal(Value tensor) {
  OpBuilder atStart = builder;
  atStart.setInsertionPointToStart(body);
  return LocalOp::create(atStart, tensor.getLoc(), getArrayType(tensor));
}

KernelBuilder::Place KernelBuilder::getPlace(Value tensor) {
  if (auto it = places.find(tensor); it != places.end())
    return it->second;
  // A slice of a tensor outside of the group is read in place. So is a tensor
  // without the strides that an array needs.
  Operation *op = tensor.getDefiningOp();
  if (op && isView(op) &&
      (isa<tensor::ExtractSliceOp>(op) || !hasStrides(tensor))) {
    Place source = getPlace(op->getOperand(0));
    return {source.array, source.view.compose(getViewMap(op))};
  }
  Value array = addInput(tensor);
  return {array, getIdentity(array)};
}

Value KernelBuilder::getScalar(OpBuilder &builder, Value value) {
  if (TypedAttr constant = getScalarConstant(value))
    return arith::ConstantOp::create(builder, value.getLoc(), constant);
  return addInput(value);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

StmtOp KernelBuilder::createStatement(Location loc, ArrayRef<int64_t> extents,
                                      ArrayRef<Place> reads,
                                      ArrayRef<Place> writes) {
  auto split = [](ArrayRef<Place> places, SmallVectorImpl<Value> &arrays,
                  SmallVectorImpl<AffineMap> &maps) {
    for (const Place &place : places) {
      arrays.push_back(place.array);
      maps.push_back(place.view);
    }
  };
  SmallVector<Value> readArrays, writeArrays;
  SmallVector<AffineMap> readMaps, writeMaps;
  split(reads, readArrays, readMaps);
  split(writes, writeArrays, writeMaps);
  OpBuilder atEnd = builder;
  atEnd.setInsertionPointToEnd(body);
  auto statement = StmtOp::create(
      atEnd, loc, "S" + std::to_string(numStatements++), extents, readArrays,
      atEnd.getAffineMapArrayAttr(readMaps), writeArrays,
      atEnd.getAffineMapArrayAttr(writeMaps), ArrayRef<int64_t>());
  Block &block = statement.getBody().emplaceBlock();
  for (Value array : readArrays)
    block.addArgument(cast<MemRefType>(array.getType()).getElementType(), loc);
  return statement;
}

void KernelBuilder::addFill(Location loc, Value array, Value scalar) {
  StmtOp statement =
      createStatement(loc, cast<MemRefType>(array.getType()).getShape(), {},
                      {{array, getIdentity(array)}});
  OpBuilder inside = builder;
  inside.setInsertionPointToEnd(&statement.getBody().front());
  YieldOp::create(inside, loc, getScalar(inside, scalar));
}

void KernelBuilder::addCopy(Location loc, Value array, Value tensor) {
  StmtOp statement =
      createStatement(loc, cast<MemRefType>(array.getType()).getShape(),
                      {getPlace(tensor)}, {{array, getIdentity(array)}});
  Block &block = statement.getBody().front();
  OpBuilder inside = builder;
  inside.setInsertionPointToEnd(&block);
  YieldOp::create(inside, loc, block.getArgument(0));
}

Value KernelBuilder::prepareResult(linalg::LinalgOp op, unsigned number) {
  Value result = op->getResult(number);
  OpOperand &initOperand = *op.getDpsInitOperand(number);
  Value init = initOperand.get();
  Location loc = op.getLoc();

  // Ops that update one tensor after the other share the memory of the last
  // result.
  Value last = result;
  while (isOverwritten(last)) {
    OpOperand &use = *last.use_begin();
    last = cast<linalg::LinalgOp>(use.getOwner()).getTiedOpResult(&use);
  }
  bool isOutput = isUsedOutside(last);
  auto addArray = [&] {
    if (!isOutput)
      return addLocal(result);
    auto type = cast<RankedTensorType>(result.getType());
    return addOutput(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                             type.getElementType()),
                     last);
  };

  if (!startsFrom(op, initOperand))
    return addArray();
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    Value array = addArray();
    addFill(fill.getLoc(), array, fill.value());
    return array;
  }
  if (getScalarConstant(init)) {
    Value array = addArray();
    addFill(loc, array, init);
    return array;
  }
  bool isInside = places.contains(init);
  if (isInside && isOverwritten(init) && !isView(init.getDefiningOp()))
    return places[init].array;
  // A part of a tensor has another layout than the result.
  if (!isInside && isOutput &&
      !getReshaped(init).getDefiningOp<tensor::ExtractSliceOp>())
    return addOutput(init, last);
  Value array = addArray();
  addCopy(loc, array, init);
  return array;
}

Value KernelBuilder::addGather(OpBuilder &builder, tensor::ExtractOp extract,
                               const IRMapping &mapping) {
  Location loc = extract.getLoc();
  Place place = getPlace(extract.getTensor());
  SmallVector<Value> indices = llvm::map_to_vector(
      extract.getIndices(), [&](Value index) { return mapping.lookup(index); });
  if (!place.view.isIdentity()) {
    // The index is clamped to the view, too.
    for (auto [index, extent] :
         llvm::zip_equal(indices, extract.getTensor().getType().getShape())) {
      Value first = arith::ConstantIndexOp::create(builder, loc, 0);
      Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
      index = arith::MaxSIOp::create(builder, loc, index, first);
      index = arith::MinSIOp::create(builder, loc, index, last);
    }
    indices = *affine::expandAffineMap(builder, loc, place.view, indices);
  }
  return GatherOp::create(builder, loc, extract.getType(), place.array,
                          indices);
}

void KernelBuilder::cloneBody(OpBuilder &builder, linalg::LinalgOp op,
                              IRMapping &mapping) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(
          index.getResult(),
          IndexOp::create(builder, index.getLoc(), index.getDim()).getValue());
    else if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
      mapping.map(extract.getResult(), addGather(builder, extract, mapping));
    else
      builder.clone(inner, mapping);
  }
  Operation *yield = op.getBlock()->getTerminator();
  SmallVector<Value> values = llvm::map_to_vector(
      yield->getOperands(), [&](Value value) { return mapping.lookup(value); });
  YieldOp::create(builder, yield->getLoc(), values);
}

/// Returns the reduction loops of `op`, if `statement` only combines elements
/// over them.
static SmallVector<int64_t> getReductions(linalg::LinalgOp op,
                                          StmtOp statement) {
  SmallVector<int64_t> loops;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      loops.push_back(loop);
  for (unsigned write = 0, e = statement.getWrites().size(); write < e; ++write)
    if (!statement.getCombiner(write) || llvm::any_of(loops, [&](int64_t loop) {
          return statement.getWriteMap(write).isFunctionOfDim(loop);
        }))
      return {};
  return loops;
}

void KernelBuilder::addStatement(linalg::LinalgOp op) {
  SmallVector<Place> writes;
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    Value array = prepareResult(op, number);
    writes.push_back(
        {array, op.getMatchingIndexingMap(op.getDpsInitOperand(number))});
    places[op->getResult(number)] = {array, getIdentity(array)};
  }

  // The elements that are read from arrays. Other operands are scalars.
  Block *block = op.getBlock();
  SmallVector<Place> reads;
  SmallVector<BlockArgument> elements;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument element = op.getMatchingBlockArgument(&operand);
    // An element that is written is read from memory, even if its initial value
    // is a constant.
    bool isInit = op.isDpsInit(&operand);
    if (element.use_empty() || op.isScalar(&operand) ||
        (!isInit && getScalarConstant(operand.get())))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (isInit) {
      unsigned number = op.getTiedOpResult(&operand).getResultNumber();
      reads.push_back(writes[number]);
    } else {
      Place place = getPlace(operand.get());
      reads.push_back({place.array, place.view.compose(map)});
    }
    elements.push_back(element);
  }

  StmtOp statement =
      createStatement(op.getLoc(), op.getStaticLoopRanges(), reads, writes);
  Block &region = statement.getBody().front();
  OpBuilder inside = builder;
  inside.setInsertionPointToEnd(&region);
  IRMapping mapping;
  mapping.map(ArrayRef(elements), region.getArguments());
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument element = op.getMatchingBlockArgument(&operand);
    if (!element.use_empty() && !mapping.contains(element))
      mapping.map(element, getScalar(inside, operand.get()));
  }
  for (Operation &inner : *block)
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != block && !mapping.contains(operand) &&
          !isa<TensorType>(operand.getType()))
        mapping.map(operand, getScalar(inside, operand));
  cloneBody(inside, op, mapping);
  statement.setReductions(getReductions(op, statement));
}

/// Returns the number of dimensions of a scatter's source that number the
/// places.
static unsigned getNumPlaceDims(tensor::ScatterOp op) {
  return op.getIndicesType().getRank() - 1;
}

/// Returns, for each dimension of a scatter's destination, the dimension of its
/// source; none if the places give the index, and the source has no such
/// dimension.
static SmallVector<std::optional<unsigned>>
getSourceDims(tensor::ScatterOp op) {
  unsigned next = getNumPlaceDims(op);
  int64_t rank = op.getDestType().getRank();
  bool hasAll = op.getSourceType().getRank() == next + rank;
  SmallVector<std::optional<unsigned>> dims;
  for (int64_t dim = 0; dim != rank; ++dim) {
    bool isPlace = llvm::is_contained(op.getScatterDims(), dim);
    dims.push_back(isPlace && !hasAll ? std::nullopt
                                      : std::optional<unsigned>(next++));
  }
  return dims;
}

void KernelBuilder::addScatter(tensor::ScatterOp op) {
  MLIRContext *context = op.getContext();
  Location loc = op.getLoc();
  ArrayRef<int64_t> extents = op.getSourceType().getShape();
  Value array = addOutput(op.getDest(), op.getResult());
  Place source = getPlace(op.getSource());
  Place indices = getPlace(op.getIndices());
  SmallVector<Place> reads = {
      {source.array, source.view.compose(AffineMap::getMultiDimIdentityMap(
                         extents.size(), context))}};
  for (size_t i = 0; i != op.getScatterDims().size(); ++i) {
    SmallVector<AffineExpr> results;
    for (unsigned dim = 0; dim != getNumPlaceDims(op); ++dim)
      results.push_back(getAffineDimExpr(dim, context));
    results.push_back(getAffineConstantExpr(i, context));
    reads.push_back({indices.array, indices.view.compose(AffineMap::get(
                                        extents.size(), 0, results, context))});
  }

  StmtOp statement = createStatement(loc, extents, reads, /*writes=*/{});
  Block &region = statement.getBody().front();
  OpBuilder inside = builder;
  inside.setInsertionPointToEnd(&region);
  SmallVector<Value> places;
  unsigned next = 1;
  for (auto [dim, sourceDim] : llvm::enumerate(getSourceDims(op))) {
    if (llvm::is_contained(op.getScatterDims(), int64_t(dim)))
      places.push_back(arith::IndexCastOp::create(
          inside, loc, inside.getIndexType(), region.getArgument(next++)));
    else
      places.push_back(IndexOp::create(inside, loc, *sourceDim));
  }
  ScatterOp::create(
      inside, loc, region.getArgument(0), array, places,
      op->getAttrOfType<StringAttr>(GroutDialect::getAssertAttrName()));
  YieldOp::create(inside, loc, ValueRange());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

KernelOp KernelBuilder::build() {
  SmallVector<Location> locations;
  for (Operation *op : group)
    if (!isView(op))
      locations.push_back(op->getLoc());
  auto region = std::make_unique<Region>();
  body = &region->emplaceBlock();
  for (Operation *op : group) {
    if (isView(op)) {
      Place source = places.lookup(op->getOperand(0));
      places[op->getResult(0)] = {source.array,
                                  source.view.compose(getViewMap(op))};
    } else if (auto scatter = dyn_cast<tensor::ScatterOp>(op)) {
      addScatter(scatter);
    } else {
      addStatement(cast<linalg::LinalgOp>(op));
    }
  }

  auto kernel = KernelOp::create(builder, builder.getFusedLoc(locations),
                                 TypeRange(ValueRange(results)), inputs,
                                 outputs, ScheduleAttr());
  kernel.getBody().takeBody(*region);
  for (auto [result, value] : llvm::zip_equal(kernel.getResults(), results))
    value.replaceAllUsesWith(result);
  return kernel;
}
