//===- KernelShape.cpp - A scheduled kernel as loops and phases -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ThreadMapping/KernelShape.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

int64_t KernelShape::getOuterSize() const {
  int64_t size = 1;
  for (int64_t extent : ArrayRef(extents).take_front(numOuter))
    size *= extent;
  return size;
}

int64_t KernelShape::getInnerSize() const {
  int64_t size = 1;
  for (int64_t extent : ArrayRef(extents).drop_front(numOuter))
    size *= extent;
  return size;
}

bool KernelShape::sharesInnerLoops() const {
  return llvm::any_of(
      ArrayRef(marks).drop_front(numOuter), [](const LoopMark &mark) {
        std::optional<Mapping> mapping = mark.execution.getMapping();
        return mapping == Mapping::ThreadX || mapping == Mapping::ThreadY;
      });
}

std::optional<unsigned> KernelShape::getTileLoop() const {
  for (auto [loop, mark] :
       llvm::enumerate(ArrayRef(marks).take_front(numOuter)))
    if (mark.execution.getMapping() == Mapping::ThreadY)
      return loop;
  return std::nullopt;
}

bool KernelShape::dependsOnInner(const StridedAccess &access) const {
  return llvm::any_of(llvm::seq(numOuter, getNumLoops()),
                      [&](unsigned loop) { return access.dependsOn(loop); });
}

bool KernelShape::covers(const StridedAccess &access, int64_t elements) const {
  SmallVector<std::pair<int64_t, int64_t>> loops;
  for (auto [stride, extent] : llvm::zip_equal(access.strides, extents))
    if (stride != 0)
      loops.emplace_back(stride, extent);
  llvm::sort(loops);
  // Each loop must continue where the loops inside of it end.
  int64_t reached = 1;
  for (auto [stride, extent] : loops) {
    if (stride != reached)
      return false;
    reached *= extent;
  }
  return reached == elements;
}

void KernelShape::forEachGlobalAccess(
    function_ref<void(const StridedAccess &)> visit) {
  for (Phase &phase : phases)
    for (PhaseStatement &statement : phase.statements)
      for (auto *accesses : {&statement.reads, &statement.writes})
        for (StridedAccess &access : *accesses)
          if (isa<BlockArgument>(access.array))
            visit(access);
}

/// Whether one of the statements writes an array that the other accesses.
static bool sharesArrays(StmtOp a, StmtOp b) {
  auto accesses = [](StmtOp op, Value array) {
    return op.reads(array) || op.writes(array);
  };
  return llvm::any_of(a.getWrites(),
                      [&](Value array) { return accesses(b, array); }) ||
         llvm::any_of(b.getWrites(),
                      [&](Value array) { return accesses(a, array); });
}

namespace {

/// Builds the shape from the schedule.
class ShapeBuilder {
public:
  ShapeBuilder(KernelOp kernel,
               function_ref<StridedLayoutAttr(Value array)> getLayout)
      : kernel(kernel), schedule(*kernel.getSchedule()), getLayout(getLayout) {}

  FailureOr<KernelShape> build();

private:
  /// A statement, and the loops that its iterators have so far.
  struct Member {
    StmtOp op;
    AffineMap map;
    SmallVector<std::optional<unsigned>> loops;
  };

  /// Returns the iterator that row `dim` of the statement is; none if the row
  /// is 0.
  FailureOr<std::optional<unsigned>> getIterator(const Member &member,
                                                 unsigned dim);
  /// Makes dimension `dim` loop number `loop` for each of `members` that
  /// iterates along it. Adds the loop if there is none with that number yet.
  LogicalResult useLoop(MutableArrayRef<Member> members, unsigned dim,
                        unsigned loop);
  /// Adds the phases of `members`, from dimension `dim` on, inside of `inner`
  /// inner loops.
  LogicalResult addPhases(std::vector<Member> members, unsigned dim,
                          unsigned inner);
  LogicalResult addPhase(ArrayRef<Member> members, unsigned inner);
  StridedAccess getAccess(const Member &member, Value array, AffineMap map);

  KernelOp kernel;
  ScheduleAttr schedule;
  function_ref<StridedLayoutAttr(Value array)> getLayout;
  KernelShape shape;
};

} // namespace

FailureOr<std::optional<unsigned>>
ShapeBuilder::getIterator(const Member &member, unsigned dim) {
  AffineExpr row = member.map.getResult(dim);
  if (auto iterator = dyn_cast<AffineDimExpr>(row))
    return std::optional<unsigned>(iterator.getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(row);
      constant && constant.getValue() == 0)
    return std::optional<unsigned>();
  StmtOp op = member.op;
  return op.emitOpError() << "cannot be compiled for a GPU: dimension " << dim
                          << " of its schedule is neither an iterator nor 0";
}

/// Whether two dimensions have the same marks.
static bool isSame(ExecutionAttr a, ExecutionAttr b) {
  return a.getMapping() == b.getMapping() &&
         a.getVectorWidth() == b.getVectorWidth() &&
         a.getMasked() == b.getMasked();
}

LogicalResult ShapeBuilder::useLoop(MutableArrayRef<Member> members,
                                    unsigned dim, unsigned loop) {
  DimAttr attr = schedule.getDims()[dim];
  LoopMark mark = {dim, attr.getExecution(),
                   attr.getCoincident() || attr.getReductionParallel()};
  for (Member &member : members) {
    FailureOr<std::optional<unsigned>> iterator = getIterator(member, dim);
    if (failed(iterator))
      return failure();
    StmtOp op = member.op;
    if (!*iterator || op.getExtents()[**iterator] == 1)
      continue;
    int64_t extent = op.getExtents()[**iterator];
    if (loop == shape.getNumLoops()) {
      shape.extents.push_back(extent);
      shape.marks.push_back(mark);
    }
    LoopMark &known = shape.marks[loop];
    if (!isSame(known.execution, mark.execution))
      return op.emitOpError()
             << "cannot be compiled for a GPU: dimensions " << known.dim
             << " and " << dim
             << " of its schedule are one loop, but are marked differently";
    known.isParallel &= mark.isParallel;
    if (shape.extents[loop] != extent)
      return op.emitOpError()
             << "cannot be compiled for a GPU: it has " << extent
             << " iterations where another statement of its kernel has "
             << shape.extents[loop];
    member.loops[**iterator] = loop;
  }
  return success();
}

StridedAccess ShapeBuilder::getAccess(const Member &member, Value array,
                                      AffineMap map) {
  StridedAccess access;
  access.array = array;
  auto type = cast<MemRefType>(array.getType());
  access.elementType = type.getElementType();
  MLIRContext *context = kernel.getContext();
  AffineExpr element = getAffineConstantExpr(0, context);
  SmallVector<int64_t> strides;
  if (isa<BlockArgument>(array)) {
    StridedLayoutAttr layout = getLayout(array);
    element = element + layout.getOffset();
    strides = llvm::to_vector(layout.getStrides());
  } else {
    strides = type.getStridesAndOffset().first;
  }
  SmallVector<AffineExpr> loops;
  for (std::optional<unsigned> loop : member.loops)
    loops.push_back(loop ? getAffineDimExpr(*loop, context)
                         : getAffineConstantExpr(0, context));
  for (auto [result, stride] : llvm::zip_equal(map.getResults(), strides))
    element = element + result.replaceDims(loops) * stride;
  setElement(access, element, shape.extents);
  return access;
}

LogicalResult ShapeBuilder::addPhase(ArrayRef<Member> members, unsigned inner) {
  Phase phase;
  phase.hasInnerLoops = inner != 0;
  for (const Member &member : members) {
    StmtOp op = member.op;
    PhaseStatement statement;
    statement.op = op;
    statement.loops = member.loops;
    for (auto [index, array] : llvm::enumerate(op.getReads()))
      statement.reads.push_back(getAccess(member, array, op.getReadMap(index)));
    for (auto [index, array] : llvm::enumerate(op.getWrites())) {
      StridedAccess access = getAccess(member, array, op.getWriteMap(index));
      if (access.rest)
        return op.emitOpError() << "cannot be compiled for a GPU: index of a "
                                << "write is not linear";
      statement.writes.push_back(std::move(access));
    }
    for (int64_t iterator : op.getReductions())
      if (std::optional<unsigned> loop = member.loops[iterator]) {
        if (*loop < shape.numOuter)
          return op.emitOpError() << "cannot be compiled for a GPU: it "
                                  << "combines over a parallel loop";
        statement.isReduction = true;
      }
    phase.statements.push_back(std::move(statement));
  }
  shape.phases.push_back(std::move(phase));
  return success();
}

LogicalResult ShapeBuilder::addPhases(std::vector<Member> members, unsigned dim,
                                      unsigned inner) {
  if (dim == schedule.getDims().size()) {
    // All phases with inner loops must have the same inner loops.
    unsigned numInner = shape.getNumLoops() - shape.numOuter;
    if (inner != 0 && inner != numInner)
      return members.front().op.emitOpError()
             << "cannot be compiled for a GPU: it has " << inner
             << " loops of its own, but others in its kernel " << numInner;
    return addPhase(members, inner);
  }
  if (schedule.getDims()[dim].getKind() == DimKind::Sequence) {
    std::map<int64_t, std::vector<Member>> groups;
    for (Member &member : members) {
      auto time = cast<AffineConstantExpr>(member.map.getResult(dim));
      groups[time.getValue()].push_back(std::move(member));
    }
    if (inner == 0 || groups.size() == 1) {
      for (auto &group : groups)
        if (failed(addPhases(std::move(group.second), dim + 1, inner)))
          return failure();
      return success();
    }
    // At a point of the inner loops, statements run one after another.
    members.clear();
    for (auto &group : groups)
      for (Member &member : group.second)
        members.push_back(std::move(member));
    for (const Member &member : members)
      for (unsigned later = dim; later != schedule.getDims().size(); ++later)
        if (!isa<AffineConstantExpr>(member.map.getResult(later)))
          return StmtOp(member.op).emitOpError()
                 << "cannot be compiled for a GPU: it has loops of its own "
                 << "within a loop that it shares";
    llvm::stable_sort(members, [&](const Member &a, const Member &b) {
      for (unsigned later = dim; later != schedule.getDims().size(); ++later) {
        auto ofA = cast<AffineConstantExpr>(a.map.getResult(later));
        auto ofB = cast<AffineConstantExpr>(b.map.getResult(later));
        if (ofA.getValue() != ofB.getValue())
          return ofA.getValue() < ofB.getValue();
      }
      return false;
    });
    return addPhases(std::move(members), schedule.getDims().size(), inner);
  }

  std::vector<Member> single, iterating;
  for (Member &member : members) {
    FailureOr<std::optional<unsigned>> iterator = getIterator(member, dim);
    if (failed(iterator))
      return failure();
    bool iterates = *iterator && member.op.getExtents()[**iterator] != 1;
    (iterates ? iterating : single).push_back(std::move(member));
  }
  if (iterating.empty())
    return addPhases(std::move(single), dim + 1, inner);
  // Statements that do not iterate come first, in a phase of their own, unless
  // they depend on the others. Dependences follow the order of statements in
  // the kernel.
  for (const Member &member : single)
    for (const Member &other : iterating)
      if (inner != 0 || (sharesArrays(member.op, other.op) &&
                         StmtOp(other.op)->isBeforeInBlock(member.op)))
        return StmtOp(member.op).emitOpError()
               << "cannot be compiled for a GPU: it stands in a loop of other "
               << "statements without iterating";
  if (!single.empty() && failed(addPhases(std::move(single), dim + 1, inner)))
    return failure();

  // Uses a loop of an earlier phase, if there is one, else adds a loop.
  unsigned loop = shape.numOuter + inner;
  if (failed(useLoop(iterating, dim, loop)))
    return failure();
  return addPhases(std::move(iterating), dim + 1, inner + 1);
}

FailureOr<KernelShape> ShapeBuilder::build() {
  std::vector<Member> members;
  for (StmtOp op : kernel.getStatements()) {
    Member member = {op, schedule.getMap(op.getSymName()), {}};
    member.loops.resize(op.getNumIterators());
    members.push_back(std::move(member));
  }
  unsigned dim = 0;
  for (; dim != schedule.getDims().size(); ++dim) {
    DimAttr attr = schedule.getDims()[dim];
    if (attr.getKind() != DimKind::Linear || !attr.getCoincident())
      break;
    if (failed(useLoop(members, dim, shape.getNumLoops())))
      return failure();
  }
  shape.numOuter = shape.extents.size();

  // Strides need the number of inner loops. So the first pass counts the loops,
  // and the second computes the accesses.
  if (failed(addPhases(members, dim, 0)))
    return failure();
  shape.phases.clear();
  if (failed(addPhases(std::move(members), dim, 0)))
    return failure();
  if (failed(checkMarks(kernel, shape)))
    return failure();
  return shape;
}

StridedLayoutAttr scop::getWholeLayout(Value array) {
  auto type = cast<MemRefType>(array.getType());
  return StridedLayoutAttr::get(type.getContext(), /*offset=*/0,
                                type.getStridesAndOffset().first);
}

FailureOr<KernelShape>
scop::getKernelShape(KernelOp kernel,
                     function_ref<StridedLayoutAttr(Value array)> getLayout) {
  if (!kernel.getSchedule())
    return kernel.emitOpError("has no schedule; run scop-schedule first");
  return ShapeBuilder(kernel, getLayout).build();
}
