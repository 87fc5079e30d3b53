//===- Schedule.h - Affine schedules of statements --------------*- C++ -*-===//
//
// Part of Grout. A schedule as plain data: for each statement, an affine
// function of its iterators for each dimension of time.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SCHEDULING_SCHEDULE_H
#define GROUT_SCHEDULING_SCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace grout {

/// Where a loop can run: in blocks; in neighbouring threads of a block; in its
/// other threads.
llvm::ArrayRef<llvm::StringLiteral> getMappings();

/// A dimension of time, common to all statements.
struct ScheduleDim {
  enum class Kind {
    /// A loop.
    Linear,
    /// An order of statements: every row is a constant.
    Sequence,
  };

  Kind kind = Kind::Linear;
  /// The loop is parallel within its band: no dependence between instances
  /// that are equal in all earlier bands has a distance in this dimension.
  bool coincident = false;
  /// Not coincident, but only for dependences of reductions: the loop is
  /// parallel if whoever lowers it combines partial results.
  bool reductionParallel = false;
  /// Consecutive dimensions with equal numbers can be permuted. A sequence is
  /// a band of its own.
  unsigned band = 0;
  /// Elements of a vector; 1: not vectorised. Needs coincident, or
  /// reductionParallel: then each lane has a partial result.
  unsigned vectorWidth = 1;
  /// Vectors begin where those of memory do, before the loop's first iteration
  /// if need be, and what they have outside of the loop is masked: neither the
  /// loop's extent nor the start of a row has to be a multiple of the width.
  bool masked = false;
  /// The statements that are vectorised; empty: all.
  std::vector<std::string> vectorStatements;
  /// "", or one of getMappings(). Needs coincident or reductionParallel.
  std::string mapping;

  bool operator==(const ScheduleDim &other) const;
};

/// One coefficient for each iterator, then the constant.
using ScheduleRow = std::vector<int64_t>;

/// A schedule. Instances run in the lexicographic order of their times.
struct Schedule {
  struct StatementRows {
    std::string statement;
    /// One row for each dimension.
    std::vector<ScheduleRow> rows;

    bool operator==(const StatementRows &other) const {
      return statement == other.statement && rows == other.rows;
    }
  };

  std::vector<ScheduleDim> dims;
  /// In the order of the problem's statements.
  std::vector<StatementRows> statements;

  /// The rows of a statement, or null.
  const std::vector<ScheduleRow> *find(llvm::StringRef statement) const;

  bool operator==(const Schedule &other) const {
    return dims == other.dims && statements == other.statements;
  }

  /// Stable text, one line for each dimension and statement:
  ///   linear band 0 coincident block
  ///   sequence band 1
  ///   linear band 2 coincident vector 4 of X, Y
  ///   linear band 3 reduction thread_x vector 8 masked
  ///   X: [1, 0, 0] [0, 0, 0] [0, 1, 0]
  /// Flags come in the order coincident or reduction, mapping, vector.
  std::string str() const;
  /// Reads what str() writes; '#' starts a comment.
  static llvm::Expected<Schedule> parse(llvm::StringRef text);
};

} // namespace grout

#endif // GROUT_SCHEDULING_SCHEDULE_H
