//===- SchedulingProblem.h - The input of a scheduler -----------*- C++ -*-===//
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

/// A set of integer tuples of isl, { S[i, j] : ... }, with value semantics.
class IterationDomain {
public:
  /// The null domain, which may only be assigned to.
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
  /// Returns { name[i0, ...] : 0 <= i0 < extents[0] and ... }.
  static llvm::Expected<IterationDomain> box(IslContext context,
                                             llvm::StringRef name,
                                             llvm::ArrayRef<int64_t> extents);

  bool isNull() const { return !set; }
  isl_set *get() const { return set; }
  const IslContext &getContext() const { return *context; }
  /// Returns the domain in isl's notation. Equal constructions give equal texts
  /// in every run.
  std::string str() const;

private:
  std::shared_ptr<IslContext> context;
  isl_set *set = nullptr;
};

/// A statement. Its instances are the points of a bounded domain without
/// parameters.
struct ScopStatement {
  /// The name of the domain's tuple: a letter or '_', followed by letters, '_'
  /// and digits.
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
  /// { source[i...] -> target[j...] }. The problem restricts it to the domains.
  Relation relation;
  DependenceKind kind = DependenceKind::Flow;
  /// Whether both ends belong to the same associative reduction. They may then
  /// run in either order, but not at the same time. A loop with a distance
  /// between them is not parallel, unless the schedule marks it as
  /// `reductionParallel`.
  bool reduction = false;

  /// Returns the pairs of an iterator of the source and an iterator of the
  /// target that are equal for all dependent instances. Fails if isl fails.
  llvm::Expected<std::vector<std::pair<unsigned, unsigned>>>
  findEqualIterators() const;
};

/// The statements and dependences for which a scheduler finds a schedule.
class SchedulingProblem {
public:
  explicit SchedulingProblem(IslContext context)
      : context(std::move(context)) {}

  /// Adds a statement. Statements must be added in the order of the program.
  void addStatement(ScopStatement statement);
  void addDependence(ScopDependence dependence);
  /// Sets a valid schedule to fall back to, such as the program's own order.
  void setOriginalOrder(Schedule schedule);

  const IslContext &getContext() const { return context; }
  llvm::ArrayRef<ScopStatement> getStatements() const { return statements; }
  llvm::ArrayRef<ScopDependence> getDependences() const { return dependences; }
  const std::optional<Schedule> &getOriginalOrder() const { return original; }
  /// Return the statement or dependence of this name, or null.
  const ScopStatement *findStatement(llvm::StringRef name) const;
  const ScopDependence *findDependence(llvm::StringRef name) const;

  /// Checks whether the problem is well formed: names, ranks and spaces fit,
  /// domains are bounded, there are no parameters, and no instance depends on
  /// itself.
  llvm::Error check() const;

  /// Checks whether `schedule` respects every dependence, exactly. The error
  /// names the dependence and one pair of instances, for example:
  ///   dependence 'flow_B' from X[0, 1] to Y[0, 0, 1] is reversed
  /// Also rejects wrong claims of the dimensions: a band whose dimensions
  /// cannot be permuted, a coincident dimension that carries a dependence of
  /// its band, or a vectorised or mapped dimension that is not parallel.
  llvm::Error verify(const Schedule &schedule) const;

  /// Returns the schedule that runs one statement after another, each in the
  /// order of its iterators.
  Schedule getProgramOrder() const;

private:
  IslContext context;
  std::vector<ScopStatement> statements;
  std::vector<ScopDependence> dependences;
  std::optional<Schedule> original;
};

} // namespace grout

#endif // GROUT_SCHEDULING_SCHEDULINGPROBLEM_H
