//===- EpilogueBuilder.cpp - Builds epilogues of products -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EpilogueBuilder.h"

#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/ElementwiseBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace grout;

/// If `tensor` is constant and all of its elements are equal, returns that
/// element.
static TypedAttr getSplat(Value tensor) {
  SplatElementsAttr attr;
  if (matchPattern(tensor, m_Constant(&attr)))
    return dyn_cast<TypedAttr>(attr.getSplatValue<Attribute>());
  return {};
}

/// Whether `tensor`, read by `map`, can be an input of an epilogue.
static bool canBeInput(Value tensor, AffineMap map) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.hasStaticShape())
    return false;
  for (auto [size, expr] : llvm::zip_equal(type.getShape(), map.getResults()))
    if (!isa<AffineDimExpr>(expr) && size != 1)
      return false;
  return isGemmFloat(type.getElementType());
}

/// Whether an epilogue can compute the element of `tensor` at `map` from the
/// operands of the op that defines `tensor`.
static bool canInline(Value tensor, AffineMap map) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  return op && isElementwise(op) &&
         llvm::all_of(getReads(op), [&](const ElementRead &read) {
           return canReadInEpilogue(read.operand->get(), read.map.compose(map));
         });
}

bool grout::canReadInEpilogue(Value tensor, AffineMap map) {
  return getSplat(tensor) || canBeInput(tensor, map) || canInline(tensor, map);
}

namespace {

/// An epilogue that is being built, and the inputs for which its arguments
/// stand.
class Epilogue {
public:
  /// Continues `block`. Its arguments from `firstInput` on stand for inputs.
  Epilogue(Block *block, unsigned firstInput, ValueRange inputs = {},
           ArrayRef<AffineMap> maps = {})
      : block(block), firstInput(firstInput), inputs(inputs),
        maps(maps.begin(), maps.end()) {}

  /// Returns the element of `tensor` at `map`: an argument, if it can be one.
  Value read(OpBuilder &builder, Value tensor, AffineMap map) {
    if (TypedAttr splat = getSplat(tensor))
      return arith::ConstantOp::create(builder, tensor.getLoc(), splat);
    if (!canBeInput(tensor, map))
      return inlineProducer(builder, tensor, map);
    for (unsigned i = 0, e = inputs.size(); i != e; ++i)
      if (inputs[i] == tensor && maps[i] == map)
        return block->getArgument(firstInput + i);
    inputs.push_back(tensor);
    maps.push_back(map);
    return block->addArgument(getElementTypeOrSelf(tensor.getType()),
                              tensor.getLoc());
  }

  /// Returns the element of `tensor` at `map`, computed by a copy of the op
  /// that defines `tensor`.
  Value inlineProducer(OpBuilder &builder, Value tensor, AffineMap map) {
    return inlineBody(builder, cast<linalg::LinalgOp>(tensor.getDefiningOp()),
                      [&](const ElementRead &read) {
                        return this->read(builder, read.operand->get(),
                                          read.map.compose(map));
                      });
  }

  /// Replaces one input that the epilogue can compute. Takes the input that is
  /// defined last first, so that no op moves into the epilogue twice.
  bool absorbOne() {
    std::optional<unsigned> chosen;
    for (unsigned i = 0, e = inputs.size(); i != e; ++i)
      if ((getSplat(inputs[i]) || canInline(inputs[i], maps[i])) &&
          (!chosen || isDefinedAfter(inputs[i], inputs[*chosen])))
        chosen = i;
    if (!chosen)
      return false;

    auto builder = OpBuilder::atBlockBegin(block);
    Value tensor = inputs[*chosen];
    AffineMap map = maps[*chosen];
    Value element = getSplat(tensor) ? read(builder, tensor, map)
                                     : inlineProducer(builder, tensor, map);
    block->getArgument(firstInput + *chosen).replaceAllUsesWith(element);
    block->eraseArgument(firstInput + *chosen);
    inputs.erase(inputs.begin() + *chosen);
    maps.erase(maps.begin() + *chosen);
    return true;
  }

  ValueRange getInputs() const { return inputs; }
  ArrayAttr getMaps(Builder builder) const {
    return builder.getAffineMapArrayAttr(maps);
  }

private:
  static bool isDefinedAfter(Value a, Value b) {
    return a.getParentBlock() == b.getParentBlock() &&
           b.getDefiningOp()->isBeforeInBlock(a.getDefiningOp());
  }

  Block *block;
  unsigned firstInput;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
};

} // namespace

/// Returns the element that `contraction` computes, given its accumulator: adds
/// the initial value, and converts to the result's type.
static Value finishProduct(OpBuilder &builder, Epilogue &epilogue,
                           const Contraction &contraction, Value accumulator) {
  Location loc = contraction.op->getLoc();
  Value result = contraction.op->getResult(0);
  Value sum = accumulator;
  if (contraction.init) {
    auto rank = cast<RankedTensorType>(result.getType()).getRank();
    Value init = epilogue.read(builder, contraction.init,
                               builder.getMultiDimIdentityMap(rank));
    if (init.getType() != accumulator.getType())
      init = arith::ExtFOp::create(builder, loc, accumulator.getType(), init);
    sum = arith::AddFOp::create(builder, loc, sum, init);
  }
  Type element = getElementTypeOrSelf(result.getType());
  if (element != sum.getType())
    sum = arith::TruncFOp::create(builder, loc, element, sum);
  return sum;
}

/// Creates the op for `cone` with the inputs of `epilogue`, and without a
/// region.
static tgemm::ProductOpInterface createProduct(OpBuilder &builder,
                                               const EpilogueCone &cone,
                                               const Epilogue &epilogue) {
  const Contraction &first = *cone.products.front();
  Location loc = first.op->getLoc();
  Type type = cone.result.getType();
  SmallVector<Value> rhs;
  for (const Contraction *product : cone.products)
    rhs.push_back(product->rhs);
  if (auto product = dyn_cast<tgemm::ProductOpInterface>(first.op))
    return product.buildWithEpilogue(builder, type, rhs, epilogue.getInputs(),
                                     epilogue.getMaps(builder));
  return tgemm::MatmulOp::create(
      builder, loc, type, first.lhs, rhs, epilogue.getInputs(),
      /*partial_sums=*/Value(), epilogue.getMaps(builder), first.transposeLhs,
      first.transposeRhs, /*sum_depth=*/IntegerAttr(), first.getTiling(),
      /*launched_with_next=*/false, /*sum_ranks=*/IntegerAttr(),
      /*sum_channel=*/IntegerAttr());
}

tgemm::ProductOpInterface grout::buildProduct(OpBuilder &builder,
                                              const EpilogueCone &cone) {
  const Contraction &first = *cone.products.front();
  Region region;
  Block &block = region.emplaceBlock();
  Epilogue epilogue(&block, cone.products.size());
  OpBuilder bodyBuilder(builder.getContext());
  bodyBuilder.setInsertionPointToEnd(&block);
  llvm::DenseMap<Value, Value> elements;
  for (const Contraction *product : cone.products)
    block.addArgument(builder.getF32Type(), product->op->getLoc());
  for (auto [index, product] : llvm::enumerate(cone.products))
    elements[product->op->getResult(0)] = finishProduct(
        bodyBuilder, epilogue, *product, block.getArgument(index));
  for (linalg::LinalgOp op : cone.ops)
    elements[op->getResult(0)] =
        inlineBody(bodyBuilder, op, [&](const ElementRead &read) {
          Value tensor = read.operand->get();
          Value element = elements.lookup(tensor);
          return element ? element
                         : epilogue.read(bodyBuilder, tensor, read.map);
        });

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(cone.result.getDefiningOp());
  tgemm::ProductOpInterface built = createProduct(builder, cone, epilogue);
  bool isPlainProduct = cone.ops.empty() && !first.init;
  if (isPlainProduct)
    return built;
  tgemm::YieldOp::create(bodyBuilder, cone.result.getLoc(),
                         elements.lookup(cone.result));
  built.getEpilogue().takeBody(region);
  return built;
}

void grout::absorbProducers(tgemm::ProductOpInterface op) {
  if (op.getEpilogue().empty())
    return;
  SmallVector<AffineMap> maps;
  for (unsigned i = 0, e = op.getEpilogueInputs().size(); i != e; ++i)
    maps.push_back(op.getEpilogueMap(i));
  Epilogue epilogue(&op.getEpilogue().front(), op.getNumProducts(),
                    op.getEpilogueInputs(), maps);
  bool changed = false;
  while (epilogue.absorbOne())
    changed = true;
  if (!changed)
    return;
  op.setEpilogueInputs(epilogue.getInputs(),
                       epilogue.getMaps(Builder(op.getContext())));
}
