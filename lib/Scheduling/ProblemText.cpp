//===- ProblemText.cpp - Scheduling problems as text ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Instances.h"
#include "TextReader.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {

static llvm::StringRef stringify(DependenceKind kind) {
  switch (kind) {
  case DependenceKind::Flow:
    return "flow";
  case DependenceKind::Anti:
    return "anti";
  case DependenceKind::Output:
    return "output";
  }
  llvm_unreachable("unknown kind of dependence");
}

std::string SchedulingProblem::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const ScopStatement &statement : statements)
    os << "statement " << statement.domain.str() << '\n';
  for (const ScopDependence &dependence : dependences)
    os << stringify(dependence.kind)
       << (dependence.reduction ? " reduction " : " ") << dependence.name << ' '
       << dependence.relation.str() << '\n';
  return text;
}

/// A statement with the names that its domain has.
static llvm::Expected<ScopStatement> parseStatement(const IslContext &context,
                                                    llvm::StringRef text) {
  llvm::Expected<IterationDomain> domain =
      IterationDomain::parse(context, text);
  if (!domain)
    return domain.takeError();
  ScopStatement statement;
  if (isl_set_has_tuple_name(domain->get()) == isl_bool_true)
    statement.name = isl_set_get_tuple_name(domain->get());
  for (int i = 0; i < isl_set_dim(domain->get(), isl_dim_set); ++i) {
    const char *name = isl_set_get_dim_name(domain->get(), isl_dim_set, i);
    statement.iterators.push_back(name ? name : "i" + std::to_string(i));
  }
  statement.domain = std::move(*domain);
  return statement;
}

static llvm::Expected<ScopDependence> parseDependence(const IslContext &context,
                                                      DependenceKind kind,
                                                      TextReader &reader) {
  ScopDependence dependence;
  dependence.kind = kind;
  dependence.reduction = reader.consumeWord("reduction");
  if (!reader.consumeName(dependence.name))
    return reader.error("expected the name of a dependence");
  llvm::Expected<Relation> relation =
      Relation::parse(context, reader.takeRest());
  if (!relation)
    return relation.takeError();
  auto nameOf = [&](isl_dim_type side) -> std::string {
    if (isl_map_has_tuple_name(relation->get(), side) != isl_bool_true)
      return "";
    return isl_map_get_tuple_name(relation->get(), side);
  };
  dependence.source = nameOf(isl_dim_in);
  dependence.target = nameOf(isl_dim_out);
  dependence.relation = std::move(*relation);
  return dependence;
}

llvm::Expected<SchedulingProblem>
SchedulingProblem::parse(IslContext context, llvm::StringRef text) {
  SchedulingProblem problem(context);
  TextReader reader(text);
  while (reader.nextLine()) {
    if (reader.consumeWord("statement")) {
      llvm::Expected<ScopStatement> statement =
          parseStatement(context, reader.takeRest());
      if (!statement)
        return reader.error(llvm::toString(statement.takeError()));
      problem.addStatement(std::move(*statement));
      continue;
    }
    std::optional<DependenceKind> kind;
    for (DependenceKind candidate :
         {DependenceKind::Flow, DependenceKind::Anti, DependenceKind::Output})
      if (!kind && reader.consumeWord(stringify(candidate)))
        kind = candidate;
    if (!kind)
      return reader.error("expected 'statement', 'flow', 'anti' or 'output'");
    llvm::Expected<ScopDependence> dependence =
        parseDependence(context, *kind, reader);
    if (!dependence)
      return reader.error(llvm::toString(dependence.takeError()));
    problem.addDependence(std::move(*dependence));
  }
  return problem;
}

} // namespace grout
