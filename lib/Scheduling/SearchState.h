//===- SearchState.h - A schedule under construction ------------*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_SEARCHSTATE_H
#define GROUT_LIB_SCHEDULING_SEARCHSTATE_H

#include "DependenceCone.h"
#include "grout/Scheduling/SchedulingProblem.h"

namespace grout::detail {

/// The data that does not change during a search. Statements and dependences
/// are identified by their numbers in the problem.
class SearchContext {
public:
  explicit SearchContext(const SchedulingProblem &problem);

  isl::ctx getIslContext() const { return problem.getContext().get(); }

  struct Dependence {
    unsigned source, target;
    bool reduction;
    Relation pairs;
  };

  const SchedulingProblem &problem;
  /// The number of iterators of each statement.
  std::vector<unsigned> ranks;
  std::vector<Dependence> dependences;
  ConeCache cones;
};

/// A dependence that constrains the rows of the current band.
struct LiveDependence {
  unsigned number;
  unsigned source, target;
  bool reduction;
  /// The pairs that no earlier band carries.
  Relation pairs;
  std::shared_ptr<const DependenceCone> cone;
};

/// The rows so far, and the dependences that they leave. A copy is a
/// checkpoint, to which a search can go back.
class SearchState {
public:
  explicit SearchState(SearchContext &context);

  /// A row for each statement.
  using Rows = std::vector<ScheduleRow>;

  size_t getDepth() const { return dims.size(); }
  const std::vector<LiveDependence> &getLive() const { return live; }
  /// Returns rows[statement][dimension].
  const std::vector<std::vector<ScheduleRow>> &getRows() const { return rows; }
  const std::vector<ScheduleDim> &getDims() const { return dims; }

  /// Returns a basis of a statement's linear rows, without their constants.
  std::vector<LinearForm> getBasis(unsigned statement) const;
  /// Returns how many independent rows a statement still needs.
  unsigned getDeficit(unsigned statement) const;

  /// Returns a number for each statement. Statements have equal numbers if no
  /// sequence has separated them.
  const std::vector<unsigned> &getClasses() const { return classes; }

  /// Whether a row of the current band has a distance other than zero on some
  /// pair of a live dependence between the statements of `within`.
  bool carriesSomething(const std::vector<bool> &within) const;
  /// Ends the band, and removes the pairs that its rows separate.
  void cutBand();

  /// Adds a loop to the current band, and returns its dimension.
  ScheduleDim &appendLinear(const Rows &newRows);
  /// Returns the first live dependence that these positions would reverse, or
  /// null.
  const LiveDependence *
  findReversed(const std::vector<unsigned> &positions) const;
  /// Ends the band, and adds an order of statements, which must not reverse a
  /// dependence.
  void appendSequence(const std::vector<unsigned> &positions);

  Schedule toSchedule() const;

private:
  /// Whether the rows have distance zero on all pairs.
  static bool isZero(const LiveDependence &dependence,
                     const ScheduleRow &source, const ScheduleRow &target);
  void appendRows(const Rows &newRows);

  SearchContext *context;
  std::vector<ScheduleDim> dims;
  std::vector<std::vector<ScheduleRow>> rows;
  std::vector<LiveDependence> live;
  std::vector<unsigned> classes;
  size_t bandStart = 0;
  unsigned band = 0;
};

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_SEARCHSTATE_H
