//===- ScopSplitLoops.cpp - Splits loops that accesses divide -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "StripMine.h"
#include "grout/Dialect/Scop/IR/IndexSum.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "scop-split-loops"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPSPLITLOOPS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout::scop;

namespace {

/// A division of an iterator, or a remainder. The divisor divides its extent.
struct Division {
  unsigned iterator;
  int64_t divisor;
};

/// An iterator of a StmtOp, or a dimension of a LocalOp.
using Axis = std::pair<Operation *, unsigned>;

/// Classes of axes that are split together. If a loop is split, so are the
/// dimension of a local that it goes along, and all loops along that dimension.
using AxisClasses = llvm::EquivalenceClasses<Axis>;

} // namespace

/// Returns the division in the accesses of `op` with the smallest divisor.
static std::optional<Division> findDivision(StmtOp op) {
  std::optional<Division> best;
  auto visit = [&](AffineExpr expr) {
    if (expr.getKind() != AffineExprKind::FloorDiv &&
        expr.getKind() != AffineExprKind::Mod)
      return;
    auto binary = cast<AffineBinaryOpExpr>(expr);
    auto iterator = dyn_cast<AffineDimExpr>(binary.getLHS());
    if (!iterator)
      return;
    int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    int64_t extent = op.getExtents()[iterator.getPosition()];
    if (divisor < extent && extent % divisor == 0 &&
        (!best || divisor < best->divisor))
      best = {iterator.getPosition(), divisor};
  };
  for (ArrayAttr maps : {op.getReadMaps(), op.getWriteMaps()})
    for (AffineMap map : maps.getAsValueRange<AffineMapAttr>())
      map.walkExprs(visit);
  return best;
}

/// Returns the axes of `kernel`. Axes that accesses connect are in one class,
/// but for the dimensions `whole`.
static AxisClasses findAxes(KernelOp kernel, ArrayRef<Axis> whole) {
  AxisClasses axes;
  for (StmtOp op : kernel.getStatements()) {
    auto addAccess = [&](Value array, AffineMap map) {
      auto local = array.getDefiningOp<LocalOp>();
      if (!local)
        return;
      ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
      for (auto [dim, index] : llvm::enumerate(map.getResults()))
        if (auto iterator = dyn_cast<AffineDimExpr>(index))
          if (op.getExtents()[iterator.getPosition()] == shape[dim] &&
              !llvm::is_contained(whole, Axis(local, dim)))
            axes.unionSets(Axis(op, iterator.getPosition()), Axis(local, dim));
    };
    for (unsigned i = 0, e = op.getNumIterators(); i != e; ++i)
      axes.insert(Axis(op, i));
    for (auto [index, array] : llvm::enumerate(op.getReads()))
      addAccess(array, op.getReadMap(index));
    for (auto [index, array] : llvm::enumerate(op.getWrites()))
      addAccess(array, op.getWriteMap(index));
  }
  return axes;
}

/// Whether a statement goes along `axis` in order, and not as a reduction. Its
/// loop can only be distributed to threads if it is not split.
static bool isInOrder(const Axis &axis) {
  auto op = dyn_cast<StmtOp>(axis.first);
  if (!op || llvm::is_contained(op.getReductions(), int64_t(axis.second)))
    return false;
  return llvm::none_of(
      op.getWriteMaps().getAsValueRange<AffineMapAttr>(),
      [&](AffineMap map) { return map.isFunctionOfDim(axis.second); });
}

static bool isLinear(AffineExpr index, ArrayRef<int64_t> extents) {
  index = simplifyAffineExpr(index, extents.size(), /*numSymbols=*/0);
  return IndexSum(index, extents).getNumDivisions() == 0;
}

/// Whether `index` stays linear if its dimension of a local is split: if it is
/// a sum of iterators, then both parts of it must be sums of iterators.
/// Iterators of `op` that are in `axes` are split, too. Their inner loops have
/// extent `inner`.
static bool staysLinear(StmtOp op, AffineExpr index, ArrayRef<Axis> axes,
                        int64_t inner) {
  unsigned numIterators = op.getNumIterators();
  SmallVector<int64_t> extents(op.getExtents());
  extents.append(numIterators, 1);
  SmallVector<AffineExpr> iterators;
  for (unsigned i = 0; i != numIterators; ++i) {
    AffineExpr iterator = getAffineDimExpr(i, op.getContext());
    if (llvm::is_contained(axes, Axis(op, i))) {
      iterator = iterator * inner +
                 getAffineDimExpr(numIterators + i, op.getContext());
      extents[i] /= inner;
      extents[numIterators + i] = inner;
    }
    iterators.push_back(iterator);
  }
  AffineExpr divided = index.replaceDims(iterators);
  return !isLinear(index, op.getExtents()) ||
         (isLinear(divided.floorDiv(inner), extents) &&
          isLinear(divided % inner, extents));
}

/// Whether all accesses to `dim` of `local` stay linear if that is split.
static bool staysLinear(LocalOp local, unsigned dim, ArrayRef<Axis> axes,
                        int64_t inner) {
  auto stay = [&](StmtOp op, ArrayAttr maps, OperandRange arrays) {
    return llvm::all_of(
        llvm::zip_equal(maps.getAsValueRange<AffineMapAttr>(), arrays),
        [&](auto access) {
          auto [map, array] = access;
          return array != local.getArray() ||
                 staysLinear(op, map.getResult(dim), axes, inner);
        });
  };
  return llvm::all_of(local->getParentOfType<KernelOp>().getStatements(),
                      [&](StmtOp op) {
                        return stay(op, op.getReadMaps(), op.getReads()) &&
                               stay(op, op.getWriteMaps(), op.getWrites());
                      });
}

/// Returns the axes that are split together with the iterator `own`. Their
/// inner parts have extent `inner`.
static SmallVector<Axis> findSplitAxes(KernelOp kernel, const Axis &own,
                                       int64_t inner) {
  // Dimensions of locals that are not split. Accesses to them connect nothing.
  SmallVector<Axis> whole;
  while (true) {
    AxisClasses all = findAxes(kernel, whole);
    SmallVector<Axis> axes(all.members(own));
    if (llvm::any_of(axes, isInOrder))
      return {own};
    auto bent = llvm::find_if(axes, [&](const Axis &axis) {
      auto local = dyn_cast<LocalOp>(axis.first);
      return local && !staysLinear(local, axis.second, axes, inner);
    });
    if (bent != axes.end()) {
      whole.push_back(*bent);
      continue;
    }
    // Split later axes first, as a split renumbers the axes behind it.
    llvm::sort(axes, std::greater<Axis>());
    return axes;
  }
}

static AffineMap simplifyMap(AffineMap map, ArrayRef<int64_t> extents) {
  return AffineMap::get(
      map.getNumDims(), 0,
      llvm::map_to_vector(map.getResults(),
                          [&](AffineExpr index) {
                            index = simplifyAffineExpr(index, extents.size(),
                                                       /*numSymbols=*/0);
                            return IndexSum(index, extents).getExpr();
                          }),
      map.getContext());
}

static ArrayAttr simplifyMaps(ArrayAttr maps, ArrayRef<int64_t> extents) {
  return Builder(maps.getContext())
      .getAffineMapArrayAttr(llvm::map_to_vector(
          maps.getAsValueRange<AffineMapAttr>(),
          [&](AffineMap map) { return simplifyMap(map, extents); }));
}

/// Replaces index `dim` of `map` by its quotient and its remainder.
static AffineMap divideIndex(AffineMap map, unsigned dim, int64_t divisor) {
  SmallVector<AffineExpr> results(map.getResults());
  AffineExpr index = results[dim];
  results[dim] = index.floorDiv(divisor);
  results.insert(results.begin() + dim + 1, index % divisor);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// Splits dimension `dim`. The inner dimension has extent `inner`.
static void splitDimension(LocalOp local, unsigned dim, int64_t inner) {
  MemRefType type = local.getType();
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= inner;
  shape.insert(shape.begin() + dim + 1, inner);
  Value array = local.getArray();
  array.setType(MemRefType::get(shape, type.getElementType()));
  for (StmtOp op : local->getParentOfType<KernelOp>().getStatements()) {
    auto divide = [&](ArrayAttr maps, OperandRange arrays) {
      SmallVector<Attribute> divided(maps.getValue());
      for (auto [map, accessed] : llvm::zip_equal(divided, arrays))
        if (accessed == array)
          map = AffineMapAttr::get(
              divideIndex(cast<AffineMapAttr>(map).getValue(), dim, inner));
      return ArrayAttr::get(maps.getContext(), divided);
    };
    op.setReadMapsAttr(divide(op.getReadMaps(), op.getReads()));
    op.setWriteMapsAttr(divide(op.getWriteMaps(), op.getWrites()));
  }
}

namespace {

struct ScopSplitLoops : grout::scop::impl::ScopSplitLoopsBase<ScopSplitLoops> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.getSchedule() || kernel.getTree())
        return;
      while (splitOne(kernel)) {
      }
    });
  }

private:
  /// Splits a loop that an access divides. Returns whether there was one.
  bool splitOne(KernelOp kernel);
};

} // namespace

bool ScopSplitLoops::splitOne(KernelOp kernel) {
  for (StmtOp op : kernel.getStatements()) {
    std::optional<Division> division = findDivision(op);
    if (!division)
      continue;
    LDBG() << op.getSymName() << ": loop " << division->iterator << " of "
           << op.getExtents()[division->iterator]
           << " becomes two, the inner one of " << division->divisor
           << ", by which an access divides";
    ++numSplit;
    for (auto [owner, number] : findSplitAxes(
             kernel, Axis(op, division->iterator), division->divisor)) {
      if (auto local = dyn_cast<LocalOp>(owner)) {
        splitDimension(local, number, division->divisor);
        continue;
      }
      auto statement = cast<StmtOp>(owner);
      stripMine(statement, number,
                statement.getExtents()[number] / division->divisor);
    }
    for (StmtOp changed : kernel.getStatements()) {
      ArrayRef<int64_t> extents = changed.getExtents();
      changed.setReadMapsAttr(simplifyMaps(changed.getReadMaps(), extents));
      changed.setWriteMapsAttr(simplifyMaps(changed.getWriteMaps(), extents));
    }
    return true;
  }
  return false;
}
