//===- ScheduleTree.cpp - A schedule as a schedule tree of isl ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Instances.h"
#include "llvm/ADT/STLExtras.h"
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <map>

namespace grout {

void IslScheduleDeleter::operator()(isl_schedule *schedule) const {
  isl_schedule_free(schedule);
}

namespace {

/// Builds the tree from the leaves up.
class TreeBuilder {
public:
  explicit TreeBuilder(const Schedule &schedule) : schedule(schedule) {}

  /// The tree of these statements, from dimension `dim` on.
  isl::schedule build(llvm::ArrayRef<const ScopStatement *> statements,
                      size_t dim) {
    if (dim == schedule.dims.size()) {
      isl::union_set domain(isl::set::empty(spaceOf(*statements.front())));
      for (const ScopStatement *statement : statements)
        domain = domain.unite(
            isl::union_set(isl::manage_copy(statement->domain.get())));
      return isl::schedule::from_domain(domain);
    }
    return schedule.dims[dim].kind == ScheduleDim::Kind::Sequence
               ? buildSequence(statements, dim)
               : buildBand(statements, dim);
  }

private:
  static isl::space spaceOf(const ScopStatement &statement) {
    return isl::manage_copy(statement.domain.get()).space();
  }

  const ScheduleRow &rowOf(const ScopStatement &statement, size_t dim) {
    return (*schedule.find(statement.name))[dim];
  }

  isl::schedule buildSequence(llvm::ArrayRef<const ScopStatement *> statements,
                              size_t dim) {
    std::map<int64_t, std::vector<const ScopStatement *>> groups;
    for (const ScopStatement *statement : statements)
      groups[rowOf(*statement, dim).back()].push_back(statement);
    isl::schedule result;
    for (const auto &[position, group] : groups) {
      isl::schedule child = build(group, dim + 1);
      result = result.is_null() ? child
                                : isl::manage(isl_schedule_sequence(
                                      result.release(), child.release()));
    }
    return result;
  }

  isl::schedule buildBand(llvm::ArrayRef<const ScopStatement *> statements,
                          size_t dim) {
    size_t end = dim + 1;
    while (end < schedule.dims.size() &&
           schedule.dims[end].band == schedule.dims[dim].band)
      ++end;
    isl::schedule result = build(statements, end);
    isl::multi_union_pw_aff rows;
    for (const ScopStatement *statement : statements) {
      isl::space space = spaceOf(*statement);
      isl::aff_list list(space.ctx(), end - dim);
      for (size_t i = dim; i < end; ++i)
        list = list.add(detail::rowFunction(space, rowOf(*statement, i)));
      isl::multi_aff affs(space.add_unnamed_tuple(end - dim), list);
      isl::multi_union_pw_aff mine(isl::multi_pw_aff(affs).intersect_domain(
          isl::manage_copy(statement->domain.get())));
      rows = rows.is_null() ? mine : rows.union_add(mine);
    }
    result = isl::manage(
        isl_schedule_insert_partial_schedule(result.release(), rows.release()));
    isl_schedule_node *band =
        isl_schedule_node_first_child(isl_schedule_get_root(result.get()));
    band = isl_schedule_node_band_set_permutable(band, 1);
    for (size_t i = dim; i < end; ++i)
      band = isl_schedule_node_band_member_set_coincident(
          band, i - dim, schedule.dims[i].coincident);
    isl_schedule *changed = isl_schedule_node_get_schedule(band);
    isl_schedule_node_free(band);
    return isl::manage(changed);
  }

  const Schedule &schedule;
};

} // namespace

llvm::Expected<IslSchedulePtr>
Schedule::toIslScheduleTree(const SchedulingProblem &problem) const {
  if (llvm::Error error = problem.verify(*this))
    return error;
  return detail::guarded(problem.getContext(), [&] {
    if (problem.getStatements().empty())
      detail::refuse("there is no statement to build a schedule tree of");
    std::vector<const ScopStatement *> all;
    for (const ScopStatement &statement : problem.getStatements())
      all.push_back(&statement);
    return IslSchedulePtr(TreeBuilder(*this).build(all, 0).release());
  });
}

} // namespace grout
