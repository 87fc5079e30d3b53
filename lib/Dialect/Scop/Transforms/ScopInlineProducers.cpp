//===- ScopInlineProducers.cpp - Values where they are used ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "scop-inline-producers"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPINLINEPRODUCERS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout::scop;

/// What is read with other loops may be computed so many times, all in all.
static constexpr int64_t kMaxRecomputation = 4;
/// What is computed for several elements has so many operations at most.
static constexpr int64_t kMaxOperations = 32;

static SmallVector<StmtOp> getReaders(Value array) {
  SmallVector<StmtOp> readers;
  for (Operation *user : array.getUsers())
    if (auto op = dyn_cast<StmtOp>(user))
      if (op.reads(array) && !llvm::is_contained(readers, op))
        readers.push_back(op);
  return readers;
}

/// The iterators of `producer` with which it writes the element that is read at
/// `map`; none if that is no function of the element.
static std::optional<SmallVector<AffineExpr>> getIterators(StmtOp producer,
                                                           AffineMap map) {
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

/// Whether `reader` goes through the elements with one loop for each loop of
/// `producer`, so that both can share loops.
static bool isPointwise(StmtOp producer, StmtOp reader,
                        ArrayRef<AffineExpr> iterators) {
  llvm::SmallDenseSet<unsigned> used;
  for (auto [extent, expr] :
       llvm::zip_equal(producer.getExtents(), iterators)) {
    if (extent == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || reader.getExtents()[dim.getPosition()] != extent ||
        !used.insert(dim.getPosition()).second)
      return false;
  }
  return true;
}

namespace {

struct ScopInlineProducers
    : grout::scop::impl::ScopInlineProducersBase<ScopInlineProducers> {
  using Base::Base;

  void runOnOperation() override {
    if (ratio < 1) {
      getOperation()->emitError() << "ratio must be at least 1";
      return signalPassFailure();
    }
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.getSchedule() || kernel.getTree())
        return;
      // What is copied may be worth it only once its readers have been.
      bool changed = true;
      while (std::exchange(changed, false)) {
        SmallVector<StmtOp> statements(kernel.getStatements());
        for (StmtOp producer : statements)
          if (canCopy(producer))
            changed |=
                inlineInto(producer, getReaders(producer.getWrites().front()));
      }
    });
  }

private:
  /// Whether its value can be computed anywhere after it.
  bool canCopy(StmtOp producer);
  /// Whether inputs are all that it is computed from, at last. What depends on
  /// what the kernel combines, such as the mean of a row, stays where it is.
  bool dependsOnInputs(StmtOp producer);
  bool isWorthCopying(StmtOp producer, StmtOp reader, bool isOnlyReader);
  /// Whether there was a reader for which it is worth it.
  bool inlineInto(StmtOp producer, ArrayRef<StmtOp> readers);
  /// Computes what `reader` reads at `map` in its region; the value.
  Value copyInto(StmtOp producer, StmtOp reader, AffineMap map);
  void replaceReads(StmtOp producer, StmtOp reader);
};

} // namespace

bool ScopInlineProducers::canCopy(StmtOp producer) {
  if (producer.isReduction() || producer.getWrites().size() != 1)
    return false;
  Value array = producer.getWrites().front();
  if (!array.getDefiningOp<LocalOp>() || producer.reads(array) ||
      producer.walk([](IndexOp) { return WalkResult::interrupt(); })
          .wasInterrupted())
    return false;
  for (StmtOp other : producer->getParentOfType<KernelOp>().getStatements()) {
    if (other == producer)
      continue;
    if (other.writes(array))
      return false;
    if (producer->isBeforeInBlock(other) &&
        llvm::any_of(producer.getReads(),
                     [&](Value read) { return other.writes(read); }))
      return false;
  }
  return true;
}

bool ScopInlineProducers::dependsOnInputs(StmtOp producer) {
  llvm::SetVector<StmtOp> sources;
  sources.insert(producer);
  for (size_t i = 0; i != sources.size(); ++i) {
    StmtOp source = sources[i];
    if (!canCopy(source))
      return false;
    for (StmtOp other : producer->getParentOfType<KernelOp>().getStatements())
      if (llvm::any_of(source.getReads(),
                       [&](Value read) { return other.writes(read); }))
        sources.insert(other);
  }
  return true;
}

bool ScopInlineProducers::isWorthCopying(StmtOp producer, StmtOp reader,
                                         bool isOnlyReader) {
  int64_t points = producer.getNumInstances(),
          ofReader = reader.getNumInstances();
  Value array = producer.getWrites().front();
  bool isPointwiseOnly = true;
  llvm::SmallDenseSet<AffineMap> maps;
  for (auto [index, read] : llvm::enumerate(reader.getReads())) {
    if (read != array)
      continue;
    AffineMap map = reader.getReadMap(index);
    auto iterators = getIterators(producer, map);
    if (!iterators)
      return false;
    isPointwiseOnly &= isPointwise(producer, reader, *iterators);
    maps.insert(map);
  }
  if ((points == 1 || points <= ofReader / ratio) && dependsOnInputs(producer))
    return true;
  int64_t numReads = maps.size();
  int64_t numOperations = std::distance(producer.getBody().front().begin(),
                                        producer.getBody().front().end());
  if (numReads > 1 && numOperations > kMaxOperations)
    return false;
  return isOnlyReader && !(isPointwiseOnly && numReads == 1) &&
         ofReader <= kMaxRecomputation / numReads * points;
}

Value ScopInlineProducers::copyInto(StmtOp producer, StmtOp reader,
                                    AffineMap map) {
  auto iterators = getIterators(producer, map);
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
  reader.setReadMapsAttr(ArrayAttr::get(&getContext(), maps));
  auto builder = OpBuilder::atBlockBegin(&body);
  Block &source = producer.getBody().front();
  for (Operation &op : source.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(source.getTerminator()->getOperand(0));
}

void ScopInlineProducers::replaceReads(StmtOp producer, StmtOp reader) {
  Value array = producer.getWrites().front();
  // Once for each element that is read, however often.
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
    reader.setReadMapsAttr(ArrayAttr::get(&getContext(), maps));
  }
}

bool ScopInlineProducers::inlineInto(StmtOp producer,
                                     ArrayRef<StmtOp> readers) {
  Value array = producer.getWrites().front();
  bool changed = false;
  for (StmtOp reader : readers) {
    if (!isWorthCopying(producer, reader, readers.size() == 1)) {
      LDBG() << producer.getSymName() << " stays apart from "
             << reader.getSymName() << ", one of " << readers.size()
             << " readers: " << producer.getNumInstances()
             << " instances, read by " << reader.getNumInstances();
      continue;
    }
    LDBG() << producer.getSymName() << ", of " << producer.getNumInstances()
           << " instances, is computed in each of the "
           << reader.getNumInstances() << " of " << reader.getSymName();
    ++numInlined;
    changed = true;
    replaceReads(producer, reader);
  }
  if (!getReaders(array).empty())
    return changed;
  producer.erase();
  array.getDefiningOp()->erase();
  return true;
}
