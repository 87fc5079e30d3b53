//===- ScopCollapseLoops.cpp - Collapses loops ----------------------------===//
//
// Part of Grout. First assumes that all neighbouring iterators and all
// neighbouring dimensions can be joined. Then separates those that an access
// contradicts, until no access contradicts any.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/IndexSum.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Support/Reshapes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "scop-collapse-loops"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPCOLLAPSELOOPS
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Vectors should have a multiple of this many elements.
static constexpr int64_t kVectorElements = 4;
/// An array is small if a statement has this many times more points.
static constexpr int64_t kFewElements = 16;

namespace {

/// The iterators of a statement, or the dimensions of an array. Neighbours may
/// be joined. Axes of extent 1 are dropped.
struct Axes {
  /// Makes axes of `extents`. Drops those of extent 1, unless `keepsUnits`.
  explicit Axes(ArrayRef<int64_t> extents, bool keepsUnits = false);

  unsigned size() const { return kept.size(); }
  /// Return the first of the axes that are joined with `axis`, and the axis
  /// after the last of them.
  unsigned getFirst(unsigned axis) const;
  unsigned getEnd(unsigned axis) const;
  /// Returns the extents after joining.
  SmallVector<int64_t> getJoinedExtents() const;

  /// The original positions of the axes that are not dropped, and their
  /// extents.
  SmallVector<unsigned> kept;
  SmallVector<int64_t> extents;
  /// Whether an axis and the next one are joined.
  SmallVector<bool> joinsNext;
};

/// An access as a function of the iterators that are not dropped.
struct Access {
  Value array;
  /// A subscript for each dimension that is not dropped.
  SmallVector<IndexSum> subscripts;
};

struct Statement {
  StmtOp op;
  Axes iterators;
  SmallVector<Access> reads, writes;
};

/// Collapses one kernel.
class Collapse {
public:
  explicit Collapse(KernelOp kernel);
  void run();

private:
  Access getAccess(const Statement &statement, Value array, AffineMap map);
  /// Returns the subscript of dimensions [begin, end) as one dimension.
  IndexSum getSubscript(const Access &access, unsigned begin, unsigned end);
  /// Whether `access` goes along iterators `outer` and `outer` + 1 like along
  /// one.
  bool walksAsOne(const Access &access, unsigned outer, int64_t inner);
  /// Whether `access` may divide the joined iterator of `outer` and `outer` +
  /// 1. It may if it reads a small array, and there are no vectors otherwise.
  bool mayDivide(const Statement &statement, const Access &access,
                 unsigned outer);
  bool allowsDims(const Statement &statement, const Access &access,
                  unsigned dim);
  /// Separates axes that an access contradicts. Returns whether there were any.
  bool separate();

  AffineMap getNewMap(const Statement &statement, const Access &access);
  void rewriteIndices(const Statement &statement);
  void rewriteStatement(const Statement &statement);
  MemRefType getNewType(Value array);
  Value collapseOperand(OpBuilder &builder, OpOperand &operand);
  void rewriteKernel();

  KernelOp kernel;
  llvm::MapVector<Value, Axes> arrays;
  std::vector<Statement> statements;
};

} // namespace

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

Axes::Axes(ArrayRef<int64_t> allExtents, bool keepsUnits) {
  for (auto [position, extent] : llvm::enumerate(allExtents))
    if (extent != 1 || keepsUnits) {
      kept.push_back(position);
      extents.push_back(extent);
    }
  joinsNext.assign(kept.size(), !keepsUnits);
  if (!kept.empty())
    joinsNext.back() = false;
}

unsigned Axes::getFirst(unsigned axis) const {
  while (axis != 0 && joinsNext[axis - 1])
    --axis;
  return axis;
}

unsigned Axes::getEnd(unsigned axis) const {
  while (joinsNext[axis])
    ++axis;
  return axis + 1;
}

SmallVector<int64_t> Axes::getJoinedExtents() const {
  SmallVector<int64_t> result;
  int64_t product = 1;
  for (auto [extent, joins] : llvm::zip_equal(extents, joinsNext)) {
    product *= extent;
    if (joins)
      continue;
    result.push_back(product);
    product = 1;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Axes that can be joined
//===----------------------------------------------------------------------===//

/// Whether the elements of `tensor` may have gaps between them in memory. Such
/// a tensor cannot be reshaped.
static bool hasGaps(Value tensor) {
  return getReshaped(tensor).getDefiningOp<tensor::ExtractSliceOp>() != nullptr;
}

Collapse::Collapse(KernelOp kernel) : kernel(kernel) {
  auto addArray = [&](Value array, bool isFixed) {
    ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
    arrays.insert({array, Axes(shape, isFixed)});
  };
  for (OpOperand &operand : kernel->getOpOperands()) {
    BlockArgument array = kernel.getArgument(operand);
    if (isa<MemRefType>(array.getType()))
      addArray(array, array.use_empty() || hasGaps(operand.get()) ||
                          llvm::any_of(array.getUsers(),
                                       llvm::IsaPred<GatherOp, ScatterOp>));
  }
  for (auto local : kernel.getBody().getOps<LocalOp>())
    addArray(local.getArray(), /*isFixed=*/false);

  for (StmtOp op : kernel.getStatements()) {
    Statement statement{op, Axes(op.getExtents()), {}, {}};
    // A reduction loop and another loop are not joined.
    auto isReduction = [&](unsigned iterator) {
      return llvm::is_contained(op.getReductions(),
                                int64_t(statement.iterators.kept[iterator]));
    };
    for (unsigned i = 0; i + 1 < statement.iterators.size(); ++i)
      statement.iterators.joinsNext[i] = isReduction(i) == isReduction(i + 1);
    for (auto [index, array] : llvm::enumerate(op.getReads()))
      statement.reads.push_back(
          getAccess(statement, array, op.getReadMap(index)));
    for (auto [index, array] : llvm::enumerate(op.getWrites()))
      statement.writes.push_back(
          getAccess(statement, array, op.getWriteMap(index)));
    statements.push_back(std::move(statement));
  }
}

Access Collapse::getAccess(const Statement &statement, Value array,
                           AffineMap map) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> iterators(map.getNumDims(),
                                    getAffineConstantExpr(0, context));
  for (auto [position, kept] : llvm::enumerate(statement.iterators.kept))
    iterators[kept] = getAffineDimExpr(position, context);
  Access access{array, {}};
  for (unsigned dim : arrays.find(array)->second.kept)
    access.subscripts.emplace_back(map.getResult(dim).replaceDims(iterators),
                                   statement.iterators.extents);
  return access;
}

IndexSum Collapse::getSubscript(const Access &access, unsigned begin,
                                unsigned end) {
  const Axes &dims = arrays.find(access.array)->second;
  IndexSum sum(kernel.getContext());
  int64_t stride = 1;
  for (unsigned dim = end; dim-- > begin;) {
    sum.add(access.subscripts[dim], stride);
    stride *= dims.extents[dim];
  }
  return sum;
}

bool Collapse::walksAsOne(const Access &access, unsigned outer,
                          int64_t innerExtent) {
  const Axes &dims = arrays.find(access.array)->second;
  for (unsigned dim = 0; dim < dims.size(); dim = dims.getEnd(dim))
    if (!getSubscript(access, dim, dims.getEnd(dim))
             .walksAsOne(outer, innerExtent))
      return false;
  return true;
}

bool Collapse::mayDivide(const Statement &statement, const Access &access,
                         unsigned outer) {
  const Axes &iterators = statement.iterators;
  auto getSize = [](ArrayRef<int64_t> extents) {
    return *grout::getSize(extents);
  };
  if (iterators.getEnd(outer + 1) != iterators.size() ||
      getSize(ArrayRef(iterators.extents).drop_front(outer + 1)) %
              kVectorElements ==
          0)
    return false;
  auto forbids = [&](StmtOp op) {
    return op.isReduction() || op.writes(access.array);
  };
  return isa<BlockArgument>(access.array) &&
         llvm::none_of(kernel.getStatements(), forbids) &&
         getSize(arrays.find(access.array)->second.extents) <=
             getSize(iterators.extents) / kFewElements;
}

bool Collapse::allowsDims(const Statement &statement, const Access &access,
                          unsigned dim) {
  const Axes &dims = arrays.find(access.array)->second;
  unsigned begin = dims.getFirst(dim), end = dims.getEnd(dim);
  IndexSum outer = getSubscript(access, begin, dim + 1);
  IndexSum inner = getSubscript(access, dim + 1, end);
  if (outer.isConstant() && inner.isConstant())
    return true;
  // The subscripts are two joined iterators, and the outer one continues where
  // the inner one ends.
  int64_t size = 1;
  for (int64_t extent : ArrayRef(dims.extents).slice(dim + 1, end - dim - 1))
    size *= extent;
  const Axes &iterators = statement.iterators;
  for (unsigned i = 0; i + 1 < iterators.size(); ++i)
    if (iterators.joinsNext[i] && outer.getFactor(i) != 0 &&
        outer.getFactor(i) * size ==
            inner.getFactor(i + 1) * iterators.extents[i + 1])
      return true;
  // The subscripts are quotient and remainder of the same number.
  IndexSum sum = inner;
  sum.add(outer, size);
  return sum.getNumDivisions() <
         outer.getNumDivisions() + inner.getNumDivisions();
}

bool Collapse::separate() {
  bool separated = false;
  auto keep = [&](bool isAllowed) {
    separated |= !isAllowed;
    return isAllowed;
  };
  for (Statement &statement : statements)
    for (const Access &access :
         llvm::concat<const Access>(statement.reads, statement.writes)) {
      Axes &iterators = statement.iterators;
      for (unsigned i = 0; i + 1 < iterators.size(); ++i)
        if (iterators.joinsNext[i])
          iterators.joinsNext[i] =
              keep(walksAsOne(access, i, iterators.extents[i + 1]) ||
                   mayDivide(statement, access, i));
      Axes &dims = arrays.find(access.array)->second;
      for (unsigned dim = 0; dim + 1 < dims.size(); ++dim)
        if (dims.joinsNext[dim])
          dims.joinsNext[dim] = keep(allowsDims(statement, access, dim));
    }
  return separated;
}

/// Reports the loops that `statement` will have.
static void reportStatement(const Statement &statement) {
  StmtOp op = statement.op;
  LDBG() << op.getSymName() << ": loops of "
         << llvm::interleaved_array(op.getExtents()) << " become "
         << llvm::interleaved_array(statement.iterators.getJoinedExtents());
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

AffineMap Collapse::getNewMap(const Statement &statement,
                              const Access &access) {
  MLIRContext *context = kernel.getContext();
  const Axes &iterators = statement.iterators;
  bool isOne = true;
  for (unsigned i = 0; i + 1 < iterators.size(); ++i)
    isOne &= !iterators.joinsNext[i] ||
             walksAsOne(access, i, iterators.extents[i + 1]);
  // For each joined pair, the joined iterator takes the number of the inner
  // one, and stands for outer x extent + inner. Elsewhere, the old iterators
  // are quotients and remainders of the joined one.
  SmallVector<AffineExpr> replacements;
  unsigned numIterators = 0;
  for (auto [i, joins] : llvm::enumerate(iterators.joinsNext)) {
    AffineExpr joined = getAffineDimExpr(numIterators, context);
    if (isOne && joins)
      replacements.push_back(getAffineConstantExpr(0, context));
    else if (isOne)
      replacements.push_back(joined);
    else
      replacements.push_back(
          joined.floorDiv(*getSize(ArrayRef(iterators.extents)
                                       .take_front(iterators.getEnd(i))
                                       .drop_front(i + 1))) %
          iterators.extents[i]);
    numIterators += !joins;
  }
  SmallVector<int64_t> extents = iterators.getJoinedExtents();
  const Axes &dims = arrays.find(access.array)->second;
  SmallVector<AffineExpr> results;
  for (unsigned dim = 0; dim < dims.size(); dim = dims.getEnd(dim)) {
    AffineExpr index = getSubscript(access, dim, dims.getEnd(dim))
                           .getExpr()
                           .replaceDims(replacements);
    results.push_back(isOne ? index : IndexSum(index, extents).getExpr());
  }
  return AffineMap::get(numIterators, 0, results, context);
}

void Collapse::rewriteIndices(const Statement &statement) {
  const Axes &iterators = statement.iterators;
  SmallVector<IndexOp> indices;
  StmtOp op = statement.op;
  op.getBody().walk([&](IndexOp index) { indices.push_back(index); });
  for (IndexOp index : indices) {
    OpBuilder builder(index);
    Location loc = index.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    const auto *kept = llvm::find(iterators.kept, index.getIterator());
    Value value;
    if (kept == iterators.kept.end()) {
      value = constant(0);
    } else {
      unsigned iterator = kept - iterators.kept.begin();
      value = IndexOp::create(
          builder, loc,
          llvm::count(ArrayRef(iterators.joinsNext).take_front(iterator),
                      false));
      int64_t stride = 1;
      for (unsigned inner = iterator + 1; inner != iterators.getEnd(iterator);
           ++inner)
        stride *= iterators.extents[inner];
      if (stride != 1)
        value = arith::DivUIOp::create(builder, loc, value, constant(stride));
      if (iterator != 0 && iterators.joinsNext[iterator - 1])
        value = arith::RemUIOp::create(builder, loc, value,
                                       constant(iterators.extents[iterator]));
    }
    index.replaceAllUsesWith(value);
    index.erase();
  }
}

void Collapse::rewriteStatement(const Statement &statement) {
  rewriteIndices(statement);
  const Axes &iterators = statement.iterators;
  StmtOp op = statement.op;
  SmallVector<int64_t> reductions;
  int64_t numIterators = 0;
  for (auto [kept, joins] :
       llvm::zip_equal(iterators.kept, iterators.joinsNext)) {
    if (joins)
      continue;
    if (llvm::is_contained(op.getReductions(), int64_t(kept)))
      reductions.push_back(numIterators);
    ++numIterators;
  }
  auto getMaps = [&](ArrayRef<Access> accesses) {
    return Builder(op).getAffineMapArrayAttr(
        llvm::map_to_vector(accesses, [&](const Access &access) {
          return getNewMap(statement, access);
        }));
  };
  op.setExtents(iterators.getJoinedExtents());
  op.setReductions(reductions);
  op.setReadMapsAttr(getMaps(statement.reads));
  op.setWriteMapsAttr(getMaps(statement.writes));
}

MemRefType Collapse::getNewType(Value array) {
  return MemRefType::get(arrays.find(array)->second.getJoinedExtents(),
                         cast<MemRefType>(array.getType()).getElementType());
}

/// Returns the groups of dimensions of `type` that become one dimension each.
/// Unit dimensions belong to the group of a neighbour.
static SmallVector<ReassociationIndices> getGroups(const Axes &dims,
                                                   int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (unsigned dim = 0; dim < dims.size(); dim = dims.getEnd(dim)) {
    ReassociationIndices &group = groups.emplace_back();
    while (next <= dims.kept[dims.getEnd(dim) - 1])
      group.push_back(next++);
  }
  while (!groups.empty() && next < rank)
    groups.back().push_back(next++);
  return groups;
}

Value Collapse::collapseOperand(OpBuilder &builder, OpOperand &operand) {
  Value array = kernel.getArgument(operand);
  auto type = dyn_cast<MemRefType>(array.getType());
  if (!type || getNewType(array) == type)
    return operand.get();
  MemRefType newType = getNewType(array);
  if (operand.get().getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(builder, kernel.getLoc(), newType.getShape(),
                                   newType.getElementType());
  return tensor::CollapseShapeOp::create(
      builder, kernel.getLoc(),
      RankedTensorType::get(newType.getShape(), newType.getElementType()),
      operand.get(), getGroups(arrays.find(array)->second, type.getRank()));
}

void Collapse::rewriteKernel() {
  OpBuilder builder(kernel);
  SmallVector<Value> inputs, outputs;
  for (OpOperand &operand : kernel->getOpOperands())
    (kernel.isDpsInit(&operand) ? outputs : inputs)
        .push_back(collapseOperand(builder, operand));
  auto collapsed =
      KernelOp::create(builder, kernel.getLoc(), TypeRange(ValueRange(outputs)),
                       inputs, outputs, ScheduleAttr());
  collapsed->setDiscardableAttrs(kernel->getDiscardableAttrDictionary());
  for (auto [result, replacement] :
       llvm::zip_equal(kernel.getResults(), collapsed.getResults())) {
    if (result.getType() == replacement.getType()) {
      result.replaceAllUsesWith(replacement);
      continue;
    }
    auto type = cast<RankedTensorType>(result.getType());
    BlockArgument array =
        kernel.getBody().getArgument(inputs.size() + result.getResultNumber());
    result.replaceAllUsesWith(tensor::ExpandShapeOp::create(
        builder, kernel.getLoc(), type, replacement,
        getGroups(arrays.find(array)->second, type.getRank())));
  }
  for (auto &[array, axes] : arrays)
    array.setType(getNewType(array));
  collapsed.getBody().takeBody(kernel.getBody());
  // Two operands may be the same tensor, which is erased once.
  llvm::SmallSetVector<Value, 8> operands(llvm::from_range,
                                          kernel.getOperands());
  kernel.erase();
  for (Value operand : operands)
    if (auto empty = operand.getDefiningOp<tensor::EmptyOp>();
        empty && empty->use_empty())
      empty.erase();
}

void Collapse::run() {
  while (separate()) {
  }
  for (const Statement &statement : statements) {
    reportStatement(statement);
    rewriteStatement(statement);
  }
  rewriteKernel();
}

namespace {

struct ScopCollapseLoops
    : grout::scop::impl::ScopCollapseLoopsBase<ScopCollapseLoops> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && !kernel.getSchedule() && !kernel.getTree())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      Collapse(kernel).run();
  }
};

} // namespace
