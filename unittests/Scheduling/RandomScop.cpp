//===- RandomScop.cpp - Random problems, and brute force ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomScop.h"
#include "TestProblems.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace grout::test {
namespace {

int pick(std::mt19937 &random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

/// An affine function: factors of iterators, then the constant.
using Affine = std::vector<int64_t>;

int64_t evaluate(const Affine &function, const Instance &at) {
  int64_t value = function.back();
  for (size_t i = 0; i < at.size(); ++i)
    value += function[i] * at[i];
  return value;
}

/// Iterators are called p0, p1, ..., with the prefix p of their side.
std::string print(const Affine &function, char prefix) {
  std::string text;
  for (size_t i = 0; i + 1 < function.size(); ++i)
    text +=
        std::to_string(function[i]) + "*" + prefix + std::to_string(i) + " + ";
  return "(" + text + std::to_string(function.back()) + ")";
}

struct Access {
  unsigned array;
  std::vector<Affine> element;
  bool write;
  bool accumulates;
};

struct Statement {
  std::string name;
  unsigned rank;
  std::vector<int64_t> extents;
  bool triangular;
  /// Constants and iterators in turn, as in a program's text.
  std::vector<Affine> time;
  std::vector<Access> accesses;

  bool contains(const Instance &at) const {
    return !triangular || at[1] <= at[0];
  }

  std::vector<Instance> enumerate() const {
    std::vector<Instance> result{{}};
    for (int64_t extent : extents) {
      std::vector<Instance> longer;
      for (const Instance &prefix : result)
        for (int64_t i = 0; i < extent; ++i) {
          longer.push_back(prefix);
          longer.back().push_back(i);
        }
      result = std::move(longer);
    }
    llvm::erase_if(result, [&](const Instance &at) { return !contains(at); });
    return result;
  }

  std::string tuple(char prefix) const {
    std::string text = name + "[";
    for (unsigned i = 0; i < rank; ++i)
      text += (i ? ", " : "") + std::string(1, prefix) + std::to_string(i);
    return text + "]";
  }

  std::string condition(char prefix) const {
    std::string text = "0 = 0";
    for (unsigned i = 0; i < rank; ++i)
      text += " and 0 <= " + std::string(1, prefix) + std::to_string(i) +
              " < " + std::to_string(extents[i]);
    if (triangular)
      text += std::string(" and ") + prefix + "1 <= " + prefix + "0";
    return text;
  }

  std::vector<int64_t> timeOf(const Instance &at) const {
    std::vector<int64_t> result;
    for (const Affine &function : time)
      result.push_back(test::evaluate(function, at));
    return result;
  }
};

Affine constant(unsigned rank, int64_t value) {
  Affine function(rank + 1, 0);
  function.back() = value;
  return function;
}

constexpr unsigned kMaxRank = 3;

Statement makeStatement(std::mt19937 &random, unsigned number) {
  Statement statement;
  statement.name = "S" + std::to_string(number);
  statement.rank = pick(random, number == 0 ? 1 : 0, kMaxRank);
  for (unsigned i = 0; i < statement.rank; ++i)
    statement.extents.push_back(pick(random, 2, 4));
  statement.triangular = statement.rank >= 2 && pick(random, 0, 5) == 0;
  for (unsigned i = 0; i <= kMaxRank; ++i) {
    statement.time.push_back(constant(
        statement.rank, i == kMaxRank ? number : pick(random, 0, 4) / 4));
    if (i == kMaxRank)
      break;
    Affine iterator = constant(statement.rank, 0);
    if (i < statement.rank)
      iterator[i] = 1;
    statement.time.push_back(std::move(iterator));
  }
  unsigned accesses = pick(random, 2, 3);
  bool accumulates = pick(random, 0, 3) == 0;
  for (unsigned a = 0; a < accesses; ++a) {
    Access access;
    access.array = pick(random, 0, 2);
    access.write = a == 0;
    access.accumulates = access.write && accumulates;
    for (unsigned dim = 0; dim < 2; ++dim) {
      Affine index = constant(statement.rank, 0);
      if (statement.rank > 0 && pick(random, 0, 5) != 0)
        index[pick(random, 0, statement.rank - 1)] =
            pick(random, 0, 7) == 0 ? -1 : 1;
      if (statement.rank > 0 && pick(random, 0, 7) == 0)
        index[pick(random, 0, statement.rank - 1)] += 1;
      if (pick(random, 0, 3) == 0)
        index.back() = pick(random, -1, 1);
      access.element.push_back(std::move(index));
    }
    statement.accesses.push_back(std::move(access));
  }
  return statement;
}

/// Where the first time comes before the second, as a condition of isl.
std::string precedes(const Statement &source, const Statement &target) {
  std::string text, equal = "0 = 0";
  for (auto [mine, other] : llvm::zip_equal(source.time, target.time)) {
    std::string s = print(mine, 's'), t = print(other, 't');
    text += llvm::formatv("{0}({1} and {2} < {3})", text.empty() ? "" : " or ",
                          equal, s, t);
    equal += llvm::formatv(" and {0} = {1}", s, t);
  }
  return "(" + text + ")";
}

void addDependences(RandomScop &scop, const Statement &source,
                    const Statement &target) {
  for (const Access &first : source.accesses)
    for (const Access &second : target.accesses) {
      if (first.array != second.array || (!first.write && !second.write))
        continue;
      ScopDependence dependence;
      dependence.name = "d" + std::to_string(scop.dependences.size());
      dependence.source = source.name;
      dependence.target = target.name;
      dependence.kind = !second.write ? DependenceKind::Flow
                        : first.write ? DependenceKind::Output
                                      : DependenceKind::Anti;
      dependence.reduction = &source == &target && first.write &&
                             second.write && first.accumulates;
      std::string text = "{ " + source.tuple('s') + " -> " + target.tuple('t') +
                         " : " + source.condition('s') + " and " +
                         target.condition('t') + " and " +
                         precedes(source, target);
      for (auto [s, t] : llvm::zip_equal(first.element, second.element))
        text += " and " + print(s, 's') + " = " + print(t, 't');
      dependence.relation =
          unwrapOrDie(Relation::parse(scop.problem.getContext(), text + " }"));
      ExplicitDependence pairs{
          source.name, target.name, dependence.reduction, {}};
      auto elementOf = [](const Access &access, const Instance &at) {
        return std::pair(test::evaluate(access.element[0], at),
                         test::evaluate(access.element[1], at));
      };
      for (const Instance &s : source.enumerate())
        for (const Instance &t : target.enumerate())
          if (source.timeOf(s) < target.timeOf(t) &&
              elementOf(first, s) == elementOf(second, t))
            pairs.pairs.emplace_back(s, t);
      scop.dependences[dependence.name] = std::move(pairs);
      scop.problem.addDependence(std::move(dependence));
    }
}

} // namespace

RandomScop makeRandomScop(const IslContext &context, std::mt19937 &random) {
  RandomScop scop{SchedulingProblem(context), {}};
  std::vector<Statement> statements;
  int count = pick(random, 1, 4);
  for (int s = 0; s < count; ++s)
    statements.push_back(makeStatement(random, s));
  for (const Statement &statement : statements) {
    ScopStatement result;
    result.name = statement.name;
    for (unsigned i = 0; i < statement.rank; ++i)
      result.iterators.push_back("s" + std::to_string(i));
    result.domain = unwrapOrDie(
        IterationDomain::parse(context, "{ " + statement.tuple('s') + " : " +
                                            statement.condition('s') + " }"));
    scop.problem.addStatement(std::move(result));
  }
  for (const Statement &source : statements)
    for (const Statement &target : statements)
      addDependences(scop, source, target);
  Schedule original;
  for (unsigned d = 0; d <= 2 * kMaxRank; ++d) {
    original.dims.emplace_back().band = d;
    if (d % 2 == 0)
      original.dims.back().kind = DimKind::Sequence;
  }
  for (const Statement &statement : statements)
    original.statements.push_back(
        {statement.name, statement.rank, statement.time});
  scop.problem.setOriginalOrder(std::move(original));
  return scop;
}

//===----------------------------------------------------------------------===//
// Trees and schedules
//===----------------------------------------------------------------------===//

static NodePtr makeRandomLinear(const SchedulingProblem &problem,
                                std::mt19937 &random, unsigned depth) {
  auto node = std::make_unique<ConstraintTreeNode>();
  for (const ScopStatement &statement : problem.getStatements()) {
    unsigned rank = statement.iterators.size();
    if (rank == 0 || pick(random, 0, 2) == 0)
      continue;
    unsigned chosen = pick(random, 0, rank - 1);
    bool others = pick(random, 0, 1);
    for (unsigned i = 0; i < rank; ++i) {
      if (i != chosen && !others)
        continue;
      CoefficientConstraint constraint;
      constraint.terms.push_back({1, {statement.name, i, std::nullopt}});
      constraint.constant =
          i == chosen ? (pick(random, 0, 9) == 0 ? 1 : -1) : 0;
      constraint.equality = i != chosen || pick(random, 0, 3) != 0;
      if (i != chosen && depth > 0 && pick(random, 0, 5) == 0)
        constraint.terms.push_back(
            {-1,
             {statement.name, i,
              static_cast<unsigned>(pick(random, 0, depth - 1))}});
      node->constraints.push_back(std::move(constraint));
    }
  }
  int coincidence = pick(random, 0, 3);
  if (coincidence == 1) {
    node->coincidence = Coincidence::All;
  } else if (coincidence == 2 && !problem.getDependences().empty()) {
    node->coincidence = Coincidence::Listed;
    node->coincidentDependences.push_back(
        problem
            .getDependences()[pick(random, 0,
                                   problem.getDependences().size() - 1)]
            .name);
  }
  node->newBand = pick(random, 0, 3) == 0;
  if (pick(random, 0, 5) == 0)
    node->execution.vectorWidth = 4;
  if (pick(random, 0, 5) == 0)
    node->execution.mapping =
        pick(random, 0, 1) ? Mapping::Block : Mapping::ThreadX;
  return node;
}

static void addRandomNodes(std::vector<NodePtr> &nodes,
                           const SchedulingProblem &problem,
                           std::mt19937 &random, unsigned depth) {
  if (depth == 3)
    return;
  int count = pick(random, depth == 0 ? 1 : 0, 2);
  for (int n = 0; n < count; ++n) {
    NodePtr node;
    if (pick(random, 0, 4) == 0) {
      node = std::make_unique<ConstraintTreeNode>();
      node->kind = DimKind::Sequence;
      std::vector<std::string> names;
      for (const ScopStatement &statement : problem.getStatements())
        names.push_back(statement.name);
      if (pick(random, 0, 2) == 0)
        std::shuffle(names.begin(), names.end(), random);
      for (const std::string &name : names) {
        if (node->order.empty() || pick(random, 0, 2) != 0)
          node->order.emplace_back();
        node->order.back().push_back(name);
      }
    } else {
      node = makeRandomLinear(problem, random, depth);
    }
    addRandomNodes(node->children, problem, random, depth + 1);
    nodes.push_back(std::move(node));
  }
}

ConstraintTree makeRandomTree(const SchedulingProblem &problem,
                              std::mt19937 &random) {
  ConstraintTree tree;
  addRandomNodes(tree.roots, problem, random, 0);
  return tree;
}

Schedule makeRandomSchedule(const SchedulingProblem &problem,
                            std::mt19937 &random) {
  Schedule schedule;
  unsigned band = 0;
  for (int d = 0; d < 5; ++d) {
    ScheduleDim &dim = schedule.dims.emplace_back();
    bool sequence = d == 4 || pick(random, 0, 4) == 0;
    if (d > 0 && (sequence || pick(random, 0, 1) ||
                  schedule.dims[d - 1].kind == DimKind::Sequence))
      ++band;
    dim.band = band;
    if (sequence)
      dim.kind = DimKind::Sequence;
    else if (pick(random, 0, 5) == 0)
      dim.coincident = true;
    else if (pick(random, 0, 5) == 0)
      dim.reductionParallel = true;
  }
  for (const ScopStatement &statement : problem.getStatements()) {
    unsigned rank = statement.iterators.size(), next = 0;
    Schedule::StatementRows rows{statement.name, rank, {}};
    for (const ScheduleDim &dim : schedule.dims) {
      ScheduleRow row(rank + 1, 0);
      if (dim.kind == DimKind::Sequence)
        row.back() = rows.rows.size() == 4 ? schedule.statements.size()
                                           : pick(random, 0, 1);
      else if (next < rank)
        row[pick(random, 0, 5) == 0 ? pick(random, 0, rank - 1) : next] =
            pick(random, 0, 9) == 0 ? -1 : 1,
                                                                  ++next;
      rows.rows.push_back(std::move(row));
    }
    schedule.statements.push_back(std::move(rows));
  }
  return schedule;
}

//===----------------------------------------------------------------------===//
// Brute force
//===----------------------------------------------------------------------===//

bool isWrong(const Schedule &schedule, const ExplicitDependence &dependence,
             const std::pair<Instance, Instance> &pair) {
  const auto &source = *schedule.find(dependence.source);
  const auto &target = *schedule.find(dependence.target);
  bool decided = false, inBand = true, reduction = dependence.reduction;
  for (size_t d = 0; d < schedule.dims.size(); ++d) {
    const ScheduleDim &dim = schedule.dims[d];
    // Once earlier bands decide, nothing later is about this pair.
    if (d > 0 && dim.band != schedule.dims[d - 1].band)
      inBand = !decided;
    if (!inBand)
      return false;
    int64_t distance =
        evaluate(target[d], pair.second) - evaluate(source[d], pair.first);
    if (distance < 0 && !reduction)
      return true;
    if (distance != 0 &&
        (dim.coincident || (dim.reductionParallel && !reduction)))
      return true;
    decided |= distance != 0;
  }
  return !decided;
}

bool isRight(const Schedule &schedule, const RandomScop &scop) {
  return llvm::none_of(scop.dependences, [&](const auto &entry) {
    return llvm::any_of(entry.second.pairs, [&](const auto &pair) {
      return isWrong(schedule, entry.second, pair);
    });
  });
}

} // namespace grout::test
