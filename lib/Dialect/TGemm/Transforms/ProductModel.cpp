//===- ProductModel.cpp - Interface of a target's product model -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

std::string tgemm::findPartsProblem(ProductOpInterface op, TilingAttr tiling) {
  if (!tiling.hasParts())
    return "";
  if (!op.takesParts())
    return "cannot use stream-K: no kernel makes its partial sums";
  if (op.isBatched())
    return "cannot use stream-K in a batch";
  return findPartsProblem(tiling, op.getN(), op.getK());
}

int64_t tgemm::getModelledRows(ProductOpInterface op) {
  std::optional<int64_t> groups = op.getNumGroups();
  return groups ? llvm::divideCeil(op.getM(), std::min(*groups, op.getM()))
                : op.getM();
}

int64_t tgemm::getModelledRowTiles(ProductOpInterface op, int64_t m) {
  if (!op.getNumGroups())
    return op.getBatch() * llvm::divideCeil(op.getM(), m);
  // The probability that a group has a further row is the same for each row,
  // and so is that of m further rows.
  auto groups = static_cast<double>(*op.getNumGroups());
  double mean = static_cast<double>(op.getM()) / groups;
  double more = mean / (1 + mean);
  double moreTiles = std::pow(more, static_cast<double>(m));
  return std::max<int64_t>(1, std::llround(groups * more / (1 - moreTiles)));
}

SmallVector<int64_t> tgemm::getModelledGroupEnds(ProductOpInterface op) {
  int64_t groups = *op.getNumGroups();
  // A step with which all quantiles follow one another, small behind large.
  int64_t step = std::max<int64_t>(groups * 5 / 8, 1);
  while (std::gcd(step, groups) != 1)
    ++step;
  SmallVector<double> sums;
  double sum = 0;
  for (int64_t i = 0; i != groups; ++i) {
    auto quantile = static_cast<double>(i * step % groups);
    sum -= std::log1p(-(quantile + 0.5) / static_cast<double>(groups));
    sums.push_back(sum);
  }
  return llvm::map_to_vector(sums, [&](double until) -> int64_t {
    return std::llround(static_cast<double>(op.getM()) * (until / sum));
  });
}

int64_t tgemm::getOperandBytes(ProductOpInterface op) {
  return op.getOperandElements() * (op.getInputElementType().getWidth() / 8);
}

bool tgemm::stayInCache(ProductOpInterface op, const TargetSpec &target) {
  return getOperandBytes(op) <= target.getKeptBytes();
}

std::array<std::pair<StringRef, double>, 13> TilingTime::getParts() const {
  return {{{"products", products},
           {"cache", cache},
           {"entry", entry},
           {"latency", latency},
           {"memory", memory},
           {"epilogue", epilogue},
           {"exchange", exchange},
           {"sums", sums},
           {"ranks", ranks},
           {"clusters", clusters},
           {"early", early},
           {"waves", waves},
           {"hidden", hidden}}};
}

StringRef TilingTime::getBound() const {
  auto parts = getParts();
  // The last part is time that other work hides, which bounds nothing.
  return llvm::max_element(ArrayRef(parts).drop_back(), llvm::less_second())
      ->first;
}
