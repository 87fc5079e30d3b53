//===- Limits.h - Limits of GEMMs on every target ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_IR_LIMITS_H
#define GROUT_DIALECT_TGEMM_IR_LIMITS_H

#include <cstdint>

namespace grout::tgemm {

/// The most rows of a grouped matmul, and the most groups. Ends of groups are
/// i32, and so is what kernels compute of them.
inline constexpr int64_t kMaxGroupRows = INT32_MAX / 2;

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_IR_LIMITS_H
