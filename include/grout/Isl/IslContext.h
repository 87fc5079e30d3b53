//===- IslContext.h - Bounded integer set computations ----------*- C++ -*-===//
//
// Part of Grout. Owns isl's state, and hides isl's C++ bindings, which throw
// exceptions. If a file that is compiled without -fexceptions included
// isl/cpp.h, this would also break the one definition rule. Libraries that
// compute with isl themselves include IslGuard.h.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ISL_ISLCONTEXT_H
#define GROUT_ISL_ISLCONTEXT_H

#include "llvm/Support/Error.h"
#include <memory>
#include <string>

struct isl_ctx;
struct isl_map;

namespace grout {

/// Why an analysis has no answer.
enum class AnalysisErrorKind {
  /// The question is not well formed, or names something unsupported.
  Invalid,
  /// A tile reads an element that no tile writes.
  UnwrittenRead,
  /// No tile writes an element of a result.
  UnwrittenElement,
  /// Two tiles write the same element.
  DoubleWrite,
  /// A tile reads an element that another tile may have overwritten.
  OverwrittenRead,
  /// The operation budget ran out: nothing is known.
  GaveUp,
};

/// The error of every fallible function of the analysis library.
class AnalysisError : public llvm::ErrorInfo<AnalysisError> {
public:
  static char ID;

  AnalysisError(AnalysisErrorKind kind, std::string message)
      : kind(kind), message(std::move(message)) {}

  AnalysisErrorKind getKind() const { return kind; }
  llvm::StringRef getMessage() const { return message; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  AnalysisErrorKind kind;
  std::string message;
};

/// An isl context with a budget. Each public function of the library may use
/// `maxOperations` of isl's operations (pivots and the like; some 10^5 a
/// second), and then fails with `GaveUp`; 0 means no limit. Not thread-safe:
/// each thread needs a context of its own. Copies share the same state, and
/// relations keep the state alive.
class IslContext {
public:
  static constexpr uint64_t defaultMaxOperations = 2'000'000;

  explicit IslContext(uint64_t maxOperations = defaultMaxOperations);

  isl_ctx *get() const;
  uint64_t getMaxOperations() const;
  void setMaxOperations(uint64_t maxOperations);

  /// State shared by all copies; see IslGuard.h.
  struct State;
  State &getState() const { return *state; }

private:
  std::shared_ptr<State> state;
};

/// A relation between integer tuples of isl, { A[...] -> B[...] }, with value
/// semantics.
class Relation {
public:
  /// The null relation, which may only be assigned to.
  Relation() = default;
  Relation(const Relation &other);
  Relation(Relation &&other) noexcept;
  Relation &operator=(Relation other) noexcept;
  ~Relation();

  /// Takes ownership of `map`.
  static Relation take(IslContext context, isl_map *map);
  /// Parses isl's notation, such as "{ C[i, k] -> P[i, j] : 4j = k }".
  static llvm::Expected<Relation> parse(IslContext context,
                                        llvm::StringRef text);

  bool isNull() const { return !map; }
  isl_map *get() const { return map; }
  const IslContext &getContext() const { return *context; }

  llvm::Expected<bool> isEmpty() const;
  llvm::Expected<bool> isEqual(const Relation &other) const;
  llvm::Expected<bool> isSubset(const Relation &other) const;
  /// Maps through this relation, then through `next`.
  llvm::Expected<Relation> compose(const Relation &next) const;
  llvm::Expected<Relation> unite(const Relation &other) const;
  llvm::Expected<Relation> reverse() const;

  /// Returns a readable form. Equal constructions give equal texts in every
  /// run.
  std::string str() const;

private:
  std::shared_ptr<IslContext> context;
  isl_map *map = nullptr;
};

} // namespace grout

#endif // GROUT_ISL_ISLCONTEXT_H
