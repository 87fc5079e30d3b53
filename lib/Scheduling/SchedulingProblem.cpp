//===- SchedulingProblem.cpp - Constraints on schedules -------------------===//
//
// Part of Grout. verify() is in VerifySchedule.cpp.
//
//===----------------------------------------------------------------------===//

#include "grout/Scheduling/SchedulingProblem.h"

#include "Instances.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <isl/space.h>

namespace grout {

void SchedulingProblem::addStatement(ScopStatement statement) {
  // Messages name dimensions as the statement does. check() refuses null sets,
  // and ranks that differ.
  if (!statement.domain.isNull()) {
    isl_set *set = isl_set_copy(statement.domain.get());
    size_t rank = std::max(isl_set_dim(set, isl_dim_set), 0);
    if (rank == statement.iterators.size())
      for (auto [dim, name] : llvm::enumerate(statement.iterators))
        set = isl_set_set_dim_name(set, isl_dim_set, dim, name.c_str());
    statement.domain =
        IterationDomain::take(statement.domain.getContext(), set);
  }
  statements.push_back(std::move(statement));
}

void SchedulingProblem::addDependence(ScopDependence dependence) {
  dependences.push_back(std::move(dependence));
}

void SchedulingProblem::setOriginalOrder(Schedule schedule) {
  original = std::move(schedule);
}

const ScopStatement *
SchedulingProblem::findStatement(llvm::StringRef name) const {
  auto it =
      llvm::find_if(statements, [&](const auto &s) { return s.name == name; });
  return it == statements.end() ? nullptr : &*it;
}

const ScopDependence *
SchedulingProblem::findDependence(llvm::StringRef name) const {
  auto it =
      llvm::find_if(dependences, [&](const auto &d) { return d.name == name; });
  return it == dependences.end() ? nullptr : &*it;
}

//===----------------------------------------------------------------------===//
// check
//===----------------------------------------------------------------------===//

static bool isName(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Refuses a `space` with parameters.
static void requireStatic(const isl::space &space, const std::string &where) {
  if (isl_space_dim(space.get(), isl_dim_param) > 0)
    detail::refuse(where + ": parameter '" +
                   isl_space_get_dim_name(space.get(), isl_dim_param, 0) +
                   "' is not supported: extents have to be static");
}

static void checkStatement(const ScopStatement &statement,
                           const IslContext &context) {
  std::string where = "statement '" + statement.name + "'";
  if (!isName(statement.name))
    detail::refuse(where + ": the name is not an identifier");
  llvm::StringSet<> names;
  for (const std::string &iterator : statement.iterators) {
    if (!isName(iterator))
      detail::refuse(
          llvm::formatv("{0}: the name of iterator '{1}' is not an identifier",
                        where, iterator));
    if (!names.insert(iterator).second)
      detail::refuse(llvm::formatv("{0}: two iterators are called '{1}'", where,
                                   iterator));
  }
  if (statement.domain.isNull())
    detail::refuse(where + ": the domain is null");
  if (statement.domain.getContext().get() != context.get())
    detail::refuse(where + ": the domain belongs to another context");
  isl::set domain = isl::manage_copy(statement.domain.get());
  requireStatic(domain.space(), where);
  if (detail::tupleName(domain) != statement.name)
    detail::refuse(where + ": the domain is not one of that name");
  if (domain.tuple_dim() != statement.iterators.size())
    detail::refuse(where + ": the domain has " +
                   std::to_string(domain.tuple_dim()) + " dimensions, but " +
                   std::to_string(statement.iterators.size()) +
                   " iterators are named");
  isl_bool bounded = isl_set_is_bounded(domain.get());
  if (bounded == isl_bool_error)
    isl::exception::throw_last_error(context.get());
  if (bounded == isl_bool_false)
    detail::refuse(where + ": the domain is not bounded");
}

static void checkDependence(const SchedulingProblem &problem,
                            const ScopDependence &dependence) {
  std::string where = "dependence '" + dependence.name + "'";
  if (!isName(dependence.name))
    detail::refuse(where + ": the name is not an identifier");
  if (dependence.relation.isNull())
    detail::refuse(where + ": the relation is null");
  if (dependence.relation.getContext().get() != problem.getContext().get())
    detail::refuse(where + ": the relation belongs to another context");
  isl::map relation = detail::unwrap(dependence.relation);
  requireStatic(relation.space(), where);
  auto checkEnd = [&](const std::string &name, const isl::set &tuple) {
    const ScopStatement *statement = problem.findStatement(name);
    if (!statement)
      detail::refuse(where + ": there is no statement '" + name + "'");
    if (detail::tupleName(tuple) != name ||
        tuple.tuple_dim() != statement->iterators.size())
      detail::refuse(where + ": the relation " + dependence.relation.str() +
                     " does not relate instances of '" + dependence.source +
                     "' to instances of '" + dependence.target + "'");
  };
  checkEnd(dependence.source, relation.domain());
  checkEnd(dependence.target, relation.range());
  if (dependence.source != dependence.target)
    return;
  isl::map pairs = detail::dependentPairs(problem, dependence);
  isl::map same = pairs.intersect(isl::map(pairs.domain().identity()));
  if (!same.is_empty())
    detail::refuse(where + " " + detail::firstPair(dependence, same) +
                   ": an instance depends on itself");
}

llvm::Error SchedulingProblem::check() const {
  return detail::guarded(context,
                         [&] {
                           llvm::StringSet<> names;
                           for (const ScopStatement &statement : statements) {
                             checkStatement(statement, context);
                             if (!names.insert(statement.name).second)
                               detail::refuse("two statements are called '" +
                                              statement.name + "'");
                           }
                           names.clear();
                           for (const ScopDependence &dependence :
                                dependences) {
                             checkDependence(*this, dependence);
                             if (!names.insert(dependence.name).second)
                               detail::refuse("two dependences are called '" +
                                              dependence.name + "'");
                           }
                           return true;
                         })
      .takeError();
}

Schedule SchedulingProblem::getProgramOrder() const {
  Schedule schedule;
  size_t depth = 0;
  for (const ScopStatement &statement : statements)
    depth = std::max(depth, statement.iterators.size());
  schedule.dims.resize(depth + 1);
  for (auto [number, dim] : llvm::enumerate(schedule.dims))
    dim.band = number;
  schedule.dims[0].kind = DimKind::Sequence;
  for (auto [number, statement] : llvm::enumerate(statements)) {
    unsigned rank = statement.iterators.size();
    Schedule::StatementRows &rows = schedule.statements.emplace_back();
    rows.statement = statement.name;
    rows.numIterators = rank;
    rows.rows.assign(depth + 1, ScheduleRow(rank + 1, 0));
    rows.rows[0].back() = number;
    for (unsigned i = 0; i < rank; ++i)
      rows.rows[i + 1][i] = 1;
  }
  return schedule;
}

} // namespace grout
