//===- SparseLoops.cpp - Loops with mostly empty iterations ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SparseLoops.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The most iterations for each point. This many still take little time.
static constexpr double kMostIterationsOfPoint = 1 << 20;

/// Code computes the bounds of loops with 64 bits. Values up to this are safe.
static constexpr double kLargestValue = double(int64_t(1) << 40);

/// Returns the smallest and the largest value of `row` over points of
/// `extents`; none if `row` is not a sum of iterators.
static std::optional<std::pair<double, double>>
getValues(AffineExpr row, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> terms;
  if (!row.isPureAffine() ||
      failed(getFlattenedAffineExpr(row, extents.size(), 0, &terms)) ||
      terms.size() != extents.size() + 1)
    return std::nullopt;
  double least = static_cast<double>(terms.back()), largest = least;
  for (auto [coefficient, extent] :
       llvm::zip_equal(ArrayRef(terms).drop_back(), extents)) {
    double reach =
        static_cast<double>(coefficient) * static_cast<double>(extent - 1);
    (reach < 0 ? least : largest) += reach;
  }
  return std::pair(least, largest);
}

std::string scop::findSparseLoop(KernelOp kernel, ScheduleAttr schedule) {
  double points = 0;
  for (StmtOp statement : kernel.getStatements())
    points += static_cast<double>(computeProduct(statement.getExtents()));
  for (auto [number, dim] : llvm::enumerate(schedule.getDims())) {
    if (dim.getKind() != DimKind::Linear)
      continue;
    std::optional<std::pair<double, double>> all;
    for (StmtOp statement : kernel.getStatements()) {
      auto range =
          getValues(schedule.getMap(statement.getSymName()).getResult(number),
                    statement.getExtents());
      if (range && all)
        all = {std::min(all->first, range->first),
               std::max(all->second, range->second)};
      else if (range)
        all = range;
    }
    if (all && std::max(-all->first, all->second) > kLargestValue)
      return "dimension " + std::to_string(number) +
             " of it has values beyond 2^40";
    if (all && all->second - all->first > kMostIterationsOfPoint * points)
      return "dimension " + std::to_string(number) +
             " of it is a loop of more than 2^20 iterations for each point of "
             "its statements";
  }
  return "";
}
