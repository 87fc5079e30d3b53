//===- IslContext.cpp - Bounded integer set computations ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Isl/IslContext.h"

#include "grout/Isl/IslGuard.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/raw_ostream.h"
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/val.h>

namespace grout {

char AnalysisError::ID = 0;

void AnalysisError::log(llvm::raw_ostream &os) const { os << message; }

std::error_code AnalysisError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

//===----------------------------------------------------------------------===//
// IslContext
//===----------------------------------------------------------------------===//

IslContext::State::State(uint64_t maxOperations)
    : ctx(isl_ctx_alloc()), maxOperations(maxOperations) {
  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
}

IslContext::State::~State() { isl_ctx_free(ctx); }

IslContext::IslContext(uint64_t maxOperations)
    : state(std::make_shared<State>(maxOperations)) {}

isl_ctx *IslContext::get() const { return state->ctx; }

uint64_t IslContext::getMaxOperations() const { return state->maxOperations; }

void IslContext::setMaxOperations(uint64_t maxOperations) {
  state->maxOperations = maxOperations;
}

//===----------------------------------------------------------------------===//
// Relation
//===----------------------------------------------------------------------===//

Relation::Relation(const Relation &other)
    : context(other.context), map(isl_map_copy(other.map)) {}

Relation::Relation(Relation &&other) noexcept
    : context(std::move(other.context)),
      map(std::exchange(other.map, nullptr)) {}

Relation &Relation::operator=(Relation other) noexcept {
  std::swap(context, other.context);
  std::swap(map, other.map);
  return *this;
}

Relation::~Relation() { isl_map_free(map); }

Relation Relation::take(IslContext context, isl_map *map) {
  Relation relation;
  relation.context = std::make_shared<IslContext>(std::move(context));
  relation.map = map;
  return relation;
}

llvm::Expected<Relation> Relation::parse(IslContext context,
                                         llvm::StringRef text) {
  return detail::guarded(context, [&] {
    return detail::wrap(context, isl::map(context.get(), text.str()));
  });
}

llvm::Expected<bool> Relation::isEmpty() const {
  return detail::guarded(*context,
                         [&] { return detail::unwrap(*this).is_empty(); });
}

llvm::Expected<bool> Relation::isEqual(const Relation &other) const {
  return detail::guarded(*context, [&] {
    return detail::unwrap(*this).is_equal(detail::unwrap(other));
  });
}

llvm::Expected<bool> Relation::isSubset(const Relation &other) const {
  return detail::guarded(*context, [&] {
    return detail::unwrap(*this).is_subset(detail::unwrap(other));
  });
}

llvm::Expected<Relation> Relation::compose(const Relation &next) const {
  return detail::guarded(*context, [&] {
    return detail::wrap(
        *context,
        detail::unwrap(*this).apply_range(detail::unwrap(next)).coalesce());
  });
}

llvm::Expected<Relation> Relation::unite(const Relation &other) const {
  return detail::guarded(*context, [&] {
    return detail::wrap(
        *context,
        detail::unwrap(*this).unite(detail::unwrap(other)).coalesce());
  });
}

llvm::Expected<Relation> Relation::reverse() const {
  return detail::guarded(*context, [&] {
    return detail::wrap(*context, detail::unwrap(*this).reverse());
  });
}

std::string Relation::str() const {
  if (!map)
    return "null";
  char *text = isl_map_to_str(map);
  std::string result = text ? text : "unprintable";
  free(text);
  return result;
}

//===----------------------------------------------------------------------===//
// Support for the library
//===----------------------------------------------------------------------===//

namespace detail {

BudgetScope::BudgetScope(const IslContext &context)
    : state(context.getState()) {
  if (state.depth++ == 0) {
    isl_ctx_reset_error(state.ctx);
    isl_ctx_reset_operations(state.ctx);
    isl_ctx_set_max_operations(state.ctx, state.maxOperations);
  }
}

BudgetScope::~BudgetScope() {
  if (--state.depth == 0)
    isl_ctx_set_max_operations(state.ctx, 0);
}

/// Whether isl ran out of operations. If a C function returns null, the
/// exception is less specific than the error that isl remembers.
/// exception_quota itself resets that error.
static bool isOutOfBudget(const IslContext &context,
                          const isl::exception *error = nullptr) {
  return isl_ctx_last_error(context.get()) == isl_error_quota ||
         (error && dynamic_cast<const isl::exception_quota *>(error));
}

void throwIfOutOfBudget(const IslContext &context) {
  if (isOutOfBudget(context))
    isl::exception::throw_last_error(context.get());
}

llvm::Error makeError(const IslContext &context, const isl::exception &error) {
  if (isOutOfBudget(context, &error))
    return llvm::make_error<AnalysisError>(
        AnalysisErrorKind::GaveUp,
        "gave up: the operation budget of the integer set library ran out; "
        "fewer statements or kernels together, and simpler index maps, take "
        "less of it");
  return llvm::make_error<AnalysisError>(AnalysisErrorKind::Invalid,
                                         error.what());
}

bool tryWithin(const IslContext &context, uint64_t maxOperations,
               llvm::function_ref<void()> body) {
  IslContext::State &state = context.getState();
  isl_ctx_reset_operations(state.ctx);
  isl_ctx_set_max_operations(state.ctx, maxOperations);
  auto restore = llvm::make_scope_exit([&] {
    isl_ctx_reset_error(state.ctx);
    isl_ctx_reset_operations(state.ctx);
    isl_ctx_set_max_operations(state.ctx, state.maxOperations);
  });
  try {
    body();
    throwIfOutOfBudget(context);
    return true;
  } catch (const isl::exception &error) {
    if (isOutOfBudget(context, &error))
      return false;
    throw;
  }
}

int64_t toInt64(const isl::val &value) {
  isl::ctx ctx = value.ctx();
  isl::val low = isl::manage(isl_val_int_from_si(ctx.get(), -INT64_MAX));
  isl::val high = isl::manage(isl_val_int_from_si(ctx.get(), INT64_MAX));
  if (!value.is_int() || value.lt(low) || value.gt(high))
    fail(AnalysisErrorKind::GaveUp,
         "gave up: a number needs more than 64 bits");
  return value.num_si();
}

isl::map unwrap(const Relation &relation) {
  if (relation.isNull())
    fail(AnalysisErrorKind::Invalid, "the relation is null");
  return isl::manage_copy(relation.get());
}

Relation wrap(const IslContext &context, isl::map map) {
  return Relation::take(context, map.release());
}

PairPoint samplePair(const isl::map &map) {
  isl::point point = map.wrap().sample_point();
  unsigned rankIn = map.domain_tuple_dim(), rankOut = map.range_tuple_dim();
  PairPoint result;
  for (unsigned i = 0; i < rankIn + rankOut; ++i) {
    isl::val value =
        isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, i));
    (i < rankIn ? result.in : result.out).push_back(toInt64(value));
  }
  return result;
}

std::string formatTuple(llvm::ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(values, os);
  os << ']';
  return text;
}

std::string formatTile(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
  return name.str() + formatTuple(values);
}

} // namespace detail
} // namespace grout
