//===- RandomChain.h - Functions with fuzz.sum among others -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_RANDOMCHAIN_H
#define GROUT_UNITTESTS_OUTSIDERS_RANDOMCHAIN_H

#include "FuzzedOp.h"
#include <optional>
#include <random>

namespace grout::test {

/// The tensors of all ops.
constexpr int64_t kRows = 50, kColumns = 24;
using Matrix = std::array<double, kRows * kColumns>;

/// What one op makes of earlier values. Number 0 is the function's argument.
struct ChainOp {
  enum Kind { Product, Add, Sum, Last = Sum };
  Kind kind;
  std::vector<unsigned> operands;
};

/// One more op, of x and another argument, that nothing reads but the caller.
struct StrayOp {
  /// With attributes.
  std::string text;
  /// Of the other argument, and of the result.
  std::string operandType, resultType;
};

/// A function @f of x and of the columns' permutation; it returns the last
/// value, and that of some op before.
struct RandomChain {
  std::vector<ChainOp> ops;
  unsigned otherResult;
  /// Of all tensors.
  std::string elementType = "f32";
  /// What takes its own argument, and makes a third result.
  std::optional<StrayOp> stray;

  explicit RandomChain(std::mt19937 &random);

  /// How many fuzz.sum it has. They have answers in their order; those behind
  /// are of the stray op.
  unsigned getNumSums() const;
  /// Makes all ops fuzz.sum.
  void keepSums();
  /// It as text. Op `i` is on line `i + 2`, and the stray one behind the last.
  std::string str() const;
  /// Both results on `x`; as what the ops consist of says it, or as they do.
  std::array<Matrix, 2> compute(const Matrix &x,
                                bool asDecomposed = false) const;

private:
  std::string getType() const;
};

/// The column that column `column` of a product is.
constexpr int64_t permute(int64_t column) {
  return (column * 7 + 3) % kColumns;
}

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_RANDOMCHAIN_H
