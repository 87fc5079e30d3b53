//===- ExplainTilings.cpp - Explains the tiling of a GEMM -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Reports/ExplainTilings.h"

#include "grout/Dialect/TGemm/Transforms/TilingChoice.h"
#include "grout/Dialect/TGemm/Transforms/TilingOrigin.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

std::string grout::getTilingText(TilingAttr tiling) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << tiling;
  return text.substr(text.find('<'));
}

static auto formatTime(double seconds) {
  return llvm::format("%.2f us", seconds * 1e6);
}

static void explainOrigin(const TilingOrigin &origin, const Target &target,
                          const ProductModel &model, llvm::raw_ostream &os) {
  os << "    choice      ";
  switch (origin.kind) {
  case TilingOrigin::Given:
    os << "given";
    break;
  case TilingOrigin::Modelled:
    if (model.hasTimes())
      os << "modelled, for this product alone (the simplest within 0.5 %)";
    else
      os << "the same for all products on " << target.getName();
    break;
  case TilingOrigin::ModelledTogether:
    if (model.hasTimes())
      os << "modelled, for all products of the kernel together";
    else
      os << "the same for all products on " << target.getName();
    break;
  case TilingOrigin::MeasuredProduct:
    os << "measured, " << formatTime(origin.microseconds * 1e-6)
       << " for this product alone (" << origin.place << ")";
    break;
  case TilingOrigin::MeasuredChain:
    os << "measured, " << formatTime(origin.microseconds * 1e-6)
       << " for all products together (" << origin.place << ")";
    break;
  }
  os << "\n";
}

/// Returns all tilings except `chosen` and the tiling that it refines, fastest
/// first.
static std::vector<ModelledTiling> getOthers(ProductOpInterface op,
                                             TilingAttr chosen,
                                             const ProductModel &model,
                                             KernelStart start) {
  std::vector<ModelledTiling> tilings = model.modelTilings(op, start);
  llvm::erase_if(tilings, [&](const ModelledTiling &other) {
    return other.tiling == chosen ||
           model.refineTiling(op, other.tiling) == chosen;
  });
  llvm::stable_sort(tilings,
                    [](const ModelledTiling &a, const ModelledTiling &b) {
                      return a.seconds < b.seconds;
                    });
  return tilings;
}

/// Returns how `op` starts in its chain. Without a chain, it starts alone and
/// in order.
static KernelStart getStart(ProductOpInterface op) {
  auto chain = op->getParentOfType<tsync::ChainOp>();
  if (!chain)
    return KernelStart::inOrder;
  auto ops = llvm::to_vector(chain.getOps<ProductOpInterface>());
  return getKernelStarts(ops,
                         chain.getMode())[llvm::find(ops, op) - ops.begin()];
}

void grout::explainTiling(ProductOpInterface op, const Target &target,
                          llvm::raw_ostream &os) {
  constexpr size_t numOthers = 3;
  const auto &model = *target.getInterface<ProductModel>();
  if (std::optional<TilingOrigin> origin = getTilingOrigin(op))
    explainOrigin(*origin, target, model, os);
  if (!model.hasTimes())
    return;
  KernelStart start = getStart(op);
  TilingTime time = model.modelTiling(op, *op.getTiling(), start);
  os << "    model       " << formatTime(time.total) << ", bound by "
     << time.getBound() << "\n"
     << "    each alone  ";
  llvm::interleaveComma(time.getParts(), os, [&](const auto &part) {
    os << part.first << llvm::format(" %.2f", part.second * 1e6);
  });
  os << "\n";
  std::vector<ModelledTiling> others =
      getOthers(op, *op.getTiling(), model, start);
  for (const ModelledTiling &other : ArrayRef(others).take_front(numOthers))
    os << "    instead     " << formatTime(other.seconds) << ", bound by "
       << model.modelTiling(op, other.tiling, start).getBound() << ": "
       << getTilingText(other.tiling) << "\n";
}
