//===- KernelLoops.cpp - The loops of a reference kernel ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ReferenceKernel.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout::reference;

SmallVector<unsigned>
ReferenceKernel::getLoops(utils::IteratorType kind) const {
  SmallVector<unsigned> loops;
  for (auto [loop, iterator] : llvm::enumerate(iterators))
    if (iterator == kind)
      loops.push_back(loop);
  return loops;
}

/// The map from loops to the number of an element in its buffer.
static AffineMap getLinearMap(const TensorAccess &access) {
  AffineExpr number =
      getAffineConstantExpr(access.tensor.offset, access.map.getContext());
  for (auto [coordinate, stride] :
       llvm::zip_equal(access.map.getResults(), access.tensor.strides))
    number = number + coordinate * stride;
  return AffineMap::get(access.map.getNumDims(), 0, number);
}

/// What an element is in memory: a truth value takes a byte.
static Type getMemoryType(const TensorAccess &access) {
  Type type = access.tensor.elementType;
  return type.isInteger(1) ? Builder(type.getContext()).getI8Type() : type;
}

Value KernelLoops::emitAddress(OpBuilder &builder, const TensorAccess &access,
                               ValueRange coordinates) {
  Value number = affine::expandAffineMap(builder, kernel.loc,
                                         getLinearMap(access), coordinates)
                     ->front();
  number = arith::IndexCastOp::create(builder, kernel.loc, builder.getI64Type(),
                                      number);
  Value base = getAddress(access.tensor.buffer);
  // Without knowing so much, LLVM's analysis of a loop with n accesses takes
  // n^3 steps.
  return LLVM::GEPOp::create(
      builder, kernel.loc, base.getType(), getMemoryType(access), base,
      ArrayRef<LLVM::GEPArg>{number},
      LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
}

Value KernelLoops::emitLoad(OpBuilder &builder, const TensorAccess &access,
                            ValueRange coordinates) {
  Type elementType = access.tensor.elementType;
  if (access.tensor.isUndefined())
    return arith::ConstantOp::create(builder, kernel.loc,
                                     builder.getZeroAttr(elementType));
  if (access.tensor.splat)
    return arith::ConstantOp::create(builder, kernel.loc, access.tensor.splat);
  Type memoryType = getMemoryType(access);
  Value value = LLVM::LoadOp::create(builder, kernel.loc, memoryType,
                                     emitAddress(builder, access, coordinates));
  if (memoryType == elementType)
    return value;
  Value zero = arith::ConstantOp::create(builder, kernel.loc,
                                         builder.getZeroAttr(memoryType));
  return arith::CmpIOp::create(builder, kernel.loc, arith::CmpIPredicate::ne,
                               value, zero);
}

Value KernelLoops::emitGather(OpBuilder &builder, Value tensor,
                              ValueRange positions) {
  const ReferenceTensor &source = kernel.gathered.find(tensor)->second;
  Location loc = kernel.loc;
  SmallVector<Value> nearest;
  for (auto [position, extent] : llvm::zip_equal(positions, source.shape)) {
    Value first = arith::ConstantIndexOp::create(builder, loc, 0);
    Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
    Value above = arith::MaxSIOp::create(builder, loc, position, first);
    nearest.push_back(arith::MinSIOp::create(builder, loc, above, last));
  }
  auto map = builder.getMultiDimIdentityMap(nearest.size());
  return emitLoad(builder, {source, map}, nearest);
}

void KernelLoops::emitStores(OpBuilder &builder, ValueRange values,
                             ValueRange coordinates) {
  for (auto [output, value] : llvm::zip_equal(kernel.outputs, values)) {
    Type memoryType = getMemoryType(output);
    if (value.getType() != memoryType)
      value = arith::ExtUIOp::create(builder, kernel.loc, memoryType, value);
    LLVM::StoreOp::create(builder, kernel.loc, value,
                          emitAddress(builder, output, coordinates));
  }
}

SmallVector<Value> KernelLoops::emitPoint(OpBuilder &builder,
                                          ValueRange coordinates,
                                          ValueRange outputs) {
  SmallVector<Value> elements;
  for (const TensorAccess &input : kernel.inputs)
    elements.push_back(emitLoad(builder, input, coordinates));
  llvm::append_range(elements, outputs);
  return kernel.compute(
      builder, elements, coordinates,
      [this](OpBuilder &builder, Value tensor, ValueRange positions) {
        return emitGather(builder, tensor, positions);
      });
}

void KernelLoops::emitElement(OpBuilder &builder, ValueRange coordinates) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = kernel.loc;
  SmallVector<Value> point(coordinates);
  SmallVector<Value> values;
  for (const TensorAccess &init : kernel.inits)
    values.push_back(emitLoad(builder, init, point));
  if (kernel.start)
    values = kernel.start(builder, values);

  // Each reduction loop carries the values of the outputs.
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<scf::ForOp> loops;
  for (unsigned loop : kernel.getLoops(utils::IteratorType::reduction)) {
    Value end =
        arith::ConstantIndexOp::create(builder, loc, kernel.extents[loop]);
    loops.push_back(scf::ForOp::create(builder, loc, zero, end, one, values));
    builder.setInsertionPointToStart(loops.back().getBody());
    point[loop] = loops.back().getInductionVar();
    values = llvm::to_vector_of<Value>(loops.back().getRegionIterArgs());
  }
  values = emitPoint(builder, point, values);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    scf::YieldOp::create(builder, loc, values);
    builder.setInsertionPointAfter(loop);
    values = llvm::to_vector_of<Value>(loop.getResults());
  }
  if (kernel.finish)
    values = kernel.finish(builder, values);
  emitStores(builder, values, coordinates);
}

void KernelLoops::emitRow(OpBuilder &builder, ValueRange coordinates,
                          Value begin, Value end) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = kernel.loc;
  SmallVector<Value> point(coordinates);
  unsigned rowLoop = kernel.getLoops(utils::IteratorType::parallel).back();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto startRow = [&] {
    auto loop = scf::ForOp::create(builder, loc, begin, end, one);
    builder.setInsertionPointToStart(loop.getBody());
    point[rowLoop] = loop.getInductionVar();
    return loop;
  };

  scf::ForOp initLoop = startRow();
  SmallVector<Value> values;
  for (const TensorAccess &init : kernel.inits)
    values.push_back(emitLoad(builder, init, point));
  emitStores(builder, values, point);
  builder.setInsertionPointAfter(initLoop);

  auto loadOutputs = [&] {
    return llvm::map_to_vector(kernel.outputs, [&](const TensorAccess &output) {
      return emitLoad(builder, output, point);
    });
  };
  Operation *outermost = nullptr;
  for (unsigned loop : kernel.getLoops(utils::IteratorType::reduction)) {
    Value extent =
        arith::ConstantIndexOp::create(builder, loc, kernel.extents[loop]);
    auto reduction = scf::ForOp::create(builder, loc, zero, extent, one);
    builder.setInsertionPointToStart(reduction.getBody());
    point[loop] = reduction.getInductionVar();
    outermost = outermost ? outermost : reduction;
  }
  startRow();
  values = loadOutputs();
  emitStores(builder, emitPoint(builder, point, values), point);
  if (!kernel.finish)
    return;

  builder.setInsertionPointAfter(outermost);
  startRow();
  values = loadOutputs();
  emitStores(builder, kernel.finish(builder, values), point);
}

unsigned KernelLoops::countStridedAccesses(unsigned loop) const {
  unsigned count = 0;
  auto add = [&](const TensorAccess &access) {
    if (!access.tensor.buffer)
      return;
    AffineMap map = getLinearMap(access);
    Builder builder(map.getContext());
    SmallVector<Attribute> point(map.getNumDims(), builder.getIndexAttr(0));
    SmallVector<Attribute> here, there;
    (void)map.constantFold(point, here);
    point[loop] = builder.getIndexAttr(1);
    (void)map.constantFold(point, there);
    int64_t stride = cast<IntegerAttr>(there[0]).getInt() -
                     cast<IntegerAttr>(here[0]).getInt();
    count += stride != 0 && stride != 1;
  };
  llvm::for_each(kernel.inputs, add);
  llvm::for_each(kernel.outputs, add);
  return count;
}

bool KernelLoops::prefersRows() const {
  SmallVector<unsigned> parallel =
      kernel.getLoops(utils::IteratorType::parallel);
  SmallVector<unsigned> reductions =
      kernel.getLoops(utils::IteratorType::reduction);
  return !parallel.empty() && !reductions.empty() &&
         countStridedAccesses(parallel.back()) <=
             countStridedAccesses(reductions.back());
}
