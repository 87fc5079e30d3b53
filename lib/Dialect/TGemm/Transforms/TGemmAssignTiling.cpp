//===- TGemmAssignTiling.cpp - Chooses or checks the tiles of products ----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/Passes.h"

#include "MeasuredTilings.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"
#include "grout/Dialect/TGemm/Transforms/TilingOrigin.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tgemm-assign-tiling"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMASSIGNTILING
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Returns the modes that `auto` may choose if a measurement favours them.
static SmallVector<tsync::Mode> getModes(const Target &target) {
  return llvm::filter_to_vector(tsync::getModes(), [&](tsync::Mode mode) {
    return target.getSpec().hasProgrammaticLaunch ||
           !startsEarly(getLaunchWait(mode));
  });
}

static StringRef toString(TilingOrigin::Kind kind) {
  switch (kind) {
  case TilingOrigin::Given:
    return "the IR";
  case TilingOrigin::Modelled:
    return "the model";
  case TilingOrigin::ModelledTogether:
    return "the model, for all products of a kernel together";
  case TilingOrigin::MeasuredProduct:
    return "the tuning database, measured of this product alone";
  case TilingOrigin::MeasuredChain:
    return "the tuning database, measured of the whole function";
  }
  llvm_unreachable("unknown origin");
}

/// Makes sure that `op` can be computed in tiles of `tiling`.
static LogicalResult checkTiling(ProductOpInterface op, TilingAttr tiling,
                                 const ProductModel &model) {
  std::string problem = model.findProblem(op, tiling);
  if (!problem.empty())
    return op.emitOpError(problem);
  return success();
}

/// Emits an error that says why no tiling fits `op`: the problem that a small
/// tiling has.
static LogicalResult refuse(ProductOpInterface op, const Target &target,
                            const ProductModel &model) {
  auto small = TilingAttr::get(op.getContext(), 64, 64, 64, /*stages=*/1);
  if (failed(checkTiling(op, small, model)))
    return failure();
  return op.emitOpError() << "has no tiling that fits " << target.getName();
}

/// Whether `parent` has ops that keep its products from running in one kernel:
/// tile kernels that are not products, which a GPU kernel cannot compute
/// together with products, or concatenations, for which no tile can wait.
static bool areParted(Operation *parent) {
  return parent
      ->walk([](Operation *op) {
        bool parts =
            isa<tensor::ConcatOp>(op) ||
            (isa<TileKernelOpInterface>(op) && !isa<ProductOpInterface>(op));
        return parts ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

struct TGemmAssignTiling
    : grout::tgemm::impl::TGemmAssignTilingBase<TGemmAssignTiling> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> found = getTarget(getOperation());
    if (failed(found))
      return signalPassFailure();
    target = *found;
    model = target->getInterface<ProductModel>();
    givenMode = tsync::getMode(mode);
    std::unique_ptr<TuningDatabase> database;
    if (!tuning.empty()) {
      auto opened = TuningDatabase::open(&getContext(), tuning);
      if (mlir::failed(opened))
        return signalPassFailure();
      database = std::move(*opened);
    }
    bool failed = false;
    // Products of one function run together.
    llvm::MapVector<Operation *, SmallVector<ProductOpInterface>> groups;
    getOperation()->walk([&](ProductOpInterface op) {
      if (!model)
        failed |= mlir::failed(refuseProduct(op));
      else if (std::optional<TilingAttr> given = op.getTiling())
        failed |= mlir::failed(checkTiling(op, *given, *model));
      groups[op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>()].push_back(
          op);
    });
    if (failed)
      return signalPassFailure();
    for (auto &[parent, ops] : groups) {
      if (mlir::failed(assignTilings(parent, ops, database.get())))
        return signalPassFailure();
      for (ProductOpInterface op : ops)
        if (!op.getTiling())
          failed |= mlir::failed(refuse(op, *target, *model));
    }
    if (failed)
      signalPassFailure();
  }

private:
  LogicalResult refuseProduct(ProductOpInterface op) {
    return op.emitOpError() << "multiplies matrices, but " << target->getName()
                            << " has no kernels for that";
  }

  void setExecution(Operation *parent, const Execution &chosen) {
    parent->setAttr(tsync::ExecutionAttr::getAttrName(),
                    tsync::ExecutionAttr::get(&getContext(), chosen.mode,
                                              chosen.selectsEdges));
  }

  void count(TilingOrigin::Kind kind) {
    switch (kind) {
    case TilingOrigin::Given:
      ++numGiven;
      return;
    case TilingOrigin::Modelled:
    case TilingOrigin::ModelledTogether:
      ++numModelled;
      return;
    case TilingOrigin::MeasuredProduct:
    case TilingOrigin::MeasuredChain:
      ++numMeasured;
      return;
    }
  }

  /// Reports where the tiling of `op` is from, and notes it in an attribute if
  /// the pass is to record origins.
  void record(ProductOpInterface op, TilingOrigin::Kind kind,
              const TuningEntry *entry = nullptr) {
    LDBG() << op->getLoc() << " has " << op.getTiling() << ", from "
           << toString(kind);
    count(kind);
    if (!recordOrigins)
      return;
    TilingOrigin origin = {kind, 0, ""};
    if (entry) {
      origin.microseconds = entry->microseconds;
      origin.place = entry->place;
    }
    setTilingOrigin(op, origin);
  }

  /// Sets the tilings that were measured for all of `ops` together. In mode
  /// `auto`, also chooses the mode in which they were measured. Returns whether
  /// there is such a measurement.
  FailureOr<bool> assignMeasuredChain(Operation *parent,
                                      ArrayRef<ProductOpInterface> ops,
                                      TuningDatabase &database) {
    SmallVector<tsync::Mode> modes = getModes(*target);
    if (givenMode)
      modes = {*givenMode};
    auto measured = findMeasured(ops, modes, database, *target);
    if (failed(measured))
      return failure();
    if (!*measured)
      return false;
    for (auto [op, tiling] : llvm::zip_equal(ops, (*measured)->tilings)) {
      ProductOpInterface matmul = op;
      matmul.setTilingAttr(tiling);
      record(matmul, TilingOrigin::MeasuredChain, &(*measured)->entry);
    }
    if (!givenMode)
      setExecution(parent, {*(*measured)->entry.mode});
    return true;
  }

  LogicalResult assignMeasuredProducts(ArrayRef<ProductOpInterface> ops,
                                       TuningDatabase &database) {
    for (ProductOpInterface op : ops) {
      auto measured = findMeasured(op, database, *target);
      if (failed(measured))
        return failure();
      if (!*measured)
        continue;
      op.setTilingAttr((*measured)->tilings.front());
      record(op, TilingOrigin::MeasuredProduct, &(*measured)->entry);
    }
    return success();
  }

  /// Sets the tilings with the shortest modelled times for those products of
  /// `ops` that have none. In mode `auto`, also chooses the mode with the
  /// shortest modelled time.
  void assignModelled(Operation *parent, ArrayRef<ProductOpInterface> ops) {
    SmallVector<ProductOpInterface> free = getFree(ops);
    tsync::Mode chosen = givenMode.value_or(tsync::Mode::persistent);
    if (givenMode) {
      chooseTilings(ops, chosen, *model);
    } else {
      Execution execution = chooseExecution(ops, *model, areParted(parent));
      setExecution(parent, execution);
      chosen = execution.mode;
    }
    bool isTogether = isOneLaunch(chosen) && ops.size() > 1;
    for (ProductOpInterface op : free)
      record(op, isTogether ? TilingOrigin::ModelledTogether
                            : TilingOrigin::Modelled);
  }

  static SmallVector<ProductOpInterface>
  getFree(ArrayRef<ProductOpInterface> ops) {
    return llvm::filter_to_vector(
        ops, [](ProductOpInterface op) { return !op.getTiling(); });
  }

  LogicalResult assignTilings(Operation *parent,
                              ArrayRef<ProductOpInterface> ops,
                              TuningDatabase *database) {
    SmallVector<ProductOpInterface> free = getFree(ops);
    for (ProductOpInterface op : ops)
      if (op.getTiling() && !getTilingOrigin(op))
        record(op, TilingOrigin::Given);
    if (database && !free.empty()) {
      auto isMeasured = assignMeasuredChain(parent, ops, *database);
      if (failed(isMeasured) || *isMeasured)
        return isMeasured;
    }
    // Tilings of several products that were measured one by one need not go
    // together in one kernel.
    bool isTogether = givenMode && isOneLaunch(*givenMode) && ops.size() > 1;
    if (database && !isTogether)
      if (failed(assignMeasuredProducts(free, *database)))
        return failure();
    assignModelled(parent, ops);
    return success();
  }

  /// The mode that the pass was given; none if the pass is to choose it.
  std::optional<tsync::Mode> givenMode;
  const Target *target = nullptr;
  const ProductModel *model = nullptr;
};

} // namespace
