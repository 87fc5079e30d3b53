//===- LinalgToAttention.cpp - linalg ops to tgemm.attention --------------===//
//
// Part of Grout. For each product, follows the ops that compute its operands,
// until one is the softmax of another product, or is something else.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"

#include "AttentionBias.h"
#include "AttentionPattern.h"
#include "grout/Conversion/Common/DeadOps.h"
#include "grout/Conversion/Common/Outputs.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/AttentionModel.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "convert-linalg-to-attention"

namespace grout {
#define GEN_PASS_DEF_CONVERTLINALGTOATTENTION
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

namespace {

/// Replaces the linalg ops of one attention.
class AttentionBuilder {
public:
  AttentionBuilder(linalg::LinalgOp product, const Attention &attention,
                   const IndexFactors &factors)
      : builder(product), loc(product.getLoc()), attention(attention),
        factors(factors) {}

  /// Builds the attention op. Returns null if the bias cannot be built.
  tgemm::AttentionOp build();
  /// Replaces the result of the linalg ops by that of `op`.
  void replaceResult(tgemm::AttentionOp op);

private:
  SmallVector<int64_t> getShape(const AttentionTensor &tensor,
                                const FactorList &heads, const FactorList &rows,
                                const FactorList &size) {
    return grout::getShape(tensor.layout,
                           {attention.dims[0], heads, rows, size}, factors);
  }
  Value buildView(const AttentionTensor &tensor, const FactorList &heads,
                  const FactorList &rows, const FactorList &size) {
    return reshapeTo(builder, loc, tensor.tensor,
                     getShape(tensor, heads, rows, size));
  }
  ArrayAttr getLayouts();
  IntegerAttr getCausal();

  OpBuilder builder;
  Location loc;
  const Attention &attention;
  const IndexFactors &factors;
};

} // namespace

/// Returns the layouts; null if all are (b, h, i, d).
ArrayAttr AttentionBuilder::getLayouts() {
  AffineMap layouts[] = {attention.query.layout, attention.key.layout,
                         attention.value.layout, attention.result.layout};
  if (llvm::all_of(layouts, [](AffineMap map) { return map.isIdentity(); }))
    return {};
  return builder.getAffineMapArrayAttr(layouts);
}

/// Returns the causal offset; null if all queries may see all keys.
IntegerAttr AttentionBuilder::getCausal() {
  std::optional<int64_t> causal = attention.scores.causal;
  if (!causal || *causal >= factors.getExtent(attention.dims[3]) - 1)
    return {};
  return builder.getI64IntegerAttr(*causal);
}

tgemm::AttentionOp AttentionBuilder::build() {
  auto &[batches, heads, queries, keys] = attention.dims;
  Value query = buildView(attention.query, heads, queries, attention.keySize);
  Value key =
      buildView(attention.key, attention.keyHeads, keys, attention.keySize);
  Value value =
      buildView(attention.value, attention.keyHeads, keys, attention.valueSize);
  AttentionBias bias;
  if (!attention.scores.terms.empty() || !attention.scores.masks.empty()) {
    FailureOr<AttentionBias> built =
        buildBias(builder, loc, attention, factors);
    if (failed(built))
      return {};
    bias = *built;
  }
  auto type = RankedTensorType::get(
      getShape(attention.result, heads, queries, attention.valueSize),
      getElementTypeOrSelf(attention.result.tensor));
  return tgemm::AttentionOp::create(
      builder, loc, type, query, key, value, bias.tensor,
      builder.getF32FloatAttr(float(attention.scores.scale)), getCausal(),
      attention.zeroWithoutKeys ? builder.getUnitAttr() : UnitAttr(),
      getLayouts(),
      bias.tensor ? AffineMapAttr::get(bias.map) : AffineMapAttr(),
      /*part_keys=*/IntegerAttr(), /*tiling=*/tgemm::AttentionTilingAttr());
}

void AttentionBuilder::replaceResult(tgemm::AttentionOp op) {
  builder.setInsertionPointAfter(op);
  Value result = attention.result.tensor;
  result.replaceAllUsesWith(
      reshapeTo(builder, loc, op.getResult(),
                cast<RankedTensorType>(result.getType()).getShape()));
}

namespace {

struct ConvertLinalgToAttention
    : grout::impl::ConvertLinalgToAttentionBase<ConvertLinalgToAttention> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    const Target *target = findTarget(function);
    const auto *model =
        target ? target->getInterface<tgemm::AttentionModel>() : nullptr;
    if (!model)
      return;
    function.walk(dropUnreadOutputs);
    eraseDeadOps(function);
    for (linalg::LinalgOp op :
         llvm::to_vector(function.getOps<linalg::LinalgOp>()))
      convert(op, *model);
    eraseDeadOps(function);
  }

  void convert(linalg::LinalgOp op, const tgemm::AttentionModel &model) {
    AttentionSearch search;
    std::string reason;
    FailureOr<Attention> attention = search.match(op, reason);
    if (failed(attention)) {
      if (!reason.empty())
        LDBG() << op->getName() << " at " << op.getLoc()
               << " is no attention: " << reason;
      return;
    }
    AttentionBuilder builder(op, *attention, search.getFactors());
    tgemm::AttentionOp built = builder.build();
    std::string problem =
        built ? model.findProblem(built) : "its bias is no tensor";
    if (!problem.empty()) {
      LDBG() << op->getName() << " at " << op.getLoc()
             << " stays, though it is attention: " << problem;
      if (built)
        built.erase();
      return;
    }
    LDBG() << op->getName() << " at " << op.getLoc() << " is attention";
    builder.replaceResult(built);
    ++numAttentions;
  }
};

} // namespace
