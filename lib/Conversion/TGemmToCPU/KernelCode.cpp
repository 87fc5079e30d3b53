//===- KernelCode.cpp - Shared by all CPU tile bodies ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

//===----------------------------------------------------------------------===//
// Loops and elements
//===----------------------------------------------------------------------===//

Extent cpu::createTileExtent(OpBuilder &builder, Location loc, Value tile,
                             int64_t tileSize, int64_t extent) {
  tileSize = std::min(tileSize, extent);
  Value size = arith::ConstantIndexOp::create(builder, loc, tileSize);
  Value begin = arith::MulIOp::create(builder, loc, tile, size);
  if (extent % tileSize == 0)
    return {begin, size};
  Value end = arith::ConstantIndexOp::create(builder, loc, extent);
  Value left = arith::SubIOp::create(builder, loc, end, begin);
  return {begin, arith::MinSIOp::create(builder, loc, left, size)};
}

void cpu::createLoops(OpBuilder &builder, Location loc, ValueRange sizes,
                      function_ref<void(OpBuilder &, ValueRange)> emit) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> variables;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (Value size : sizes) {
    auto loop = scf::ForOp::create(builder, loc, zero, size, one);
    variables.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  emit(builder, variables);
}

/// Returns the element coordinates that `map` computes.
static SmallVector<Value> expandMap(OpBuilder &builder, Location loc,
                                    AffineMap map, ValueRange coordinates) {
  if (map.getNumResults() == 0)
    return {};
  return *affine::expandAffineMap(builder, loc, map, coordinates);
}

Value cpu::createLoad(OpBuilder &builder, Location loc, Value memref,
                      AffineMap map, ValueRange coordinates) {
  return memref::LoadOp::create(builder, loc, memref,
                                expandMap(builder, loc, map, coordinates));
}

void cpu::createStore(OpBuilder &builder, Location loc, Value value,
                      Value memref, AffineMap map, ValueRange coordinates) {
  memref::StoreOp::create(builder, loc, value, memref,
                          expandMap(builder, loc, map, coordinates));
}

//===----------------------------------------------------------------------===//
// Scalar code
//===----------------------------------------------------------------------===//

LogicalResult cpu::checkScalarBlock(Operation *kernel, Block &block) {
  for (Operation &op : block) {
    if (op.getNumRegions() != 0)
      return kernel->emitOpError()
             << "cannot be compiled for the CPU: its body "
                "has '"
             << op.getName() << "', which has a region";
    for (Value operand : op.getOperands()) {
      if (operand.getParentBlock() == &block)
        continue;
      Operation *definition = operand.getDefiningOp();
      if (!definition || !definition->hasTrait<OpTrait::ConstantLike>())
        return kernel->emitOpError()
               << "cannot be compiled for the CPU: its "
                  "body uses a value from outside that is "
                  "not a constant";
    }
  }
  return success();
}

SmallVector<Value> cpu::inlineScalarBlock(OpBuilder &builder, Block &block,
                                          ValueRange arguments,
                                          ValueRange coordinates) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  auto mapCaptures = [&](Operation &op) {
    for (Value operand : op.getOperands())
      if (!mapping.contains(operand))
        mapping.map(operand,
                    builder.clone(*operand.getDefiningOp())->getResult(0));
  };
  for (Operation &op : block.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(index.getResult(), coordinates[index.getDim()]);
      continue;
    }
    mapCaptures(op);
    builder.clone(op, mapping);
  }
  Operation *terminator = block.getTerminator();
  mapCaptures(*terminator);
  return llvm::map_to_vector(terminator->getOperands(), [&](Value value) {
    return mapping.lookup(value);
  });
}
