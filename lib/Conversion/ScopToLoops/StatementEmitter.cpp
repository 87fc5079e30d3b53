//===- StatementEmitter.cpp - One instance of a statement -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/ScopToLoops/StatementEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout::scop;

SmallVector<Value> grout::scop::emitIndices(OpBuilder &builder, Location loc,
                                            AffineMap map,
                                            const Instance &instance) {
  SmallVector<OpFoldResult> operands = getAsOpFoldResult(instance.operands);
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    AffineMap composed = AffineMap::get(instance.operands.size(), 0,
                                        expr.replaceDims(instance.iterators));
    return getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(builder, loc, composed,
                                              operands));
  });
}

Value grout::scop::emitIterator(OpBuilder &builder, IndexOp index,
                                const Instance &instance) {
  AffineMap map = AffineMap::get(
      instance.iterators.size(), 0,
      getAffineDimExpr(index.getIterator(), builder.getContext()));
  return emitIndices(builder, index.getLoc(), map, instance).front();
}

/// Emits the load of `gather`. `mapping` has its operands.
static Value emitGather(OpBuilder &builder, GatherOp gather,
                        const IRMapping &mapping) {
  Location loc = gather.getLoc();
  SmallVector<Value> indices;
  for (auto [dim, operand] : llvm::enumerate(gather.getIndices())) {
    Value index = mapping.lookup(operand);
    if (!gather.isInside(dim)) {
      int64_t extent = gather.getArray().getType().getDimSize(dim);
      Value first = arith::ConstantIndexOp::create(builder, loc, 0);
      Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
      index = arith::MaxSIOp::create(builder, loc, index, first);
      index = arith::MinSIOp::create(builder, loc, index, last);
    }
    indices.push_back(index);
  }
  return memref::LoadOp::create(builder, loc, mapping.lookup(gather.getArray()),
                                indices);
}

/// Emits the store of `scatter`. `mapping` has its operands.
static void emitScatter(OpBuilder &builder, ScatterOp scatter,
                        const IRMapping &mapping) {
  Location loc = scatter.getLoc();
  SmallVector<Value> indices;
  Value inside;
  for (auto [dim, operand] : llvm::enumerate(scatter.getIndices())) {
    Value index = mapping.lookup(operand);
    indices.push_back(index);
    if (scatter.isInside(dim))
      continue;
    // As an unsigned number, a negative index is too large.
    Value extent = arith::ConstantIndexOp::create(
        builder, loc, scatter.getArray().getType().getDimSize(dim));
    Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       index, extent);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, here) : here;
  }
  OpBuilder::InsertionGuard guard(builder);
  if (inside) {
    auto guarded = scf::IfOp::create(builder, loc, inside,
                                     /*withElseRegion=*/false);
    builder.setInsertionPointToStart(guarded.thenBlock());
  }
  memref::StoreOp::create(builder, loc, mapping.lookup(scatter.getValue()),
                          mapping.lookup(scatter.getArray()), indices);
}

void grout::scop::emitInstance(OpBuilder &builder, StmtOp statement,
                               const Instance &instance,
                               const IRMapping &arrays) {
  Location loc = statement.getLoc();
  Block &block = statement.getBody().front();
  IRMapping mapping = arrays;
  for (auto [read, array] : llvm::enumerate(statement.getReads()))
    mapping.map(
        block.getArgument(read),
        memref::LoadOp::create(
            builder, loc, arrays.lookup(array),
            emitIndices(builder, loc, statement.getReadMap(read), instance)));
  for (Operation &op : block.without_terminator()) {
    if (auto index = dyn_cast<IndexOp>(op))
      mapping.map(index.getValue(), emitIterator(builder, index, instance));
    else if (auto gather = dyn_cast<GatherOp>(op))
      mapping.map(gather.getValue(), emitGather(builder, gather, mapping));
    else if (auto scatter = dyn_cast<ScatterOp>(op))
      emitScatter(builder, scatter, mapping);
    else
      builder.clone(op, mapping);
  }
  // All reads come before all writes.
  Operation *yield = block.getTerminator();
  for (auto [write, array] : llvm::enumerate(statement.getWrites()))
    memref::StoreOp::create(
        builder, loc, mapping.lookup(yield->getOperand(write)),
        arrays.lookup(array),
        emitIndices(builder, loc, statement.getWriteMap(write), instance));
}
