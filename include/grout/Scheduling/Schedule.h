//===- Schedule.h - Affine schedules of statements --------------*- C++ -*-===//
//
// Part of Grout. A schedule as plain data: for each statement, an affine
// function of its iterators for each dimension of time. The text form of a
// schedule is an attribute of the scop dialect, #scop.schedule.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SCHEDULING_SCHEDULE_H
#define GROUT_SCHEDULING_SCHEDULE_H

#include "grout/Scheduling/ScheduleEnums.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace grout {

/// How the iterations of a loop are executed.
struct LoopExecution {
  /// The blocks or threads that run the iterations. None: those that have no
  /// other work.
  std::optional<Mapping> mapping;
  /// Elements of a vector; 1: not vectorised.
  unsigned vectorWidth = 1;
  /// Whether vectors begin at multiples of their width in memory, maybe before
  /// the loop's first iteration, and elements outside of the loop are masked.
  /// Then neither the loop's extent nor the start of a row has to be a multiple
  /// of the width.
  bool masked = false;
  /// The statements that are vectorised; empty: all.
  std::vector<std::string> vectorStatements;

  bool operator==(const LoopExecution &other) const;
  /// Returns whether iterations run at the same time, which only a parallel
  /// loop allows.
  bool isParallel() const { return mapping || vectorWidth != 1; }

  /// Returns how the fields of a vector contradict each other, or "".
  static llvm::StringRef findContradiction(unsigned vectorWidth, bool masked,
                                           bool namesStatements);
  llvm::StringRef findContradiction() const {
    return findContradiction(vectorWidth, masked, !vectorStatements.empty());
  }
};

/// A dimension of time, common to all statements.
struct ScheduleDim {
  DimKind kind = DimKind::Linear;
  /// Whether the loop is parallel within its band: no dependence between
  /// instances that are equal in all earlier bands has a distance in this
  /// dimension.
  bool coincident = false;
  /// Whether only dependences of reductions keep the loop from being
  /// coincident. The loop is parallel if the lowering combines partial results.
  bool reductionParallel = false;
  /// The number of the band. Consecutive dimensions with equal numbers can be
  /// permuted. A sequence is a band of its own.
  unsigned band = 0;
  /// How the loop is executed. Vectors and mappings need `coincident` or
  /// `reductionParallel`. With `reductionParallel`, each lane and each thread
  /// has a partial result.
  LoopExecution execution;

  bool operator==(const ScheduleDim &other) const;
};

/// A row: one coefficient for each iterator, then the constant.
using ScheduleRow = std::vector<int64_t>;

/// A schedule. Instances run in the lexicographic order of their times.
struct Schedule {
  struct StatementRows {
    std::string statement;
    unsigned numIterators;
    /// One row for each dimension.
    std::vector<ScheduleRow> rows;

    bool operator==(const StatementRows &other) const {
      return statement == other.statement &&
             numIterators == other.numIterators && rows == other.rows;
    }
  };

  std::vector<ScheduleDim> dims;
  /// The statements, in the order of the problem.
  std::vector<StatementRows> statements;

  /// Returns the rows of a statement, or null.
  const std::vector<ScheduleRow> *find(llvm::StringRef statement) const;

  bool operator==(const Schedule &other) const {
    return dims == other.dims && statements == other.statements;
  }
};

} // namespace grout

#endif // GROUT_SCHEDULING_SCHEDULE_H
