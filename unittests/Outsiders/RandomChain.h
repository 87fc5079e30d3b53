//===- RandomChain.h - Functions with fuzz.sum among others -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_RANDOMCHAIN_H
#define GROUT_UNITTESTS_OUTSIDERS_RANDOMCHAIN_H

#include "FuzzedOp.h"
#include <random>

namespace grout::test {

/// The tensors of all ops.
constexpr int64_t kRows = 50, kColumns = 24;
using Matrix = std::array<float, kRows * kColumns>;

/// What one op makes of earlier values. Number 0 is the function's argument.
struct ChainOp {
  enum Kind { Product, Add, Sum, Last = Sum };
  Kind kind;
  std::vector<unsigned> operands;
};

/// A function @f of x and of the columns' permutation; it returns the last
/// value, and that of some op before.
struct RandomChain {
  std::vector<ChainOp> ops;
  unsigned otherResult;

  explicit RandomChain(std::mt19937 &random);

  /// How many fuzz.sum it has. They have answers in their order.
  unsigned getNumSums() const;
  /// It as text. Op `i` is on line `i + 2`.
  std::string str() const;
  /// Both results on `x`.
  std::array<Matrix, 2> compute(const Matrix &x) const;
};

/// The column that column `column` of a product is.
constexpr int64_t permute(int64_t column) {
  return (column * 7 + 3) % kColumns;
}

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_RANDOMCHAIN_H
