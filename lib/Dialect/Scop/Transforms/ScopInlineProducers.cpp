//===- ScopInlineProducers.cpp - Recomputes values at their uses ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "InlineStatement.h"
#include "grout/Dialect/Scop/IR/LinearAccess.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "scop-inline-producers"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPINLINEPRODUCERS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout::scop;

/// If a reader has other loops than the producer, each value may be computed
/// this many times in total.
static constexpr int64_t kMaxRecomputation = 4;
/// If a window reads a value, recomputing it may take this many operations in
/// total for each point of the producer.
static constexpr int64_t kMaxRecomputedOperations = 160;
/// A producer that is computed for several elements may have this many
/// operations.
static constexpr int64_t kMaxOperations = 32;
/// The most calls of expensive functions in a reader. With functions of 40
/// operations, this many take a GPU a fifth of a launch.
static constexpr int64_t kMaxCalls = 1 << 18;

/// A mean is that of at least this many elements.
static constexpr int64_t kLeastAveraged = 16;
/// The most elements that the threads of a block keep in registers: 32 each.
static constexpr int64_t kMostKept = 1 << 15;

static SmallVector<StmtOp> getReaders(Value array) {
  SmallVector<StmtOp> readers;
  for (Operation *user : array.getUsers())
    if (auto op = dyn_cast<StmtOp>(user))
      if (op.reads(array) && !llvm::is_contained(readers, op))
        readers.push_back(op);
  return readers;
}

/// Whether `reader` has one loop for each loop of `producer`, and goes along
/// the elements with it, so that both can share loops.
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

static int64_t countOperations(StmtOp op) {
  Block &body = op.getBody().front();
  return std::distance(body.begin(), body.end());
}

/// Counts the functions in the region of `op` that take dozens of operations on
/// any target.
static int64_t countCalls(StmtOp op) {
  int64_t calls = 0;
  op.getBody().walk([&](Operation *nested) {
    calls += isa<math::MathDialect>(nested->getDialect()) &&
             !isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
                  math::ExpOp, math::Exp2Op, math::FloorOp, math::FmaOp,
                  math::FPowIOp, math::LogOp, math::Log2Op, math::Log10Op,
                  math::RoundEvenOp, math::RsqrtOp, math::SqrtOp, math::TanhOp,
                  math::TruncOp>(nested);
  });
  return calls;
}

/// Returns the strides, in elements, with which an access of `map` goes through
/// `array`, for each iterator; none if it is not linear.
static std::optional<LinearAccess> getLinearAccess(Value array, AffineMap map) {
  auto [strides, offset] =
      cast<MemRefType>(array.getType()).getStridesAndOffset();
  if (llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  return getLinearAccess(map, strides);
}

/// Whether readers of the result of `op`, which reads one element, may just as
/// well read the array that `op` reads: neighbours are neighbours there, or the
/// same element.
static bool readsInOrder(StmtOp op) {
  AffineMap write = op.getWriteMap(0);
  if (write.getNumResults() == 0)
    return false;
  auto last = dyn_cast<AffineDimExpr>(write.getResults().back());
  if (!last)
    return false;
  std::optional<LinearAccess> access =
      getLinearAccess(op.getReads().front(), op.getReadMap(0));
  if (!access)
    return false;
  int64_t stride = access->strides[last.getPosition()];
  return stride == 0 || stride == 1;
}

/// Whether `op` copies an array, and does nothing else.
static bool isCopy(StmtOp op) {
  Block &body = op.getBody().front();
  return op.getReads().size() == 1 &&
         body.getTerminator()->getOperand(0) == body.getArguments().front();
}

/// Whether `op` copies an input so that its readers may just as well read the
/// input.
static bool copiesInput(StmtOp op) {
  if (!isCopy(op))
    return false;
  auto source = dyn_cast<BlockArgument>(op.getReads().front());
  return source && !op->getParentOfType<KernelOp>().isOutput(source) &&
         readsInOrder(op);
}

/// Whether `op` converts an array to a wider type, and does nothing else.
static bool widens(StmtOp op) {
  Block &body = op.getBody().front();
  Operation *made = body.getTerminator()->getOperand(0).getDefiningOp();
  return op.getReads().size() == 1 && made &&
         isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(made) &&
         made->getOperand(0) == body.getArguments().front();
}

/// Whether `op` combines so many elements into one that threads cannot keep
/// them in registers for other statements.
static bool combinesMany(StmtOp op) {
  int64_t combined = 1;
  for (int64_t iterator : op.getReductions())
    combined *= op.getExtents()[iterator];
  return combined > kMostKept;
}

/// Whether `op` is a reduction of many elements, or its result goes into one
/// through elementwise statements alone. Then its loops may run in any order.
static bool isCombinedWithMany(StmtOp op) {
  while (!op.isReduction()) {
    if (op.getWrites().size() != 1 ||
        !op.getWrites().front().getDefiningOp<LocalOp>())
      return false;
    SmallVector<StmtOp> readers = getReaders(op.getWrites().front());
    if (readers.size() != 1 || !op->isBeforeInBlock(readers.front()))
      return false;
    op = readers.front();
  }
  return combinesMany(op);
}

/// Whether `producer` copies or widens an array in another order, but `reader`
/// has no order, and some loop of it goes along neighbours of that array.
static bool copiesForAnyOrder(StmtOp producer, StmtOp reader,
                              ArrayRef<AffineExpr> iterators) {
  if (!(isCopy(producer) || widens(producer)) || !isCombinedWithMany(reader))
    return false;
  std::optional<LinearAccess> access = getLinearAccess(
      producer.getReads().front(),
      producer.getReadMap(0).replaceDimsAndSymbols(
          iterators, {}, reader.getNumIterators(), /*numResultSyms=*/0));
  return access && llvm::is_contained(access->strides, 1);
}

/// Whether `op` subtracts one of few numbers, such as a mean, from each element
/// of an array, which it may widen, and does nothing else.
static bool isDifferenceFromMean(StmtOp op) {
  Block &body = op.getBody().front();
  auto difference =
      body.getTerminator()->getOperand(0).getDefiningOp<arith::SubFOp>();
  if (op.getReads().size() != 2 || !difference)
    return false;
  auto getArgument = [&](Value value) {
    if (auto widened = value.getDefiningOp<arith::ExtFOp>())
      value = widened.getIn();
    auto argument = dyn_cast<BlockArgument>(value);
    // Others are scalars of the kernel.
    return argument && argument.getOwner() == &body ? argument
                                                    : BlockArgument();
  };
  BlockArgument element = getArgument(difference.getLhs());
  BlockArgument mean = getArgument(difference.getRhs());
  if (!element || !mean || element == mean)
    return false;
  auto means = cast<MemRefType>(op.getReads()[mean.getArgNumber()].getType());
  return means.getNumElements() <= op.getNumInstances() / kLeastAveraged;
}

/// Whether all of `readers` may compute the functions that `producer` calls. If
/// one of them may not, the values are in memory for it, and other readers may
/// read them there.
static bool hasFewCalls(StmtOp producer, ArrayRef<StmtOp> readers) {
  int64_t calls = countCalls(producer);
  return llvm::all_of(readers, [&](StmtOp reader) {
    return calls == 0 || reader.getNumInstances() <= kMaxCalls / calls;
  });
}

/// Whether `producer` computes its value with few operations from its iterators
/// alone. That takes less time than a read.
static bool isCheaperThanRead(StmtOp producer, ArrayRef<StmtOp> readers) {
  if (!producer.getReads().empty() ||
      countOperations(producer) > kMaxOperations ||
      !producer.getBody().getOps<GatherOp>().empty())
    return false;
  return countCalls(producer) == 0 ||
         (readers.size() == 1 && hasFewCalls(producer, readers));
}

/// Whether `one` and `other` always have the same distance, as different places
/// of a window have.
static bool areShifted(AffineMap one, AffineMap other) {
  return llvm::all_of(
      llvm::zip_equal(one.getResults(), other.getResults()), [&](auto pair) {
        auto [expr, shifted] = pair;
        return isa<AffineConstantExpr>(simplifyAffineExpr(
            shifted - expr, one.getNumDims(), /*numSymbols=*/0));
      });
}

/// Whether `readers` read the result of `producer`, for example a padded
/// tensor, at several places of a window, with one statement for each place,
/// and all of them can recompute it with little work.
static bool isCheapInWindow(StmtOp producer, ArrayRef<StmtOp> readers) {
  if (producer.getReads().size() != 1 || countCalls(producer) != 0 ||
      !producer.getBody().getOps<GatherOp>().empty())
    return false;
  Value array = producer.getWrites().front();
  StmtOp first = readers.front();
  llvm::SmallSetVector<AffineMap, 9> places;
  for (StmtOp reader : readers) {
    if (reader.isReduction() || reader.getExtents() != first.getExtents())
      return false;
    for (auto [number, read] : llvm::enumerate(reader.getReads()))
      if (read == array)
        places.insert(reader.getReadMap(number));
  }
  if (places.size() == 1 || !llvm::all_of(places, [&](AffineMap place) {
        return areShifted(places.front(), place);
      }))
    return false;
  int64_t count = first.getNumInstances() * static_cast<int64_t>(places.size());
  int64_t times = llvm::divideCeil(count, producer.getNumInstances());
  return times <= kMaxRecomputedOperations / countOperations(producer);
}

namespace {

struct ScopInlineProducers
    : grout::scop::impl::ScopInlineProducersBase<ScopInlineProducers> {
  using Base::Base;

  void runOnOperation() override {
    if (ratio < 1) {
      emitError(getOperation()->getLoc()) << "ratio must be at least 1";
      return signalPassFailure();
    }
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.getSchedule() || kernel.getTree())
        return;
      // Copying one producer may make it worthwhile to copy its own producers.
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
  /// Whether the value of `producer` can be computed anywhere after it.
  bool canCopy(StmtOp producer);
  /// Whether `producer` depends only on inputs, directly or indirectly. A
  /// producer that depends on a reduction of the kernel, such as the mean of a
  /// row, stays where it is.
  bool dependsOnInputs(StmtOp producer);
  bool isWorthCopying(StmtOp producer, StmtOp reader, ArrayRef<StmtOp> readers);
  /// Copies `producer` into those of `readers` for which that is worth it.
  /// Returns whether there were any.
  bool inlineInto(StmtOp producer, ArrayRef<StmtOp> readers);
};

} // namespace

bool ScopInlineProducers::canCopy(StmtOp producer) {
  if (producer.isReduction() || producer.getWrites().size() != 1)
    return false;
  Value array = producer.getWrites().front();
  if (!array.getDefiningOp<LocalOp>() || producer.reads(array))
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
                                         ArrayRef<StmtOp> readers) {
  int64_t points = producer.getNumInstances(),
          ofReader = reader.getNumInstances();
  Value array = producer.getWrites().front();
  bool isPointwiseOnly = true, hasNoOrder = true;
  llvm::SmallDenseSet<AffineMap> maps;
  for (auto [index, read] : llvm::enumerate(reader.getReads())) {
    if (read != array)
      continue;
    AffineMap map = reader.getReadMap(index);
    auto iterators = getWritingIterators(producer, map);
    if (!iterators)
      return false;
    isPointwiseOnly &= isPointwise(producer, reader, *iterators);
    hasNoOrder &= copiesForAnyOrder(producer, reader, *iterators);
    maps.insert(map);
  }
  if (points == 1 && dependsOnInputs(producer))
    return true;
  if (points <= ofReader / ratio && hasFewCalls(producer, readers) &&
      dependsOnInputs(producer))
    return true;
  if (isCheaperThanRead(producer, readers))
    return true;
  if (isCheapInWindow(producer, readers))
    return true;
  int64_t numReads = maps.size();
  // The two statements can share loops.
  if (readers.size() == 1 && isPointwiseOnly && numReads == 1)
    return false;
  if (copiesInput(producer) || hasNoOrder)
    return true;
  // Readers that read the values from memory should read narrow ones.
  if (widens(producer) && readsInOrder(producer) &&
      llvm::any_of(readers, combinesMany))
    return true;
  // The elements are read again in any case, and a mean is few numbers.
  if (isDifferenceFromMean(producer) &&
      llvm::any_of(readers, isCombinedWithMany))
    return true;
  if (numReads > 1 && countOperations(producer) > kMaxOperations)
    return false;
  if (readers.size() != 1)
    return false;
  if (ofReader <= kMaxRecomputation / numReads * points)
    return true;
  // A reduction over a window reads values again and again that take little
  // work.
  int64_t times = llvm::divideCeil(ofReader, points);
  return reader.isReduction() &&
         times <=
             kMaxRecomputedOperations / (countOperations(producer) * numReads);
}

bool ScopInlineProducers::inlineInto(StmtOp producer,
                                     ArrayRef<StmtOp> readers) {
  Value array = producer.getWrites().front();
  bool changed = false;
  for (StmtOp reader : readers) {
    if (!isWorthCopying(producer, reader, readers)) {
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
    inlineStatement(producer, reader);
  }
  if (!getReaders(array).empty())
    return changed;
  producer.erase();
  array.getDefiningOp()->erase();
  return true;
}
