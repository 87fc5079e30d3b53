//===- IterationDomain.cpp - Sets of instances ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Isl/IslGuard.h"
#include "grout/Scheduling/SchedulingProblem.h"
#include <isl/val.h>

namespace grout {

IterationDomain::IterationDomain(const IterationDomain &other)
    : context(other.context), set(isl_set_copy(other.set)) {}

IterationDomain::IterationDomain(IterationDomain &&other) noexcept
    : context(std::move(other.context)),
      set(std::exchange(other.set, nullptr)) {}

IterationDomain &IterationDomain::operator=(IterationDomain other) noexcept {
  std::swap(context, other.context);
  std::swap(set, other.set);
  return *this;
}

IterationDomain::~IterationDomain() { isl_set_free(set); }

IterationDomain IterationDomain::take(IslContext context, isl_set *set) {
  IterationDomain domain;
  domain.context = std::make_shared<IslContext>(std::move(context));
  domain.set = set;
  return domain;
}

llvm::Expected<IterationDomain> IterationDomain::parse(IslContext context,
                                                       llvm::StringRef text) {
  return detail::guarded(context, [&] {
    return take(context, isl::set(context.get(), text.str()).release());
  });
}

llvm::Expected<IterationDomain>
IterationDomain::box(IslContext context, llvm::StringRef name,
                     llvm::ArrayRef<int64_t> extents) {
  return detail::guarded(context, [&] {
    isl::set set = isl::set::universe(
        detail::makeSpace(context.get(), name, extents.size()));
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      if (extent < 0)
        detail::fail(AnalysisErrorKind::Invalid,
                     "an extent of '" + name.str() + "' is negative");
      isl_val *last =
          isl_val_sub_ui(isl_val_int_from_si(context.get(), extent), 1);
      set = isl::manage(
          isl_set_lower_bound_si(set.release(), isl_dim_set, dim, 0));
      set = isl::manage(
          isl_set_upper_bound_val(set.release(), isl_dim_set, dim, last));
    }
    return take(context, set.release());
  });
}

std::string IterationDomain::str() const {
  if (!set)
    return "null";
  char *text = isl_set_to_str(set);
  std::string result = text ? text : "unprintable";
  free(text);
  return result;
}

} // namespace grout
