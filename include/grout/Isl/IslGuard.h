//===- IslGuard.h - isl with exceptions, inside libraries only --*- C++ -*-===//
//
// Part of Grout. For the libraries that compute with isl, which are compiled
// with exceptions. Inside these libraries, isl errors and Failure are
// exceptions. Every public function turns them into llvm::Expected, by
// `guarded`.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ISL_ISLGUARD_H
#define GROUT_ISL_ISLGUARD_H

#include "grout/Isl/IslContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <isl/cpp.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>

#ifndef __cpp_exceptions
#error "libraries that use isl must be compiled with exceptions"
#endif

namespace grout {

struct IslContext::State {
  isl_ctx *ctx;
  uint64_t maxOperations;
  unsigned depth = 0;

  explicit State(uint64_t maxOperations);
  State(const State &) = delete;
  ~State();
};

namespace detail {

/// Thrown inside the library, never out of it.
struct Failure {
  AnalysisErrorKind kind;
  std::string message;
};

[[noreturn]] inline void fail(AnalysisErrorKind kind, std::string message) {
  throw Failure{kind, std::move(message)};
}

/// Returns the integer `value`. Fails if it or its negation needs more than 64
/// bits, which isl's own conversion does not detect.
int64_t toInt64(const isl::val &value);

/// Starts a new operation budget, unless another scope encloses this one.
class BudgetScope {
public:
  explicit BudgetScope(const IslContext &context);
  ~BudgetScope();
  BudgetScope(const BudgetScope &) = delete;

private:
  IslContext::State &state;
};

/// Throws if isl has run out of operations, even if no call has reported it.
void throwIfOutOfBudget(const IslContext &context);

/// Returns the error for an exception of isl.
llvm::Error makeError(const IslContext &context, const isl::exception &error);

/// Calls `body`, which may throw, within a budget.
template <typename Body>
auto guarded(const IslContext &context, Body body)
    -> llvm::Expected<decltype(body())> {
  BudgetScope scope(context);
  try {
    auto result = body();
    throwIfOutOfBudget(context);
    return result;
  } catch (const Failure &failure) {
    return llvm::make_error<AnalysisError>(failure.kind, failure.message);
  } catch (const isl::exception &error) {
    return makeError(context, error);
  }
}

/// Calls `body`, which may use at most `maxOperations`. Returns false if that
/// was not enough. The enclosing budget starts anew afterwards.
bool tryWithin(const IslContext &context, uint64_t maxOperations,
               llvm::function_ref<void()> body);

isl::map unwrap(const Relation &relation);
Relation wrap(const IslContext &context, isl::map map);

/// A point of a relation, found by sampling.
struct PairPoint {
  llvm::SmallVector<int64_t> in, out;
};

/// Returns some element of a non-empty relation.
PairPoint samplePair(const isl::map &map);

/// Returns a text such as "[1, 2]".
std::string formatTuple(llvm::ArrayRef<int64_t> values);
/// Returns a text such as "name[1, 2]".
std::string formatTile(llvm::StringRef name, llvm::ArrayRef<int64_t> values);

/// Returns an identifier for a tuple or a parameter.
isl::id makeId(isl::ctx ctx, llvm::StringRef name);

/// Returns the space { name[rank dims] }. An empty name makes an anonymous
/// tuple.
isl::space makeSpace(isl::ctx ctx, llvm::StringRef name, unsigned rank);

/// Returns the functions that read each dimension of `space`.
llvm::SmallVector<isl::aff> getDims(const isl::space &space);

} // namespace detail
} // namespace grout

#endif // GROUT_ISL_ISLGUARD_H
