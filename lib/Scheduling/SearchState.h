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

/// What does not change during a search. Statements and dependences go by
/// their numbers in the problem.
class SearchContext {
public:
  explicit SearchContext(const SchedulingProblem &problem);

  isl::ctx getIslContext() const { return problem.getContext().get(); }

  struct Dependence {
    unsigned source, target;
    bool reduction;
    isl::map pairs;
  };

  const SchedulingProblem &problem;
  /// Number of iterators of each statement.
  std::vector<unsigned> ranks;
  std::vector<Dependence> dependences;
  ConeCache cones;
};

/// A dependence that constrains the rows of the current band.
struct LiveDependence {
  unsigned number;
  unsigned source, target;
  bool reduction;
  /// Those that no earlier band carries.
  isl::map pairs;
  std::shared_ptr<const DependenceCone> cone;
};

/// Rows so far, and what they leave to do. A copy is a checkpoint: undoing is
/// going back to it.
class SearchState {
public:
  explicit SearchState(SearchContext &context);

  /// One row for each statement.
  using Rows = std::vector<ScheduleRow>;

  size_t getDepth() const { return dims.size(); }
  const std::vector<LiveDependence> &getLive() const { return live; }
  /// rows[statement][dimension].
  const std::vector<std::vector<ScheduleRow>> &getRows() const { return rows; }
  const std::vector<ScheduleDim> &getDims() const { return dims; }

  /// A basis of the iterators' parts of a statement's linear rows.
  std::vector<LinearForm> getBasis(unsigned statement) const;
  /// How many independent rows a statement still needs.
  unsigned getDeficit(unsigned statement) const;

  /// Statements that sequences have not separated have equal numbers.
  const std::vector<unsigned> &getClasses() const { return classes; }

  /// Whether a row of the current band has another distance than zero on some
  /// pair of a live dependence between the statements where `within` is set.
  bool carriesSomething(const std::vector<bool> &within) const;
  /// Ends the band: pairs that its rows separate are done with.
  void cutBand();

  /// Adds a loop to the current band, and says what it is.
  ScheduleDim &appendLinear(const Rows &newRows);
  /// The first live dependence that these positions would reverse, or null.
  const LiveDependence *
  findReversed(const std::vector<unsigned> &positions) const;
  /// Adds an order of statements that reverses nothing, between bands.
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
