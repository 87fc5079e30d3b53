//===- DependenceCone.cpp - Farkas' lemma for dependences -----------------===//
//
// Part of Grout. By Farkas' lemma the affine functions that are not negative on
// a polyhedron form a cone, which isl computes as "coefficients". Existential
// variables of a relation are dropped first, as isl's scheduler does: the cone
// may then miss functions, but has none too many.
//
//===----------------------------------------------------------------------===//

#include "DependenceCone.h"

#include <isl/mat.h>
#include <isl/set.h>

namespace grout::detail {

/// Appends the rows of `matrix` without the column of the constant, times
/// `sign`.
static void appendRows(std::vector<LinearForm> &rows, isl_mat *owned,
                       int sign) {
  std::unique_ptr<isl_mat, isl_mat *(*)(isl_mat *)> matrix(owned, isl_mat_free);
  for (int r = 0; r < isl_mat_rows(matrix.get()); ++r) {
    LinearForm row;
    for (int c = 1; c < isl_mat_cols(matrix.get()); ++c)
      row.push_back(sign * toInt64(isl::manage(
                               isl_mat_get_element_val(matrix.get(), r, c))));
    rows.push_back(std::move(row));
  }
}

static std::shared_ptr<const DependenceCone> makeCone(const isl::map &pairs,
                                                      bool ofDifference) {
  auto cone = std::make_shared<DependenceCone>();
  cone->ofDifference = ofDifference;
  isl::set points = ofDifference ? pairs.deltas() : pairs.wrap().flatten();
  points = isl::manage(isl_set_remove_divs(points.release()));
  isl::basic_set coefficients =
      isl::manage(isl_set_coefficients(points.release()));
  // The set is rational, so only its constraints can be used.
  auto equalities = [&] {
    return isl_basic_set_equalities_matrix(coefficients.get(), isl_dim_cst,
                                           isl_dim_param, isl_dim_set,
                                           isl_dim_div);
  };
  appendRows(cone->rows,
             isl_basic_set_inequalities_matrix(coefficients.get(), isl_dim_cst,
                                               isl_dim_param, isl_dim_set,
                                               isl_dim_div),
             1);
  appendRows(cone->rows, equalities(), 1);
  appendRows(cone->rows, equalities(), -1);
  cone->zeroRows = rowBasis(cone->rows);
  return cone;
}

std::shared_ptr<const DependenceCone> ConeCache::get(const isl::map &pairs,
                                                     bool ofDifference) {
  // Cones do not depend on the names of statements.
  isl::map anonymous = isl::manage(isl_map_reset_tuple_id(
      isl_map_reset_tuple_id(pairs.copy(), isl_dim_in), isl_dim_out));
  uint32_t hash = isl_map_get_hash(anonymous.get());
  auto [begin, end] = entries.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const auto &[known, cone] = it->second;
    if (cone->ofDifference == ofDifference &&
        isl_map_plain_is_equal(known.get(), anonymous.get()) == isl_bool_true)
      return cone;
  }
  std::shared_ptr<const DependenceCone> cone =
      makeCone(anonymous, ofDifference);
  entries.emplace(hash, Entry(anonymous, cone));
  return cone;
}

} // namespace grout::detail
