//===- CheckedMath.h - Unsigned arithmetic that notices overflow *- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIMESUPPORT_CHECKEDMATH_H
#define GROUT_RUNTIMESUPPORT_CHECKEDMATH_H

#include <cstdint>
#include <optional>

namespace grout {
namespace runtime {

inline std::optional<uint64_t> checkedAdd(uint64_t a, uint64_t b) {
  uint64_t result;
  if (__builtin_add_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

inline std::optional<uint64_t> checkedMul(uint64_t a, uint64_t b) {
  uint64_t result;
  if (__builtin_mul_overflow(a, b, &result))
    return std::nullopt;
  return result;
}

/// Returns whether `size` bytes at `offset` lie within `limit` bytes.
inline bool fits(uint64_t offset, uint64_t size, uint64_t limit) {
  return offset <= limit && size <= limit - offset;
}

/// Rounds `value` up to a multiple of `unit`. The result must fit into 64 bits.
inline uint64_t roundUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

} // namespace runtime
} // namespace grout

#endif // GROUT_RUNTIMESUPPORT_CHECKEDMATH_H
