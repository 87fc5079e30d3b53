//===- TreeSearch.h - Follows a constraint tree -----------------*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_TREESEARCH_H
#define GROUT_LIB_SCHEDULING_TREESEARCH_H

#include "Completion.h"

namespace grout::detail {

/// The requirements that are dropped if no path of a tree can be followed as it
/// is. Each value includes those before.
enum class Relaxation {
  None,
  /// If a node constrains rows, they need not be linearly independent.
  Independence,
  /// Rows need not be coincident. A row that then is not parallel is neither
  /// vectorised nor mapped.
  Coincidence,
};

/// Follows the first feasible path of a tree, depth first, and completes the
/// schedule.
class TreeSearch {
public:
  TreeSearch(SearchContext &context, const ConstraintTree &tree,
             const SchedulerOptions &options, Tracer trace)
      : context(context), tree(tree), options(options), trace(trace) {}

  /// Leaves the schedule in `state`. If no path is feasible, returns false, and
  /// leaves `state` unchanged.
  bool follow(SearchState &state, Relaxation relaxation);

  /// Returns the numbers of the nodes on the path that was followed, such as
  /// "1.0.0".
  const std::string &getPath() const { return path; }

  /// Returns the paths that were given up because their schedules cannot be
  /// run.
  llvm::ArrayRef<RefusedPath> getRefused() const { return refused; }

private:
  using Nodes = std::vector<std::unique_ptr<ConstraintTreeNode>>;

  bool followAny(const Nodes &nodes, SearchState &state);
  /// Continues below a node whose row has been added to `state`.
  bool followBelow(const ConstraintTreeNode &node, SearchState &state);

  /// Whether the complete schedule in `state` can be run.
  bool canRun(const SearchState &state);

  /// These add a row to `state`, or explain why they cannot.
  bool tryNode(const ConstraintTreeNode &node, SearchState &state);
  bool tryLinear(const ConstraintTreeNode &node, SearchState &state,
                 std::string &outcome);
  bool trySequence(const ConstraintTreeNode &node, SearchState &state,
                   std::string &outcome);

  RowRequest makeRequest(const ConstraintTreeNode &node,
                         const SearchState &state) const;
  std::vector<Demand> makeDemands(const ConstraintTreeNode &node,
                                  const SearchState &state,
                                  Distances distances) const;
  std::optional<SearchState::Rows> solveBlock(const ConstraintTreeNode &node,
                                              const SearchState &state,
                                              RowRequest request);
  std::string explain(const ConstraintTreeNode &node, const SearchState &state);

  SearchContext &context;
  const ConstraintTree &tree;
  const SchedulerOptions &options;
  Tracer trace;
  Relaxation relaxation = Relaxation::None;
  /// Nodes whose rows are fixed take no isl operations. So the budget alone
  /// does not end the search of a tree with many paths.
  static constexpr unsigned maxTries = 10'000;
  unsigned tries = 0;
  std::string path;
  std::vector<RefusedPath> refused;
};

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_TREESEARCH_H
