//===- LinalgCollapseContractions.cpp - Contractions as products ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Support/TensorSize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-collapse-contractions"

namespace grout {
#define GEN_PASS_DEF_LINALGCOLLAPSECONTRACTIONS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

namespace {

/// Loops of a contraction that are collapsed into one, the outermost first.
using Loops = SmallVector<unsigned, 2>;

/// Collapses one contraction into a product of matrices, or of batches of
/// matrices.
class Collapser {
public:
  explicit Collapser(linalg::LinalgOp op) : op(op), builder(op) {}

  /// Classifies the loops. Fails if the op is not a contraction of matrices
  /// with static shapes.
  LogicalResult match();
  /// Whether the op is a product already, or one with a leading batch.
  bool isProduct();
  void run();

private:
  /// Whether an operand that is accessed by `map` becomes a matrix, or a batch
  /// of matrices, when its dimensions are collapsed.
  bool isMatrix(AffineMap map) const;
  /// Returns `map` if the operand is a matrix already. Otherwise returns the
  /// access of the transposed operand: the loops of `order`, one group after
  /// another.
  AffineMap getOrdered(AffineMap map, ArrayRef<const Loops *> order);
  /// Returns the number of the group to which the loop of dimension `dim` of an
  /// operand belongs.
  unsigned getGroup(AffineMap map, unsigned dim) const;
  /// Returns the dimensions of each group in an operand.
  SmallVector<ReassociationIndices> getReassociation(AffineMap map) const;
  AffineMap getCollapsed(AffineMap map);
  /// Transposes `value`, which is accessed by `from`, so that it can be
  /// accessed by `to`.
  Value transpose(Value value, AffineMap from, AffineMap to);
  /// Transposes `value` from `map` to `ordered`, and collapses it.
  Value convert(Value value, AffineMap map, AffineMap ordered);
  /// Returns the initial value of the new op, if it need not read the old one.
  Value buildInit(RankedTensorType type);

  linalg::LinalgOp op;
  OpBuilder builder;
  Loops batch, rows, columns, reductions;
  /// The groups that are not empty, in this order. They are the loops of the
  /// new op.
  SmallVector<const Loops *> groups;
};

} // namespace

LogicalResult Collapser::match() {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.hasIndexSemantics() ||
      op.hasDynamicShape())
    return failure();
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || !type.getElementType().isIntOrFloat() ||
        !getSize(type.getShape(), type.getElementType()))
      return failure();
  }
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return failure();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty() ||
      dims->batch.size() + dims->m.size() + dims->n.size() + dims->k.size() !=
          op.getNumLoops())
    return failure();
  auto sort = [](ArrayRef<unsigned> loops, AffineMap map) {
    Loops sorted;
    for (AffineExpr expr : map.getResults())
      if (unsigned loop = cast<AffineDimExpr>(expr).getPosition();
          llvm::is_contained(loops, loop))
        sorted.push_back(loop);
    return sorted;
  };
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  batch = sort(dims->batch, result);
  rows = sort(dims->m, result);
  columns = sort(dims->n, result);
  reductions =
      sort(dims->k, op.getMatchingIndexingMap(op.getDpsInputOperand(0)));
  if (!batch.empty())
    groups.push_back(&batch);
  llvm::append_range(groups,
                     ArrayRef<const Loops *>{&rows, &columns, &reductions});
  return success();
}

bool Collapser::isMatrix(AffineMap map) const {
  for (const Loops *group : groups) {
    ReassociationIndices sequence(group->begin(), group->end());
    if (!linalg::isDimSequencePreserved(map, sequence))
      return false;
  }
  return batch.empty() || map.getDimPosition(0) == batch.front();
}

bool Collapser::isProduct() {
  return llvm::all_of(groups,
                      [](const Loops *group) { return group->size() == 1; }) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [&](AffineMap map) { return isMatrix(map); });
}

AffineMap Collapser::getOrdered(AffineMap map, ArrayRef<const Loops *> order) {
  if (isMatrix(map))
    return map;
  SmallVector<unsigned> loops;
  for (const Loops *group : order)
    llvm::append_range(loops, *group);
  return AffineMap::getMultiDimMapWithTargets(op.getNumLoops(), loops,
                                              op.getContext());
}

unsigned Collapser::getGroup(AffineMap map, unsigned dim) const {
  auto *found = llvm::find_if(groups, [&](const Loops *group) {
    return llvm::is_contained(*group, map.getDimPosition(dim));
  });
  return found - groups.begin();
}

SmallVector<ReassociationIndices>
Collapser::getReassociation(AffineMap map) const {
  SmallVector<ReassociationIndices> reassociation;
  for (unsigned dim = 0, e = map.getNumResults(); dim != e; ++dim) {
    if (dim == 0 || getGroup(map, dim) != getGroup(map, dim - 1))
      reassociation.emplace_back();
    reassociation.back().push_back(dim);
  }
  return reassociation;
}

AffineMap Collapser::getCollapsed(AffineMap map) {
  SmallVector<unsigned> loops;
  for (const ReassociationIndices &dims : getReassociation(map))
    loops.push_back(getGroup(map, dims.front()));
  return AffineMap::getMultiDimMapWithTargets(groups.size(), loops,
                                              op.getContext());
}

Value Collapser::transpose(Value value, AffineMap from, AffineMap to) {
  if (from == to)
    return value;
  SmallVector<int64_t> permutation;
  for (AffineExpr loop : to.getResults())
    permutation.push_back(*from.getResultPosition(loop));
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(
      builder, op.getLoc(), applyPermutation(type.getShape(), permutation),
      type.getElementType());
  return linalg::TransposeOp::create(builder, op.getLoc(), value, empty,
                                     permutation)
      ->getResult(0);
}

Value Collapser::convert(Value value, AffineMap map, AffineMap ordered) {
  value = transpose(value, map, ordered);
  SmallVector<ReassociationIndices> reassociation = getReassociation(ordered);
  if (reassociation.size() == ordered.getNumResults())
    return value;
  return tensor::CollapseShapeOp::create(builder, op.getLoc(), value,
                                         reassociation);
}

Value Collapser::buildInit(RankedTensorType type) {
  Value init = op.getDpsInits()[0];
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill && !init.getDefiningOp<tensor::EmptyOp>())
    return {};
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                        type.getElementType());
  if (!fill)
    return empty;
  return linalg::FillOp::create(builder, op.getLoc(), fill.getInputs(), empty)
      ->getResult(0);
}

void Collapser::run() {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  const Loops *outers[] = {&rows, &columns};
  for (auto [input, outer] :
       llvm::zip_equal(op.getDpsInputOperands(), outers)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    AffineMap ordered = getOrdered(map, {&batch, outer, &reductions});
    inputs.push_back(convert(input->get(), map, ordered));
    maps.push_back(getCollapsed(ordered));
  }

  OpOperand *start = op.getDpsInitOperand(0);
  auto resultType = cast<RankedTensorType>(start->get().getType());
  AffineMap map = op.getMatchingIndexingMap(start);
  AffineMap ordered = getOrdered(map, {&batch, &rows, &columns});
  SmallVector<ReassociationIndices> reassociation = getReassociation(ordered);
  SmallVector<int64_t> orderedShape;
  for (AffineExpr loop : ordered.getResults())
    orderedShape.push_back(resultType.getDimSize(*map.getResultPosition(loop)));
  auto orderedType =
      RankedTensorType::get(orderedShape, resultType.getElementType());
  RankedTensorType type =
      tensor::CollapseShapeOp::inferCollapsedType(orderedType, reassociation);
  maps.push_back(getCollapsed(ordered));
  Value init = buildInit(type);
  if (!init)
    init = convert(start->get(), map, ordered);

  SmallVector<utils::IteratorType> iterators(groups.size(),
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  auto product = linalg::GenericOp::create(builder, op.getLoc(), type, inputs,
                                           init, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&product.getRegion(), mapping);
  Value result = product.getResult(0);
  if (type != orderedType)
    result = tensor::ExpandShapeOp::create(builder, op.getLoc(), orderedType,
                                           result, reassociation);
  op->getResult(0).replaceAllUsesWith(transpose(result, ordered, map));
  op->erase();
}

namespace {

struct LinalgCollapseContractions
    : grout::impl::LinalgCollapseContractionsBase<LinalgCollapseContractions> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      Collapser collapser(op);
      if (failed(collapser.match()) || collapser.isProduct())
        continue;
      LDBG() << op->getName() << " at " << op.getLoc()
             << " becomes a product of matrices";
      ++numCollapsed;
      collapser.run();
    }
  }
};

} // namespace
