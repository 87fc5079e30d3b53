//===- Contraction.cpp - linalg ops that are matrix products --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Support/ElementTypes.h"
#include "grout/Support/TensorSize.h"
#include "grout/Target/IR/Grout.h"
#include "grout/Target/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace grout;

namespace {

/// The loops of a product, by their role in the result.
struct ProductLoops {
  std::optional<unsigned> batch;
  unsigned row, column, reduction;
};

/// The role of an input of the product, and whether it is stored transposed.
struct InputRole {
  bool isLhs, transposed;
};

} // namespace

/// Prints `part`. Quotes types, as diagnostics do.
template <typename Part>
static void print(llvm::raw_ostream &os, const Part &part) {
  if constexpr (std::is_base_of_v<Type, Part>)
    os << '\'' << part << '\'';
  else
    os << part;
}

/// Fails with a reason that is composed of `parts`.
template <typename... Parts>
static LogicalResult refuse(Refusal &refusal, const Parts &...parts) {
  refusal.reason.clear();
  llvm::raw_string_ostream stream(refusal.reason);
  (print(stream, parts), ...);
  return failure();
}

/// Fails like `refuse`, for an op that no later pass can compute either.
template <typename... Parts>
static LogicalResult refuseAsError(Refusal &refusal, const Parts &...parts) {
  refusal.isError = true;
  return refuse(refusal, parts...);
}

LogicalResult grout::checkProductTypes(linalg::LinalgOp op, Refusal &refusal) {
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      return refuse(refusal, "it works on ", operand.getType(),
                    "; tensors are supported");
    if (!type.hasStaticShape())
      return refuseAsError(refusal, "dynamic shapes are not supported: ", type);
    Type element = type.getElementType();
    if (!isGemmFloat(element)) {
      // Others, such as a sum along rows, are memory-bound, and get another
      // kernel.
      refusal.isError = !getComputeBound(op).empty();
      return refuse(refusal, "elements of ", element, " are not supported; ",
                    joinNames(getFloatNames(/*maxBytes=*/4), "and"), " are");
    }
    if (!getSize(type.getShape(), element))
      return refuseAsError(refusal, "it has a tensor of more than 2^63 bytes, ",
                           type);
    if (type.getNumElements() == 0)
      return refuse(refusal, "an extent of 0 leaves nothing to multiply");
  }
  Type lhs = getElementTypeOrSelf(op->getOperand(0).getType());
  Type rhs = getElementTypeOrSelf(op->getOperand(1).getType());
  if (lhs != rhs)
    return refuse(refusal, "it multiplies ", lhs, " by ", rhs,
                  "; both must have one type");
  return success();
}

/// Returns an operand before it is widened to the accumulator's type.
static Value skipExtension(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    return extension.getIn();
  return value;
}

// Upstream's test for contractions accepts any unary op, such as exp, and not
// only casts.
LogicalResult grout::checkProductBody(linalg::LinalgOp op, Refusal &refusal) {
  Block *body = op.getBlock();
  Value lhs = body->getArgument(0);
  Value rhs = body->getArgument(1);
  Value accumulator = body->getArgument(2);
  auto isOneOfEach = [](Value a, Value b, Value x, Value y) {
    return (a == x && b == y) || (a == y && b == x);
  };

  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (sum) {
    for (Value operand : sum->getOperands()) {
      auto product = operand.getDefiningOp<arith::MulFOp>();
      if (product &&
          isOneOfEach(sum.getLhs(), sum.getRhs(), operand, accumulator) &&
          isOneOfEach(skipExtension(product.getLhs()),
                      skipExtension(product.getRhs()), lhs, rhs))
        return success();
    }
  }
  return refuse(refusal, "its body is not a sum of products of its inputs, "
                         "widened by arith.extf at most");
}

static FailureOr<ProductLoops> matchLoops(linalg::LinalgOp op,
                                          Refusal &refusal) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (reductions.size() != 1)
    return refuse(refusal, "it reduces over ", reductions.size(),
                  " dimensions; 1 is supported");
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(0));
  unsigned rank = map.getNumResults();
  if (rank != 2 && rank != 3)
    return refuse(refusal, "its result has rank ", rank,
                  "; 2, or 3 with a leading batch, is supported");
  if (map.getNumDims() != rank + 1)
    return refuse(refusal, "it has ", map.getNumDims(),
                  " loops for a result "
                  "of rank ",
                  rank);
  ProductLoops loops;
  if (rank == 3)
    loops.batch = map.getDimPosition(0);
  loops.row = map.getDimPosition(rank - 2);
  loops.column = map.getDimPosition(rank - 1);
  loops.reduction = reductions.front();
  return loops;
}

/// Returns the role of an input that is read by `map`, if it is a matrix, or a
/// batch of matrices whose first dimension is the batch.
static std::optional<InputRole> getRole(AffineMap map,
                                        const ProductLoops &loops) {
  SmallVector<unsigned> dims;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    dims.push_back(dim.getPosition());
  }
  if (dims.size() == 3 && loops.batch == dims[0])
    dims.erase(dims.begin());
  if (dims == ArrayRef({loops.row, loops.reduction}))
    return InputRole{/*isLhs=*/true, /*transposed=*/false};
  if (dims == ArrayRef({loops.reduction, loops.row}))
    return InputRole{/*isLhs=*/true, /*transposed=*/true};
  if (dims == ArrayRef({loops.reduction, loops.column}))
    return InputRole{/*isLhs=*/false, /*transposed=*/false};
  if (dims == ArrayRef({loops.column, loops.reduction}))
    return InputRole{/*isLhs=*/false, /*transposed=*/true};
  return std::nullopt;
}

std::optional<IndexedInput> grout::skipMove(const IndexedInput &input) {
  auto op = input.value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumDpsInputs() != 1 || op.getNumParallelLoops() != op.getNumLoops())
    return std::nullopt;
  Block *body = op.getBlock();
  if (body->getTerminator()->getOperand(0) != body->getArgument(0))
    return std::nullopt;
  OpOperand *source = op.getDpsInputOperand(0);
  AffineMap written = op.getIndexingMapMatchingResult(op->getResult(0));
  AffineMap read = op.getMatchingIndexingMap(source);
  if (!isa<RankedTensorType>(source->get().getType()) ||
      !written.isPermutation() || !read.isProjectedPermutation())
    return std::nullopt;
  return IndexedInput{
      source->get(),
      read.compose(inversePermutation(written)).compose(input.map)};
}

/// GPUs copy rows that begin at multiples of this many bytes.
static constexpr int64_t kRowAlignment = kernelabi::kTensorMapGranule;

/// Whether rows of `tensor` start at multiples of 16 bytes, or may do so.
static bool hasAlignedRows(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t extent = type.getShape().back();
  return ShapedType::isDynamic(extent) ||
         extent * type.getElementTypeBitWidth() % (8 * kRowAlignment) == 0;
}

/// Returns the role of `input`. Replaces `input` by the source of ops that move
/// its elements, as long as the source has a role, too. With `alignsRows`, does
/// not replace an input with aligned rows by one without.
static std::optional<InputRole>
findRole(IndexedInput &input, const ProductLoops &loops, bool alignsRows) {
  std::optional<InputRole> role = getRole(input.map, loops);
  std::optional<IndexedInput> source = input;
  while ((source = skipMove(*source))) {
    std::optional<InputRole> sourceRole = getRole(source->map, loops);
    if (sourceRole && (!alignsRows || hasAlignedRows(source->value) ||
                       !hasAlignedRows(input.value))) {
      role = sourceRole;
      input = *source;
    }
  }
  return role;
}

static LogicalResult matchInputs(linalg::LinalgOp op, const ProductLoops &loops,
                                 Contraction &contraction, Refusal &refusal) {
  const Target *target = findTarget(op);
  bool isGPU = target && target->getSpec().code != CodeFormat::Native;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    IndexedInput input{operand->get(), map};
    std::optional<InputRole> role = findRole(input, loops, isGPU);
    if (!role)
      return refuse(refusal, "input ", operand->getOperandNumber(),
                    " is read by ", map,
                    ", which is not rows or columns by "
                    "the reduced dimension, with any batch leading");
    (role->isLhs ? contraction.lhs : contraction.rhs) = input.value;
    (role->isLhs ? contraction.transposeLhs : contraction.transposeRhs) =
        role->transposed;
  }
  if (!contraction.lhs || !contraction.rhs)
    return refuse(refusal, "both inputs are read along the same dimension of "
                           "the result");
  return success();
}

/// Whether all elements of `tensor` are known to be zero.
static bool isZero(Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
  if (auto generic = tensor.getDefiningOp<linalg::GenericOp>())
    if (std::optional<Value> filler = linalg::isaFillOpInterface(generic))
      return matchPattern(*filler, m_AnyZeroFloat());
  return matchPattern(tensor, m_AnyZeroFloat());
}

FailureOr<Value> grout::getProductInit(linalg::LinalgOp op, Refusal &refusal) {
  Value init = op.getDpsInits()[0];
  if (init.getDefiningOp<tensor::EmptyOp>())
    return refuseAsError(refusal, "it accumulates onto tensor.empty, whose "
                                  "elements are undefined; use linalg.fill");
  return isZero(init) ? Value() : init;
}

tgemm::TilingAttr Contraction::getTiling() const {
  return op->getAttrOfType<tgemm::TilingAttr>(
      tgemm::TGemmDialect::kTilingAttrName);
}

bool Contraction::canShareTilesWith(const Contraction &other) const {
  auto product = dyn_cast<tgemm::ProductOpInterface>(op);
  auto otherProduct = dyn_cast<tgemm::ProductOpInterface>(other.op);
  if (product && otherProduct)
    return op->getBlock() == other.op->getBlock() &&
           product.canShareTilesWith(otherProduct);
  return isa<linalg::LinalgOp>(op) && isa<linalg::LinalgOp>(other.op) &&
         lhs == other.lhs && transposeLhs == other.transposeLhs &&
         transposeRhs == other.transposeRhs &&
         rhs.getType() == other.rhs.getType() &&
         getTiling() == other.getTiling() &&
         op->getBlock() == other.op->getBlock() &&
         cast<ShapedType>(op->getResult(0).getType()).getShape() ==
             cast<ShapedType>(other.op->getResult(0).getType()).getShape();
}

bool grout::isSumOfProducts(linalg::LinalgOp op) {
  Refusal refusal;
  return linalg::isaContractionOpInterface(op) &&
         !op->hasAttr(kLinalgTileSizesAttrName) &&
         !op->hasAttr(tgemm::TGemmDialect::kTilingAttrName) &&
         succeeded(checkProductTypes(op, refusal)) &&
         succeeded(checkProductBody(op, refusal)) &&
         isZero(op.getDpsInits()[0]);
}

FailureOr<Contraction> grout::matchContraction(linalg::LinalgOp op,
                                               Refusal &refusal) {
  if (!linalg::isaContractionOpInterface(op))
    return refuse(refusal, "it is neither a contraction nor elementwise");
  if (op->hasAttr(kLinalgTileSizesAttrName))
    return refuse(refusal, "it is a tile kernel already, by its ",
                  kLinalgTileSizesAttrName);
  if (failed(checkProductTypes(op, refusal)) ||
      failed(checkProductBody(op, refusal)))
    return failure();
  FailureOr<ProductLoops> loops = matchLoops(op, refusal);
  if (failed(loops))
    return failure();

  Contraction contraction;
  contraction.op = op;
  if (failed(matchInputs(op, *loops, contraction, refusal)))
    return failure();
  FailureOr<Value> init = getProductInit(op, refusal);
  if (failed(init))
    return failure();
  contraction.init = *init;
  return contraction;
}
