//===- AttentionOperands.cpp - Operands of attention ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionOperands.h"

#include "grout/Support/ElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace grout;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// If `expr` multiplies by a constant, or divides by one, returns the constant
/// factor and the other operand.
static std::optional<std::pair<double, const ScalarExpr *>>
getScaling(const ScalarExpr *expr) {
  bool divides = expr->is<arith::DivFOp>();
  if (!divides && !expr->is<arith::MulFOp>())
    return std::nullopt;
  if (std::optional<double> rhs = getFloatConstant(expr->operands[1]))
    return std::pair(divides ? 1 / *rhs : *rhs, expr->operands[0]);
  if (std::optional<double> lhs = getFloatConstant(expr->operands[0]);
      lhs && !divides)
    return std::pair(*lhs, expr->operands[1]);
  return std::nullopt;
}

TensorCandidates grout::getOperandCandidates(const ScalarExpr *expr,
                                             bool scales) {
  TensorCandidates candidates;
  double factor = 1;
  // Behind a rounding, only tensors of the rounded type will do.
  Type rounded;
  while (true) {
    for (const TensorElement &element : llvm::reverse(expr->elements))
      if (isa<RankedTensorType>(element.value.getType()) &&
          (!rounded || rounded == getElementTypeOrSelf(element.value)))
        candidates.push_back({element, factor});
    if (expr->is<arith::ExtFOp>()) {
      expr = expr->operands[0];
    } else if (expr->is<arith::TruncFOp>()) {
      rounded = rounded ? rounded : expr->type;
      expr = expr->operands[0];
    } else if (auto scaling = scales ? getScaling(expr) : std::nullopt) {
      factor *= scaling->first;
      expr = scaling->second;
    } else {
      return candidates;
    }
  }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

namespace {

/// Chooses tensors for one way to distribute the factors of `batch` to batches
/// and heads.
class TensorChooser {
public:
  TensorChooser(const AttentionCandidates &candidates, ArrayRef<unsigned> batch,
                Attention attention, MLIRContext *context)
      : candidates(candidates), batch(batch), attention(attention),
        context(context) {}

  /// Whether there are tensors of `type`, if the first `batches` factors number
  /// batches, and keys do not have the last `group` factors.
  bool choose(Type type, unsigned batches, unsigned group);

  const Attention &getAttention() const { return attention; }
  unsigned getDistance() const { return distance; }

private:
  bool choose(const TensorCandidates &tensors, Type type,
              const AttentionDims &dims, AttentionTensor &tensor);

  const AttentionCandidates &candidates;
  ArrayRef<unsigned> batch;
  Attention attention;
  MLIRContext *context;
  unsigned distance = 0;
};

} // namespace

/// Chooses the last candidate whose memory has `dims`, and that has `type`, if
/// one is given. Prefers candidates in which the elements of a row are
/// neighbours.
bool TensorChooser::choose(const TensorCandidates &tensors, Type type,
                           const AttentionDims &dims, AttentionTensor &tensor) {
  const TensorCandidate *found = nullptr;
  for (const TensorCandidate &candidate : llvm::reverse(tensors)) {
    if (type && getElementTypeOrSelf(candidate.element.value) != type)
      continue;
    std::optional<AffineMap> layout =
        findLayout(flatten(candidate.element.index), dims, context);
    bool hasRows = layout && layout->getDimPosition(3) == 3;
    if (!layout || (found && !hasRows))
      continue;
    found = &candidate;
    tensor = {candidate.element.value, *layout};
    if (hasRows)
      break;
  }
  if (!found)
    return false;
  attention.scores.scale *= found->factor;
  distance += found - tensors.begin();
  return true;
}

bool TensorChooser::choose(Type type, unsigned batches, unsigned group) {
  FactorList heads(batch.drop_front(batches));
  attention.dims[0].assign(batch.begin(), batch.begin() + batches);
  attention.dims[1] = heads;
  attention.keyHeads.assign(heads.begin(), heads.end() - group);
  auto [b, h, i, j] = attention.dims;
  const FactorList &g = attention.keyHeads;
  return choose(candidates.query, type, {b, h, i, attention.keySize},
                attention.query) &&
         choose(candidates.key, type, {b, g, j, attention.keySize},
                attention.key) &&
         choose(candidates.value, type, {b, g, j, attention.valueSize},
                attention.value) &&
         choose(candidates.result, {}, {b, h, i, attention.valueSize},
                attention.result);
}

/// Returns the types that operands may have. The 16-bit type to which the
/// result is rounded comes before the operand type of the products.
static SmallVector<Type, 2> getTypes(const TensorCandidates &results,
                                     Type operandType) {
  SmallVector<Type, 2> types;
  if (!results.empty()) {
    Type last = getElementTypeOrSelf(results.back().element.value);
    if (isNarrowFloat(last))
      types.push_back(last);
  }
  if (!llvm::is_contained(types, operandType))
    types.push_back(operandType);
  return types;
}

/// Returns how many of `count` factors may number batches, the most likely
/// first: usually, the last factor numbers heads of keys.
static SmallVector<unsigned> getBatches(unsigned count) {
  SmallVector<unsigned> ways = {count > 1 ? count - 1 : 0};
  for (unsigned batches = 0; batches <= count; ++batches)
    if (batches != ways[0])
      ways.push_back(batches);
  return ways;
}

FailureOr<unsigned> grout::chooseTensors(const AttentionCandidates &candidates,
                                         ArrayRef<unsigned> batch,
                                         Type operandType,
                                         Attention &attention) {
  std::optional<TensorChooser> best;
  for (Type type : getTypes(candidates.result, operandType)) {
    for (unsigned group = 0; group <= batch.size(); ++group) {
      for (unsigned batches : getBatches(batch.size() - group)) {
        TensorChooser chooser(candidates, batch, attention,
                              operandType.getContext());
        if (chooser.choose(type, batches, group) &&
            (!best || best->getDistance() < chooser.getDistance()))
          best.emplace(chooser);
      }
    }
    if (best)
      break;
  }
  if (!best)
    return failure();
  attention = best->getAttention();
  return best->getDistance();
}
