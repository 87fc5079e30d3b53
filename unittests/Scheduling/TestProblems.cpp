//===- TestProblems.cpp - Problems and trees for tests --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <isl/map.h>
#include <isl/set.h>

namespace grout::test {

/// The name of a tuple that may have none.
static std::string nameOf(isl_bool hasName, const char *name) {
  return hasName == isl_bool_true ? name : "";
}

static ScopStatement makeStatement(const IslContext &context,
                                   llvm::StringRef source) {
  ScopStatement statement;
  statement.domain = unwrapOrDie(IterationDomain::parse(context, source));
  isl_set *domain = statement.domain.get();
  statement.name =
      nameOf(isl_set_has_tuple_name(domain), isl_set_get_tuple_name(domain));
  for (int i = 0; i < isl_set_dim(domain, isl_dim_set); ++i)
    statement.iterators.push_back(isl_set_get_dim_name(domain, isl_dim_set, i));
  return statement;
}

static ScopDependence makeDependence(const IslContext &context,
                                     const DependenceSource &source) {
  ScopDependence dependence;
  dependence.name = source.name;
  dependence.kind = source.kind;
  dependence.reduction = source.isReduction;
  dependence.relation = unwrapOrDie(Relation::parse(context, source.relation));
  auto endOf = [&](isl_dim_type end) {
    isl_map *relation = dependence.relation.get();
    return nameOf(isl_map_has_tuple_name(relation, end),
                  isl_map_get_tuple_name(relation, end));
  };
  dependence.source = endOf(isl_dim_in);
  dependence.target = endOf(isl_dim_out);
  return dependence;
}

SchedulingProblem
makeProblem(const IslContext &context, const std::vector<std::string> &domains,
            const std::vector<DependenceSource> &dependences) {
  SchedulingProblem problem(context);
  for (const std::string &domain : domains)
    problem.addStatement(makeStatement(context, domain));
  for (const DependenceSource &dependence : dependences)
    problem.addDependence(makeDependence(context, dependence));
  return problem;
}

/// A context of the dialect whose text the schedules have. Diagnostics go
/// nowhere.
static mlir::MLIRContext &getContext() {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  static bool isNew = true;
  if (std::exchange(isNew, false)) {
    context.loadDialect<scop::ScopDialect>();
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {});
  }
  return context;
}

std::string toText(const Schedule &schedule) {
  std::string text;
  llvm::raw_string_ostream(text)
      << scop::toScheduleAttr(&getContext(), schedule);
  return text.substr(text.find('<'));
}

std::optional<Schedule> tryParseSchedule(llvm::StringRef text) {
  auto attr = llvm::dyn_cast_or_null<scop::ScheduleAttr>(
      mlir::parseAttribute(("#scop.schedule" + text).str(), &getContext()));
  if (!attr)
    return std::nullopt;
  return scop::toSchedule(attr);
}

SchedulingProblem makeWorkedCase(const IslContext &context) {
  return makeProblem(
      context,
      {"{ X[i, k] : 0 <= i < 8 and 0 <= k < 8 }",
       "{ Y[i, j, k] : 0 <= i < 8 and 0 <= j < 8 and 0 <= k < 8 }"},
      {flow("product", "{ X[i, k] -> Y[i, j, k] }"),
       flow("sum", "{ Y[i, j, k] -> Y[i, j, k + 1] }")});
}

SchedulingProblem makeChain(const IslContext &context, unsigned statements,
                            unsigned rank, int64_t extent, int reach) {
  SchedulingProblem problem(context);
  std::string tuple;
  std::vector<std::string> iterators;
  for (unsigned i = 0; i < rank; ++i) {
    iterators.push_back("i" + std::to_string(i));
    tuple += (i ? ", " : "") + iterators.back();
  }
  std::vector<int64_t> extents(rank, extent);
  for (unsigned s = 0; s < statements; ++s) {
    std::string name = "S" + std::to_string(s);
    problem.addStatement(
        {name, iterators,
         unwrapOrDie(IterationDomain::box(context, name, extents))});
    if (s == 0)
      continue;
    std::string source = "S" + std::to_string(s - 1);
    ScopDependence dependence;
    dependence.name = "d" + std::to_string(s);
    dependence.source = source;
    dependence.target = name;
    dependence.relation = unwrapOrDie(Relation::parse(
        context,
        llvm::formatv("{{ {0}[{2}] -> {1}[{3}] : -{4} <= i0 - j0 <= {4} }",
                      source, name, tuple, "j0" + tuple.substr(2), reach)
            .str()));
    problem.addDependence(std::move(dependence));
  }
  return problem;
}

/// The words of `text`.
static llvm::SmallVector<llvm::StringRef> split(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  return words;
}

NodePtr loop(const SchedulingProblem &problem, llvm::StringRef ones) {
  auto node = std::make_unique<ConstraintTreeNode>();
  for (llvm::StringRef word : split(ones)) {
    auto [name, iterator] = word.split('.');
    const ScopStatement *statement = problem.findStatement(name);
    for (unsigned i = 0; i <= statement->iterators.size(); ++i) {
      CoefficientConstraint constraint;
      constraint.terms.push_back({1, {statement->name, i, std::nullopt}});
      if (i < statement->iterators.size() &&
          statement->iterators[i] == iterator)
        constraint.constant = -1;
      node->constraints.push_back(std::move(constraint));
    }
  }
  return node;
}

NodePtr sequence(llvm::StringRef order) {
  auto node = std::make_unique<ConstraintTreeNode>();
  node->kind = DimKind::Sequence;
  llvm::SmallVector<llvm::StringRef> groups;
  order.split(groups, ';');
  for (llvm::StringRef group : groups) {
    node->order.emplace_back();
    for (llvm::StringRef name : split(group))
      node->order.back().push_back(name.str());
  }
  return node;
}

NodePtr path(std::vector<NodePtr> nodes) {
  NodePtr result;
  for (NodePtr &node : llvm::reverse(nodes)) {
    if (result)
      node->children.push_back(std::move(result));
    result = std::move(node);
  }
  return result;
}

SchedulingResult solve(const SchedulingProblem &problem,
                       const ConstraintTree *tree, SchedulerOptions options) {
  SchedulingResult result =
      unwrapOrDie(createIlpScheduler()->schedule(problem, tree, options));
  EXPECT_EQ(messageOf(problem.verify(result.schedule)), "")
      << toText(result.schedule);
  return result;
}

} // namespace grout::test
