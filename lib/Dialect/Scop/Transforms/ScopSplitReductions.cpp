//===- ScopSplitReductions.cpp - Reductions in two stages -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PartitionKernel.h"
#include "SplitChoice.h"
#include "StripMine.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPSPLITREDUCTIONS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Partial results
//===----------------------------------------------------------------------===//

namespace {

/// A reduction that is split into parts: the iterations of its loop `outer`.
class PartialReduction {
public:
  PartialReduction(StmtOp op, unsigned outer);

  /// Makes the reduction combine into partial results, and adds a statement
  /// after it that combines these. Returns that statement.
  StmtOp split();

private:
  /// Returns the map from the reduction's iterators to those of partial
  /// results.
  AffineMap getPartialMap();
  /// Returns `map`, of an access of the reduction, as a function of the
  /// iterators of partial results.
  AffineMap getCombinedMap(AffineMap map);
  StmtOp createStatement(OpBuilder &builder, StringRef suffix,
                         ArrayRef<Value> reads, ArrayRef<AffineMap> readMaps,
                         ArrayRef<Value> writes, ArrayRef<AffineMap> writeMaps);
  void createPartials();
  void createStart();
  void combineIntoPartials();
  StmtOp createCombination();

  KernelOp kernel;
  StmtOp op;
  unsigned outer;
  /// The reduction's iterators that partial results have, and their extents.
  SmallVector<unsigned> iterators;
  SmallVector<int64_t> extents;
  SmallVector<Value> partials;
};

} // namespace

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

StmtOp PartialReduction::createCombination() {
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
  StmtOp combination =
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
  return combination;
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
  StmtOp combination = createCombination();
  combineIntoPartials();
  return combination;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Strip-mines `loops` of reductions that are split, and updates their numbers
/// in `reductions`.
static void stripMineReductions(std::vector<SplitLoop> loops,
                                std::vector<SplitLoop> &reductions) {
  // Later iterators come first, so that the numbers of the others stay the
  // same.
  llvm::stable_sort(loops, [](const SplitLoop &a, const SplitLoop &b) {
    return a.iterator > b.iterator;
  });
  for (const SplitLoop &loop : loops) {
    if (!stripMine(loop.op, loop.iterator, loop.factor))
      continue;
    for (SplitLoop &reduction : reductions)
      if (reduction.op == loop.op && reduction.iterator > loop.iterator)
        ++reduction.iterator;
  }
}

/// Splits `kernel` as `choice` says. Returns the second kernel.
static FailureOr<KernelOp> splitReductions(KernelOp kernel,
                                           SplitChoice choice) {
  StatementSet split;
  for (const SplitLoop &loop : choice.reductions)
    split.insert(loop.op);
  std::vector<SplitLoop> loops = choice.reductions;
  std::vector<std::pair<std::string, SplitLoop>> others;
  for (const SplitLoop &loop : choice.others) {
    if (split.contains(loop.op))
      loops.push_back(loop);
    else
      others.emplace_back(StmtOp(loop.op).getSymName().str(), loop);
  }
  stripMineReductions(loops, choice.reductions);
  StatementSet late;
  for (const SplitLoop &loop : choice.reductions)
    late.insert(PartialReduction(loop.op, loop.iterator).split());
  addDependentStatements(kernel, late);
  auto kernels = partitionKernel(kernel, late);
  if (failed(kernels))
    return failure();
  auto [first, second] = *kernels;

  // The second kernel may have these statements, too, but not the reductions.
  llvm::stable_sort(others, [](const auto &a, const auto &b) {
    return a.second.iterator > b.second.iterator;
  });
  for (const auto &[name, loop] : others)
    if (StmtOp op = KernelOp(first).lookupStatement(name))
      stripMine(op, loop.iterator, loop.factor);
  return second;
}

namespace {

struct ScopSplitReductions
    : grout::scop::impl::ScopSplitReductionsBase<ScopSplitReductions> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getGPU(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (processors < 0 || processors > INT32_MAX || blocksPerProcessor < 1 ||
        blocksPerProcessor > INT32_MAX || minBytes < 0 || minBlockBytes < 0 ||
        launchNanoseconds < -1) {
      emitError(getOperation()->getLoc())
          << "blocks-per-processor must be at least 1, processors, min-bytes "
             "and min-block-bytes at least 0, and launch-ns at least -1; "
             "processors and blocks-per-processor must be below 2^31";
      return signalPassFailure();
    }
    const TargetSpec &spec = (*target)->getSpec();
    int64_t numProcessors = processors > 0 ? processors : spec.processors;
    double launchTime = launchNanoseconds < 0 ? spec.launchTime * 1e9
                                              : double(launchNanoseconds);
    SplitModel model = {numProcessors * blocksPerProcessor,
                        spec.memoryRate * 1e-9,
                        minBytes,
                        minBlockBytes,
                        launchTime,
                        spec.memoryBound.splitRowCost};
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && !kernel.getSchedule() && !kernel.getTree())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      for (;;) {
        SplitChoice choice = chooseSplits(kernel, model);
        if (choice.reductions.empty())
          break;
        numSplit += choice.reductions.size();
        FailureOr<KernelOp> second = splitReductions(kernel, choice);
        if (failed(second))
          return signalPassFailure();
        kernel = *second;
      }
  }
};

} // namespace
