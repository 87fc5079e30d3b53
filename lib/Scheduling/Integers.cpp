//===- Integers.cpp - Exact arithmetic on rows of integers ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace grout::detail {

int64_t gcdOf(const LinearForm &form, size_t count) {
  uint64_t gcd = 0;
  for (size_t i = 0; i < count && gcd != 1; ++i)
    if (form[i] != 0)
      gcd = std::gcd(gcd, form[i] < 0 ? 0 - static_cast<uint64_t>(form[i])
                                      : static_cast<uint64_t>(form[i]));
  return narrow(gcd);
}

int64_t evaluate(const LinearForm &form, llvm::ArrayRef<int64_t> values) {
  Wide sum = form.back();
  for (size_t i = 0; i < values.size(); ++i)
    sum += static_cast<Wide>(form[i]) * values[i];
  return narrow(sum);
}

/// Returns the first element that is not zero.
static int64_t leading(const LinearForm &row) {
  return *llvm::find_if(row, [](int64_t value) { return value != 0; });
}

/// Divides by the common factor, and makes the first element that is not zero
/// positive.
static void normalise(LinearForm &row) {
  int64_t gcd = gcdOf(row, row.size());
  if (gcd == 0)
    return;
  int64_t divisor = leading(row) < 0 ? -gcd : gcd;
  for (int64_t &value : row)
    value /= divisor;
}

/// Makes row[column] zero by adding a multiple of `pivot`.
static void eliminate(LinearForm &row, const LinearForm &pivot, size_t column) {
  int64_t gcd = std::gcd(row[column], pivot[column]);
  int64_t mine = pivot[column] / gcd, other = row[column] / gcd;
  std::vector<Wide> result(row.size());
  Wide common = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    result[i] =
        static_cast<Wide>(mine) * row[i] - static_cast<Wide>(other) * pivot[i];
    // std::gcd does not support wide integers in strict C++17.
    for (Wide rest = result[i] < 0 ? -result[i] : result[i]; rest != 0;)
      common = std::exchange(rest, common == 0 ? 0 : common % rest);
  }
  for (size_t i = 0; i < row.size(); ++i)
    row[i] = narrow(common == 0 ? 0 : result[i] / common);
}

std::vector<LinearForm> rowBasis(std::vector<LinearForm> rows) {
  llvm::for_each(rows, normalise);
  llvm::sort(rows);
  rows.erase(llvm::unique(rows), rows.end());
  std::vector<LinearForm> basis;
  size_t width = rows.empty() ? 0 : rows.front().size();
  for (size_t column = 0; column < width; ++column) {
    // A small pivot keeps the other rows small.
    size_t best = rows.size();
    for (size_t i = 0; i < rows.size(); ++i)
      if (rows[i][column] != 0 &&
          (best == rows.size() ||
           std::abs(rows[i][column]) < std::abs(rows[best][column])))
        best = i;
    if (best == rows.size())
      continue;
    LinearForm pivot = rows[best];
    rows.erase(rows.begin() + best);
    for (auto *list : {&rows, &basis})
      for (LinearForm &row : *list)
        if (row[column] != 0)
          eliminate(row, pivot, column);
    basis.push_back(std::move(pivot));
  }
  llvm::for_each(basis, normalise);
  return basis;
}

std::vector<LinearForm> nullBasis(const std::vector<LinearForm> &basis,
                                  size_t width) {
  std::vector<size_t> pivotOf(width, basis.size());
  for (size_t i = 0; i < basis.size(); ++i)
    for (size_t column = 0; column < width; ++column)
      if (basis[i][column] != 0) {
        pivotOf[column] = i;
        break;
      }
  std::vector<LinearForm> result;
  for (size_t free = 0; free < width; ++free) {
    if (pivotOf[free] != basis.size())
      continue;
    // Solve for the pivots, with the free element as large as necessary.
    Wide scale = 1;
    for (const LinearForm &row : basis) {
      int64_t pivot = leading(row);
      if (row[free] != 0)
        scale = narrow(scale / std::gcd(narrow(scale), pivot) * pivot);
    }
    LinearForm vector(width, 0);
    vector[free] = narrow(scale);
    for (size_t column = 0; column < width; ++column)
      if (pivotOf[column] != basis.size()) {
        const LinearForm &row = basis[pivotOf[column]];
        vector[column] = narrow(-(scale * row[free]) / row[column]);
      }
    int64_t gcd = gcdOf(vector, width);
    bool negative = llvm::none_of(vector, [](int64_t v) { return v > 0; });
    for (int64_t &value : vector)
      value = negative ? -value / gcd : value / gcd;
    result.push_back(std::move(vector));
  }
  return result;
}

} // namespace grout::detail
