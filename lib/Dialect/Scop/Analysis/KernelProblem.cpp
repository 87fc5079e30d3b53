//===- KernelProblem.cpp - A kernel as a scheduling problem ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Analysis/KernelProblem.h"

#include "Accesses.h"
#include <isl/flow.h>
#include <map>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

/// Asks isl on which earlier accesses (sources) each access of `sink` depends.
struct FlowQuery {
  isl::union_map sink, order;
  /// Sources that hide earlier sources; sources that do not; and accesses that
  /// hide sources without being sources. Any of them may be null.
  isl::union_map mustSource, maySource, kill;

  /// Answers for accesses to `arrays`, or for those to all other arrays.
  isl::union_flow solveWithin(const isl::union_set &arrays) const {
    return solve([&](const isl::union_map &accesses) {
      return accesses.intersect_range(arrays);
    });
  }
  isl::union_flow solveWithout(const isl::union_set &arrays) const {
    return solve([&](const isl::union_map &accesses) {
      return accesses.subtract_range(arrays);
    });
  }

private:
  isl::union_flow solve(
      llvm::function_ref<isl::union_map(const isl::union_map &)> select) const {
    // isl may give up here, when nothing else is there to be freed.
    isl::union_map sinks = select(sink), must, may, kills;
    if (!mustSource.is_null())
      must = select(mustSource);
    if (!maySource.is_null())
      may = select(maySource);
    if (!kill.is_null())
      kills = select(kill);
    isl_union_access_info *info =
        isl_union_access_info_from_sink(sinks.release());
    if (!must.is_null())
      info = isl_union_access_info_set_must_source(info, must.release());
    if (!may.is_null())
      info = isl_union_access_info_set_may_source(info, may.release());
    if (!kills.is_null())
      info = isl_union_access_info_set_kill(info, kills.release());
    info = isl_union_access_info_set_schedule_map(info, order.copy());
    return isl::manage(isl_union_access_info_compute_flow(info));
  }
};

/// Dependences, by the positions of their source and target statements.
using PairRelations = std::map<std::pair<unsigned, unsigned>, isl::map>;

} // namespace

static PairRelations splitByPair(const Accesses &accesses,
                                 const isl::union_map &dependences) {
  PairRelations result;
  dependences.foreach_map([&](const isl::map &map) {
    std::pair<unsigned, unsigned> pair = {
        accesses.getPosition(map.domain_tuple_id().name()),
        accesses.getPosition(map.range_tuple_id().name())};
    result[pair] = map;
  });
  return result;
}

/// Throws if one of `reads`, which have no source, reads a local.
static void requireDefined(const Accesses &accesses,
                           const isl::union_map &reads) {
  isl::union_map undefined = reads.intersect_range(accesses.locals);
  if (undefined.is_empty())
    return;
  isl::map read = undefined.map_list().at(0);
  grout::detail::PairPoint point = grout::detail::samplePair(read);
  std::string name = read.domain_tuple_id().name();
  throw Complaint{accesses.statements[accesses.getPosition(name)],
                  "reads element " + grout::detail::formatTuple(point.out) +
                      " of a local at " + grout::detail::formatTuple(point.in) +
                      ", which no statement has written by then"};
}

static void unite(PairRelations &relations, const PairRelations &more) {
  for (const auto &[pair, map] : more) {
    auto [it, isNew] = relations.emplace(pair, map);
    if (!isNew)
      it->second = it->second.unite(map);
  }
}

/// Returns the dependences on the last writes before, and more for pairs with a
/// reduction. No write of a reduction hides another write, as the order of
/// reductions is open. Between two statements that are not reductions, accesses
/// hide others as usual: either both statements depend on a reduction between
/// them, or it depends on both. Adds sinks without a source to `undefined`.
static PairRelations solveWithReductions(const Accesses &accesses,
                                         const FlowQuery &query,
                                         isl::union_map &undefined) {
  isl::union_flow others = query.solveWithout(accesses.combined);
  undefined = others.must_no_source();
  PairRelations result = splitByPair(accesses, others.must_dependence());
  if (accesses.combined.is_empty())
    return result;
  isl::union_flow flow = query.solveWithin(accesses.combined);
  undefined = undefined.unite(flow.must_no_source());
  PairRelations exact = splitByPair(accesses, flow.must_dependence());
  FlowQuery open;
  open.sink = query.sink;
  open.order = query.order;
  open.mustSource = accesses.otherWrites;
  open.maySource = accesses.reductionWrites;
  for (auto &[pair, map] : splitByPair(
           accesses, open.solveWithin(accesses.combined).may_dependence()))
    if (accesses.selfCombines[pair.first] || accesses.selfCombines[pair.second])
      exact[pair] = map;
  unite(result, exact);
  return result;
}

static PairRelations computeFlow(const Accesses &accesses) {
  FlowQuery query;
  query.sink = accesses.reads;
  query.order = accesses.order;
  query.mustSource = accesses.otherWrites.unite(accesses.reductionWrites);
  isl::union_map undefined;
  PairRelations result = solveWithReductions(accesses, query, undefined);
  requireDefined(accesses, undefined);
  return result;
}

static PairRelations computeOutput(const Accesses &accesses) {
  if (accesses.rewritten.is_empty())
    return {};
  FlowQuery query;
  query.order = accesses.order;
  query.sink = accesses.otherWrites.unite(accesses.reductionWrites)
                   .intersect_range(accesses.rewritten);
  query.mustSource = query.sink;
  isl::union_map undefined;
  return solveWithReductions(accesses, query, undefined);
}

static PairRelations computeAnti(const Accesses &accesses) {
  if (accesses.overwritten.is_empty())
    return {};
  FlowQuery query;
  query.order = accesses.order;
  query.sink = accesses.otherWrites.unite(accesses.reductionWrites);
  query.maySource = accesses.reads;
  query.kill = accesses.otherWrites;
  return splitByPair(accesses,
                     query.solveWithin(accesses.overwritten).may_dependence());
}

/// Adds the dependences of one kind that are not in `known` yet.
static void addDependences(SchedulingProblem &problem, const Accesses &accesses,
                           StringRef prefix, DependenceKind kind,
                           const PairRelations &relations,
                           PairRelations &known) {
  for (const auto &[pair, map] : relations) {
    isl::map rest = map;
    if (auto it = known.find(pair); it != known.end())
      rest = rest.subtract(it->second);
    if (rest.is_empty())
      continue;
    rest = rest.coalesce();
    ScopDependence dependence;
    dependence.source = rest.domain_tuple_id().name();
    dependence.target = rest.range_tuple_id().name();
    dependence.name =
        prefix.str() + "_" + dependence.source + "_" + dependence.target;
    dependence.relation = grout::detail::wrap(problem.getContext(), rest);
    dependence.kind = kind;
    problem.addDependence(std::move(dependence));
    auto [it, isNew] = known.emplace(pair, rest);
    if (!isNew)
      it->second = it->second.unite(rest);
  }
}

static SchedulingProblem makeProblem(IslContext &context, KernelOp kernel) {
  isl::ctx ctx = context.get();
  Accesses accesses(ctx, kernel);
  SchedulingProblem problem(context);
  for (auto [op, domain] :
       llvm::zip_equal(accesses.statements, accesses.domains)) {
    StmtOp stmt = op;
    ScopStatement statement;
    statement.name = stmt.getSymName().str();
    for (unsigned i = 0; i < stmt.getNumIterators(); ++i)
      statement.iterators.push_back("i" + std::to_string(i));
    statement.domain = IterationDomain::take(context, domain.copy());
    problem.addStatement(std::move(statement));
  }

  PairRelations known;
  for (auto [position, combines] : llvm::enumerate(accesses.selfCombines)) {
    if (!combines || combines->is_empty())
      continue;
    ScopDependence dependence;
    dependence.source = dependence.target =
        StmtOp(accesses.statements[position]).getSymName().str();
    dependence.name = "reduction_" + dependence.source;
    dependence.relation = grout::detail::wrap(context, *combines);
    dependence.reduction = true;
    problem.addDependence(std::move(dependence));
    known[{position, position}] = *combines;
  }
  addDependences(problem, accesses, "flow", DependenceKind::Flow,
                 computeFlow(accesses), known);
  addDependences(problem, accesses, "output", DependenceKind::Output,
                 computeOutput(accesses), known);
  addDependences(problem, accesses, "anti", DependenceKind::Anti,
                 computeAnti(accesses), known);
  problem.setOriginalOrder(problem.getProgramOrder());
  return problem;
}

FailureOr<std::optional<SchedulingProblem>>
grout::scop::tryBuildSchedulingProblem(KernelOp kernel, uint64_t maxOperations,
                                       std::string &reason) {
  IslContext context(maxOperations);
  try {
    llvm::Expected<SchedulingProblem> problem = grout::detail::guarded(
        context, [&] { return makeProblem(context, kernel); });
    if (problem)
      return std::optional(std::move(*problem));
    reason = llvm::toString(problem.takeError());
    return std::optional<SchedulingProblem>();
  } catch (Complaint &complaint) {
    return complaint.statement.emitOpError(complaint.message);
  }
}

FailureOr<SchedulingProblem>
grout::scop::buildSchedulingProblem(KernelOp kernel, uint64_t maxOperations) {
  std::string reason;
  FailureOr<std::optional<SchedulingProblem>> problem =
      tryBuildSchedulingProblem(kernel, maxOperations, reason);
  if (failed(problem))
    return failure();
  if (!*problem)
    return kernel.emitOpError() << "cannot be analysed: " << reason;
  return std::move(**problem);
}

LogicalResult grout::scop::verifyAccesses(KernelOp kernel) {
  IslContext context;
  try {
    auto areInside = grout::detail::guarded(context, [&] {
      [[maybe_unused]] const Accesses accesses(context.get(), kernel);
      return true;
    });
    if (!areInside)
      return kernel.emitOpError()
             << "cannot be analysed: " << llvm::toString(areInside.takeError());
    auto areDefined = grout::detail::guarded(context, [&] {
      computeFlow(Accesses(context.get(), kernel));
      return true;
    });
    // Schedules need this, too, for kernels that other passes have simplified.
    if (!areDefined)
      llvm::consumeError(areDefined.takeError());
    return success();
  } catch (Complaint &complaint) {
    return complaint.statement.emitOpError(complaint.message);
  }
}

/// Returns the statement that `message` names first, or the kernel.
static Operation *findCulprit(KernelOp kernel, StringRef message) {
  Operation *culprit = kernel;
  size_t first = StringRef::npos;
  for (StmtOp statement : kernel.getStatements()) {
    size_t position = message.find((statement.getSymName() + "[").str());
    if (position < first) {
      first = position;
      culprit = statement;
    }
  }
  return culprit;
}

LogicalResult grout::scop::verifySchedule(KernelOp kernel) {
  std::optional<ScheduleAttr> schedule = kernel.getSchedule();
  if (!schedule)
    return kernel.emitOpError("has no schedule; run scop-schedule first");
  FailureOr<SchedulingProblem> problem = buildSchedulingProblem(kernel);
  if (failed(problem))
    return failure();
  llvm::Error error = problem->verify(toSchedule(*schedule));
  if (!error)
    return success();
  std::string message = llvm::toString(std::move(error));
  return findCulprit(kernel, message)->emitOpError()
         << "schedule is not legal: " << message;
}
