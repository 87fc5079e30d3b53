//===- IslSupport.h - isl with exceptions, for lib/Analysis only -*- C++
//-*-===//
//
// Part of Grout. Inside the library, isl errors and Failure are exceptions;
// `guarded` turns them into llvm::Expected at every public function.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_ISLSUPPORT_H
#define GROUT_LIB_ANALYSIS_ISLSUPPORT_H

#include "grout/Analysis/IslContext.h"
#include "grout/Analysis/TileKernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <isl/cpp.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>

#ifndef __cpp_exceptions
#error "lib/Analysis must be compiled with exceptions"
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

/// Starts a new operation budget, unless within another scope.
class BudgetScope {
public:
  explicit BudgetScope(const IslContext &context);
  ~BudgetScope();
  BudgetScope(const BudgetScope &) = delete;

private:
  IslContext::State &state;
};

/// Throws if isl has run out of operations, whether or not anyone noticed.
void throwIfOutOfBudget(const IslContext &context);

/// The error for an exception of isl.
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

/// Calls `body` with at most `maxOperations` to spend; false if that was not
/// enough. The enclosing budget starts anew afterwards.
bool tryWithin(const IslContext &context, uint64_t maxOperations,
               llvm::function_ref<void()> body);

isl::map unwrap(const Relation &relation);
Relation wrap(const IslContext &context, isl::map map);

/// A point of a relation: what sampling found.
struct PairPoint {
  llvm::SmallVector<int64_t> in, out;
};

/// Some element of a non-empty relation.
PairPoint samplePair(const isl::map &map);

/// "[1, 2]".
std::string formatTuple(llvm::ArrayRef<int64_t> values);
/// "name[1, 2]".
std::string formatTile(llvm::StringRef name, llvm::ArrayRef<int64_t> values);

/// A name for a tuple or a parameter.
isl::id makeId(isl::ctx ctx, llvm::StringRef name);

/// The space { name[rank dims] }; an empty name makes an anonymous tuple.
isl::space makeSpace(isl::ctx ctx, llvm::StringRef name, unsigned rank);

/// The functions that read each dimension of `space`.
llvm::SmallVector<isl::aff> getDims(const isl::space &space);

/// A constant, or a parameter named `parameter` if `value` is kDynamic, on
/// `space`.
isl::aff makeSize(const isl::space &space, int64_t value,
                  const std::string &parameter);

/// The points where 0 <= value, and where 0 <= value < size. Aligns parameters.
isl::set whereNotNegative(const isl::aff &value);
isl::set whereInRange(const isl::aff &value, const isl::aff &size);

/// The value of `expr` where dimension i is `dims[i]` and symbol i is
/// `symbols[i]`, all on `space`.
isl::aff toAff(mlir::AffineExpr expr, const isl::space &space,
               llvm::ArrayRef<isl::aff> dims,
               llvm::ArrayRef<isl::aff> symbols = {});

/// { space -> [results...] } of a map without symbols.
isl::map toMap(mlir::AffineMap map, const isl::space &space);

/// { name[tile...] : within the grid }.
isl::set tileSet(isl::ctx ctx, const TileKernel &kernel);
/// { name[tile..., step] : within the grid and the steps }.
isl::set stepSet(isl::ctx ctx, const TileKernel &kernel);
/// { name[tile..., step] -> name[tile...] }.
isl::map stepToTile(isl::ctx ctx, const TileKernel &kernel);

/// See readRelation, writeRelation.
isl::map readMap(isl::ctx ctx, const TileKernel &kernel,
                 const ElementAccess &access);
isl::map writeMap(isl::ctx ctx, const TileKernel &kernel,
                  const ElementAccess &access);

/// See checkSingleWriter, checkAllWritten.
void requireSingleWriter(const isl::map &write);
void requireAllWritten(const isl::map &read, const isl::set &written);

} // namespace detail
} // namespace grout

#endif // GROUT_LIB_ANALYSIS_ISLSUPPORT_H
