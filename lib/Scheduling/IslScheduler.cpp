//===- IslScheduler.cpp - isl's own scheduler -----------------------------===//
//
// Part of Grout. isl computes a schedule tree. Its bands and sequences are
// replayed as rows, so that flags mean the same as in other schedules.
//
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "Instances.h"
#include "IslSchedule.h"
#include "grout/Scheduling/Scheduler.h"
#include "llvm/ADT/STLExtras.h"
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <map>

namespace grout::detail {
namespace {

/// A dimension for some of the statements.
struct PartialDim {
  bool sequence = false;
  /// Whether it is the first dimension of a band.
  bool startsBand = false;
  /// Rows by the number of the statement.
  std::map<unsigned, ScheduleRow> rows;
};
using PartialDims = std::vector<PartialDim>;

class TreeReader {
public:
  explicit TreeReader(const SearchContext &context) : context(context) {
    for (auto [number, statement] :
         llvm::enumerate(context.problem.getStatements()))
      numbers[statement.name] = number;
  }

  /// Returns the dimensions of the subtree for these statements.
  PartialDims read(const isl::schedule_node &node,
                   const std::vector<unsigned> &statements) {
    if (node.isa<isl::schedule_node_band>())
      return readBand(node.as<isl::schedule_node_band>(), statements);
    if (node.isa<isl::schedule_node_sequence>() ||
        node.isa<isl::schedule_node_set>())
      return readSequence(node, statements);
    if (node.isa<isl::schedule_node_domain>())
      return read(node.child(0), statements);
    if (node.isa<isl::schedule_node_leaf>())
      return {};
    refuse("isl's schedule has a node that is neither a band nor a sequence");
  }

private:
  PartialDims readBand(const isl::schedule_node_band &band,
                       const std::vector<unsigned> &statements) {
    isl::multi_union_pw_aff partial = band.partial_schedule();
    PartialDims dims(band.n_member());
    for (unsigned i = 0; i < dims.size(); ++i) {
      dims[i].startsBand = i == 0;
      isl::union_pw_aff member = partial.at(i);
      for (unsigned s : statements)
        dims[i].rows[s] = readRow(member, s);
    }
    PartialDims inner = read(band.child(0), statements);
    dims.insert(dims.end(), inner.begin(), inner.end());
    return dims;
  }

  ScheduleRow readRow(const isl::union_pw_aff &member, unsigned s) {
    const ScopStatement &statement = context.problem.getStatements()[s];
    isl::space space = isl::manage_copy(statement.domain.get()).space();
    isl::pw_aff function = isl::manage(isl_union_pw_aff_extract_pw_aff(
        member.get(), space.add_unnamed_tuple(1).release()));
    std::string why = "isl's schedule of statement '" + statement.name +
                      "' is not one affine row without divisions";
    if (isl_pw_aff_n_piece(function.get()) != 1)
      refuse(why);
    isl::aff aff = function.as_aff();
    for (int i = 0; i < isl_aff_dim(aff.get(), isl_dim_div); ++i)
      if (!isl::manage(isl_aff_get_coefficient_val(aff.get(), isl_dim_div, i))
               .is_zero())
        refuse(why);
    ScheduleRow row;
    auto append = [&](isl::val value) {
      if (!value.is_int())
        refuse(why);
      row.push_back(toInt64(value));
    };
    for (unsigned i = 0; i < context.ranks[s]; ++i)
      append(
          isl::manage(isl_aff_get_coefficient_val(aff.get(), isl_dim_in, i)));
    append(aff.constant_val());
    return row;
  }

  PartialDims readSequence(const isl::schedule_node &node,
                           const std::vector<unsigned> &statements) {
    PartialDims dims(1);
    dims[0].sequence = true;
    std::vector<PartialDims> children;
    for (unsigned i = 0; i < node.n_children(); ++i) {
      isl::schedule_node_filter filter =
          node.child(i).as<isl::schedule_node_filter>();
      std::vector<unsigned> group;
      filter.filter().foreach_set(
          [&](isl::set set) { group.push_back(numbers.at(tupleName(set))); });
      llvm::sort(group);
      for (unsigned s : group) {
        dims[0].rows[s].assign(context.ranks[s] + 1, 0);
        dims[0].rows[s].back() = i;
      }
      children.push_back(read(filter.child(0), group));
    }
    // A statement without instances is in no filter.
    for (unsigned s : statements)
      dims[0].rows.try_emplace(s, context.ranks[s] + 1, 0);
    PartialDims inner = merge(children);
    dims.insert(dims.end(), inner.begin(), inner.end());
    return dims;
  }

  /// Puts the dimensions of children side by side: sequences with sequences,
  /// and loops with loops.
  PartialDims merge(const std::vector<PartialDims> &children) {
    PartialDims result;
    std::vector<size_t> next(children.size(), 0);
    auto isLeft = [&](size_t c) { return next[c] < children[c].size(); };
    for (;;) {
      bool any = false, sequence = false;
      for (size_t c = 0; c < children.size(); ++c)
        if (isLeft(c)) {
          any = true;
          sequence |= children[c][next[c]].sequence;
        }
      if (!any)
        return result;
      PartialDim &dim = result.emplace_back();
      dim.sequence = sequence;
      for (size_t c = 0; c < children.size(); ++c)
        if (isLeft(c) && children[c][next[c]].sequence == sequence) {
          const PartialDim &mine = children[c][next[c]++];
          dim.startsBand |= mine.startsBand;
          dim.rows.insert(mine.rows.begin(), mine.rows.end());
        }
    }
  }

  const SearchContext &context;
  std::map<std::string, unsigned> numbers;
};

/// The most operations that isl's scheduler may spend, and the largest
/// coefficients that it may try. With larger coefficients, each operation takes
/// longer, and the budget no longer bounds the time.
constexpr uint64_t kIslOperations = 100'000;
constexpr int kMaxIslCoefficient = 64;

isl::schedule computeByIsl(const SearchContext &context) {
  isl::union_set domain;
  for (const ScopStatement &statement : context.problem.getStatements()) {
    isl::union_set mine(isl::manage_copy(statement.domain.get()));
    domain = domain.is_null() ? mine : domain.unite(mine);
  }
  isl::union_map order = isl::union_map::empty(context.getIslContext());
  isl::union_map all = order;
  for (const SearchContext::Dependence &dependence : context.dependences) {
    isl::union_map pairs(unwrap(dependence.pairs));
    all = all.unite(pairs);
    if (!dependence.reduction)
      order = order.unite(pairs);
  }
  isl::schedule schedule;
  isl_options_set_schedule_max_coefficient(context.getIslContext().get(),
                                           kMaxIslCoefficient);
  try {
    tryWithin(context.problem.getContext(), kIslOperations, [&] {
      schedule = isl::schedule_constraints::on_domain(domain)
                     .set_validity(order)
                     .set_proximity(order)
                     .set_coincidence(all)
                     .compute_schedule();
    });
  } catch (const isl::exception &) {
    // Some steps of isl's scheduler do not report that operations ran out.
    schedule = isl::schedule();
  }
  if (schedule.is_null())
    refuse("isl's own scheduler gives no schedule of this problem within its "
           "budget");
  return schedule;
}

} // namespace

Schedule scheduleByIsl(SearchContext &context) {
  SearchState state(context);
  if (context.ranks.empty())
    return state.toSchedule();
  isl::schedule schedule = computeByIsl(context);
  std::vector<unsigned> all;
  for (unsigned s = 0; s < context.ranks.size(); ++s)
    all.push_back(s);
  for (const PartialDim &dim : TreeReader(context).read(schedule.root(), all)) {
    SearchState::Rows rows;
    std::vector<unsigned> positions;
    for (unsigned s : all) {
      auto it = dim.rows.find(s);
      rows.push_back(it == dim.rows.end() ? ScheduleRow(context.ranks[s] + 1, 0)
                                          : it->second);
      positions.push_back(rows.back().back());
    }
    if (dim.sequence) {
      state.appendSequence(positions);
      continue;
    }
    if (dim.startsBand)
      state.cutBand();
    state.appendLinear(rows);
  }
  if (!appendFinalSequence(context, state, [](size_t, auto, auto) {}))
    refuse("isl's schedule leaves dependent statements at the same time");
  return state.toSchedule();
}

} // namespace grout::detail

namespace grout {
namespace {

/// Keeps the original order, if isl's schedule cannot be run. Throws if the
/// original order cannot be run, either.
void keepOriginalOrder(SchedulingResult &result,
                       const SchedulingProblem &problem,
                       const SchedulerOptions &options,
                       const std::string &why) {
  const std::optional<Schedule> &order = problem.getOriginalOrder();
  std::string other = "there is no original order";
  if (order) {
    llvm::Error error = problem.verify(*order);
    other =
        error ? llvm::toString(std::move(error)) : options.findProblem(*order);
  }
  if (!other.empty())
    detail::fail(AnalysisErrorKind::Invalid,
                 "isl's schedule cannot be run: " + why +
                     "; nor can the original order: " + other);
  result.schedule = *order;
  result.origin = SchedulingResult::Origin::OriginalOrder;
  result.remark =
      "isl's schedule cannot be run (" + why + "); the original order was kept";
}

class IslScheduler final : public Scheduler {
public:
  llvm::Expected<SchedulingResult>
  schedule(const SchedulingProblem &problem, const ConstraintTree *tree,
           const SchedulerOptions &options) const override {
    if (tree)
      return llvm::make_error<AnalysisError>(
          AnalysisErrorKind::Invalid,
          "isl's own scheduler takes no constraint tree");
    if (llvm::Error error = problem.check())
      return error;
    return detail::guarded(problem.getContext(), [&] {
      SchedulingResult result;
      bool done =
          detail::tryWithin(problem.getContext(), options.maxOperations, [&] {
            detail::SearchContext context(problem);
            result.schedule = detail::scheduleByIsl(context);
          });
      if (!done)
        detail::fail(AnalysisErrorKind::GaveUp,
                     "gave up: the operation budget of isl's scheduler ran "
                     "out");
      result.origin = SchedulingResult::Origin::IslFallback;
      result.remark = "scheduled by isl's own scheduler";
      std::string why =
          options.findProblem ? options.findProblem(result.schedule) : "";
      if (!why.empty())
        keepOriginalOrder(result, problem, options, why);
      return result;
    });
  }
};

} // namespace

std::unique_ptr<Scheduler> createIslScheduler() {
  return std::make_unique<IslScheduler>();
}

} // namespace grout
