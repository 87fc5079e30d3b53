//===- SchedulingProblem.h - What a schedule must respect -------*- C++ -*-===//
//
// Part of Grout. Statements with iteration domains, and the dependences between
// their instances, as in CIRCT's Scheduling library: check() before a solver
// runs, verify() after it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SCHEDULING_SCHEDULINGPROBLEM_H
#define GROUT_SCHEDULING_SCHEDULINGPROBLEM_H

#include "grout/Isl/IslContext.h"
#include "grout/Scheduling/Schedule.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

struct isl_set;

namespace grout {

/// A value: a set of integer tuples, { S[i, j] : ... }, of isl.
class IterationDomain {
public:
  /// The null domain, which only serves to be assigned to.
  IterationDomain() = default;
  IterationDomain(const IterationDomain &other);
  IterationDomain(IterationDomain &&other) noexcept;
  IterationDomain &operator=(IterationDomain other) noexcept;
  ~IterationDomain();

  /// Takes ownership of `set`.
  static IterationDomain take(IslContext context, isl_set *set);
  /// Parses isl's notation, such as "{ S[i, k] : 0 <= i < 4 and k = 2i }".
  static llvm::Expected<IterationDomain> parse(IslContext context,
                                               llvm::StringRef text);
  /// { name[i0, ...] : 0 <= i0 < extents[0] and ... }.
  static llvm::Expected<IterationDomain> box(IslContext context,
                                             llvm::StringRef name,
                                             llvm::ArrayRef<int64_t> extents);

  bool isNull() const { return !set; }
  isl_set *get() const { return set; }
  const IslContext &getContext() const { return *context; }
  /// In isl's notation, equal for equal constructions in every run.
  std::string str() const;

private:
  std::shared_ptr<IslContext> context;
  isl_set *set = nullptr;
};

/// A statement: its instances are the points of a bounded domain without
/// parameters.
struct ScopStatement {
  /// The name of the domain's tuple. A letter or '_', then also digits.
  std::string name;
  /// Names of the domain's dimensions, outermost first; all different.
  std::vector<std::string> iterators;
  IterationDomain domain;
};

enum class DependenceKind { Flow, Anti, Output };

/// Instances of `source` that must come before instances of `target`.
struct ScopDependence {
  std::string name;
  std::string source, target;
  /// { source[i...] -> target[j...] }; restricted to the domains by the
  /// problem.
  Relation relation;
  DependenceKind kind = DependenceKind::Flow;
  /// Both ends belong to one associative reduction: they may run in either
  /// order, though not at the same time. A loop across which they are
  /// dependent is not parallel, unless it says that the reduction is.
  bool reduction = false;

  /// The pairs of an iterator of the source and one of the target that are
  /// equal wherever the target depends on the source. Fails if isl does.
  llvm::Expected<std::vector<std::pair<unsigned, unsigned>>>
  findEqualIterators() const;
};

/// What a scheduler is to solve.
class SchedulingProblem {
public:
  explicit SchedulingProblem(IslContext context)
      : context(std::move(context)) {}

  /// Statements in the order of the program.
  void addStatement(ScopStatement statement);
  void addDependence(ScopDependence dependence);
  /// A valid schedule to fall back to, such as the program's own order.
  void setOriginalOrder(Schedule schedule);

  const IslContext &getContext() const { return context; }
  llvm::ArrayRef<ScopStatement> getStatements() const { return statements; }
  llvm::ArrayRef<ScopDependence> getDependences() const { return dependences; }
  const std::optional<Schedule> &getOriginalOrder() const { return original; }
  /// The statement or dependence of this name, or null.
  const ScopStatement *findStatement(llvm::StringRef name) const;
  const ScopDependence *findDependence(llvm::StringRef name) const;

  /// Whether the problem is well formed: names, ranks and spaces fit, domains
  /// are bounded, there are no parameters, no instance depends on itself.
  llvm::Error check() const;

  /// Whether `schedule` respects every dependence, exactly. The error names the
  /// dependence and one pair of instances, e.g.
  ///   dependence 'flow_B' from X[0, 1] to Y[0, 0, 1] is reversed
  /// Also refuses what the dimensions claim wrongly: a band whose dimensions
  /// cannot be permuted, a coincident dimension that carries a dependence of
  /// its band, a vectorised or mapped dimension that is not parallel.
  llvm::Error verify(const Schedule &schedule) const;

  /// One statement after another, each in the order of its iterators.
  Schedule getProgramOrder() const;

private:
  IslContext context;
  std::vector<ScopStatement> statements;
  std::vector<ScopDependence> dependences;
  std::optional<Schedule> original;
};

} // namespace grout

#endif // GROUT_SCHEDULING_SCHEDULINGPROBLEM_H
