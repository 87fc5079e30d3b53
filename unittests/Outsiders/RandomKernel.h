//===- RandomKernel.h - Recurrences over one array --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_RANDOMKERNEL_H
#define GROUT_UNITTESTS_OUTSIDERS_RANDOMKERNEL_H

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace grout::test {

/// Of the array, and of the loops of each statement, which leave out an end.
constexpr int64_t kSide = 9, kTrips = 8;
using Square = std::array<int32_t, kSide * kSide>;

/// Element (i + row, j + column), or of (j, i) in place of (i, j).
struct Place {
  int64_t row, column;
  bool isTransposed;
};

/// A scop.kernel of up to three statements, each of which writes a sum of
/// elements that it or others may have written.
struct RandomKernel {
  struct Statement {
    std::vector<Place> reads;
    Place write;
  };
  std::vector<Statement> statements;

  explicit RandomKernel(std::mt19937 &random);

  /// A function @f of the array. Statements are called S0, S1, ...
  std::string str() const;
  /// What the statements make of `array` in their order.
  Square compute(Square array) const;
};

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_RANDOMKERNEL_H
