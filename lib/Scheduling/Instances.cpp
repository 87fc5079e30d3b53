//===- Instances.cpp - Dependences between instances, as sets -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Instances.h"
#include <isl/val.h>

namespace grout::detail {

std::string tupleName(const isl::set &set) {
  if (isl_set_has_tuple_name(set.get()) != isl_bool_true)
    return "";
  return isl_set_get_tuple_name(set.get());
}

isl::map dependentPairs(const SchedulingProblem &problem,
                        const ScopDependence &dependence) {
  auto domainOf = [&](const std::string &name) {
    return isl::manage_copy(problem.findStatement(name)->domain.get());
  };
  return unwrap(dependence.relation)
      .intersect_domain(domainOf(dependence.source))
      .intersect_range(domainOf(dependence.target))
      .coalesce();
}

isl::aff addRow(isl::aff aff, const ScheduleRow &row, unsigned first,
                int sign) {
  isl_ctx *ctx = aff.ctx().get();
  auto value = [&](int64_t factor) {
    isl_val *val = isl_val_int_from_si(ctx, factor);
    return sign < 0 ? isl_val_neg(val) : val;
  };
  for (size_t i = 0; i + 1 < row.size(); ++i)
    if (row[i] != 0)
      aff = isl::manage(isl_aff_add_coefficient_val(aff.release(), isl_dim_in,
                                                    first + i, value(row[i])));
  return isl::manage(
      isl_aff_add_constant_val(aff.release(), value(row.back())));
}

isl::aff distance(const isl::map &pairs, const ScheduleRow &source,
                  const ScheduleRow &target) {
  isl::aff aff =
      isl::manage(isl_aff_zero_on_domain_space(pairs.space().wrap().release()));
  aff = addRow(aff, source, 0, -1);
  return addRow(aff, target, source.size() - 1, 1);
}

static isl::map intersect(const isl::map &pairs, const isl::set &condition) {
  return pairs.intersect(condition.unwrap());
}

isl::map whereNegative(const isl::map &pairs, const isl::aff &aff) {
  return intersect(pairs, isl::manage(isl_set_from_basic_set(
                              isl_aff_neg_basic_set(aff.copy()))));
}

isl::map whereZero(const isl::map &pairs, const isl::aff &aff) {
  return intersect(pairs, isl::manage(isl_set_from_basic_set(
                              isl_aff_zero_basic_set(aff.copy()))));
}

isl::map whereNotZero(const isl::map &pairs, const isl::aff &aff) {
  isl::aff negated = aff.neg();
  return whereNegative(pairs, aff).unite(whereNegative(pairs, negated));
}

std::string firstPair(const ScopDependence &dependence, const isl::map &pairs) {
  PairPoint pair = samplePair(pairs.wrap().lexmin().unwrap());
  return "from " + formatTile(dependence.source, pair.in) + " to " +
         formatTile(dependence.target, pair.out);
}

} // namespace grout::detail
