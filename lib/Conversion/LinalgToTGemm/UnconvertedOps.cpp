//===- UnconvertedOps.cpp - Reports ops that stay -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "UnconvertedOps.h"

#include "Convolution.h"
#include "grout/Analysis/AffineRange.h"
#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Conversion/Common/ElementwiseBody.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "grout/Target/IR/Grout.h"

using namespace mlir;
using namespace grout;

/// Explains why an elementwise op is in no epilogue.
static std::string explainElementwise(linalg::LinalgOp op) {
  for (const ElementRead &read : getReads(op)) {
    if (!read.operand->get().getDefiningOp<tgemm::ProductOpInterface>())
      continue;
    if (!read.map.isIdentity())
      return "it permutes or broadcasts the product";
    if (!read.operand->get().hasOneUse())
      return "the product that it reads has other uses";
    return "its operands or its result cannot be part of an epilogue";
  }
  return "there is no product that it could be the epilogue of";
}

static bool isComputeBound(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && !getComputeBound(linalgOp).empty();
}

/// Whether `op` is a tile kernel itself, on the CPU.
static bool isTiled(Operation *op) {
  return op->hasAttr(kLinalgTileSizesAttrName);
}

/// Explains why a convolution is not a `tgemm.conv2d`.
static std::string explainConvolution(linalg::LinalgOp op) {
  Refusal refusal;
  if (succeeded(matchConvolution(op, refusal)))
    return "the target has no kernels for convolutions";
  return refusal.reason;
}

static std::string explain(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return "it is neither a contraction nor elementwise";
  if (linalg::isaContractionOpInterface(linalgOp)) {
    Refusal refusal;
    (void)matchContraction(linalgOp, refusal);
    return refusal.reason;
  }
  if (isComputeBound(op) && isTiled(op))
    return ("it is a tile kernel already, by its " + kLinalgTileSizesAttrName)
        .str();
  if (isComputeBound(op))
    return explainConvolution(linalgOp);
  std::string problem = findElementwiseProblem(linalgOp);
  return problem.empty() ? explainElementwise(linalgOp) : problem;
}

void grout::reportUnconverted(func::FuncOp function, bool memoryBound) {
  function.walk([&](Operation *op) {
    if (!isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()) ||
        isa<linalg::LinalgOp>(op->getParentOp()))
      return;
    // A fill is reported with the op whose output it initialises.
    if (isa<linalg::FillOp>(op) &&
        llvm::all_of(op->getUsers(), llvm::IsaPred<linalg::LinalgOp>))
      return;
    if (!memoryBound && !isComputeBound(op))
      return;
    op->emitRemark() << op->getName() << " is not converted: " << explain(op);
  });
}

/// Returns tile sizes with which the CPU can compute `op`. They only cut loops
/// whose iterations are independent. Returns none if the extents are not known.
static SmallVector<int64_t> suggestTileSizes(linalg::LinalgOp op) {
  constexpr int64_t maxSize = 8;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return {};
  for (auto [size, iterator] :
       llvm::zip_equal(sizes, op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel)
      size = std::min(size, maxSize);
  return sizes;
}

/// Refuses `op`, which `target` cannot compute, with advice for this target.
static LogicalResult refuse(linalg::LinalgOp op, const TargetSpec &target) {
  InFlightDiagnostic diag = op->emitError() << "'" << op->getName()
                                            << "' cannot be compiled for "
                                            << target.name << ": ";
  // Without tile sizes, there may be a kernel for it.
  if (isTiled(op))
    return diag << kLinalgTileSizesAttrName
                << " makes kernels for the CPU only";
  diag << explain(op);
  SmallVector<int64_t> sizes = suggestTileSizes(op);
  if (target.hasLinalgKernels && !sizes.empty())
    diag.attachNote() << "it is compiled with a tile size for each of its "
                         "loops, for instance "
                      << kLinalgTileSizesAttrName << " = "
                      << DenseI64ArrayAttr::get(op.getContext(), sizes);
  return diag;
}

/// Whether `expr` uses each dimension at most once, so that its range is exact.
static bool usesEachOnce(AffineExpr expr, unsigned numDims) {
  SmallVector<unsigned> uses(numDims, 0);
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      ++uses[dim.getPosition()];
  });
  return llvm::all_of(uses, [](unsigned count) { return count <= 1; });
}

/// Checks that the loops of `op` stay inside its tensors, as far as ranges show
/// it. Upstream's verifier only checks the first and last iterations.
static LogicalResult verifyAccesses(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  // Other ops have no tiles.
  if (llvm::any_of(extents, [](int64_t extent) { return extent <= 0; }))
    return success();
  SmallVector<IntegerRange> loops = getIndexRanges(extents);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (!usesEachOnce(expr, map.getNumDims()))
        continue;
      llvm::Expected<IntegerRange> range = getRange(expr, loops);
      if (!range)
        return op->emitOpError() << llvm::toString(range.takeError());
      int64_t extent = op.getShape(&operand)[dim];
      if (range->low < 0 || range->high >= extent)
        return op->emitOpError()
               << "accesses elements " << range->low << " to " << range->high
               << " of dimension " << dim << " of operand "
               << operand.getOperandNumber() << ", which has " << extent;
    }
  }
  return success();
}

LogicalResult grout::refuseUnconverted(func::FuncOp function) {
  const Target *target = findTarget(function);
  bool isRefused = false;
  for (linalg::LinalgOp op : function.getOps<linalg::LinalgOp>())
    if (isTiled(op))
      isRefused |= failed(verifyAccesses(op));
  if (target)
    for (linalg::LinalgOp op : function.getOps<linalg::LinalgOp>())
      if (isComputeBound(op) &&
          !(target->getSpec().hasLinalgKernels && isTiled(op)))
        isRefused |= failed(refuse(op, target->getSpec()));
  return failure(isRefused);
}
