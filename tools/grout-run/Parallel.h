//===- Parallel.h - Splitting host work over processors ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_PARALLEL_H
#define GROUT_TOOLS_GROUT_RUN_PARALLEL_H

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace grout {
namespace run {

/// Calls `body(begin, end)` on parts of [0, count). There is at most one part
/// for each processor.
template <typename Body> void parallelFor(uint64_t count, const Body &body) {
  constexpr uint64_t kSmallestPart = 1 << 16;
  uint64_t parts =
      std::min<uint64_t>(std::max(std::thread::hardware_concurrency(), 1u),
                         (count + kSmallestPart - 1) / kSmallestPart);
  std::vector<std::thread> threads;
  for (uint64_t part = 1; part < parts; ++part)
    threads.emplace_back(
        [=, &body] { body(count * part / parts, count * (part + 1) / parts); });
  body(0, parts ? count / parts : 0);
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_PARALLEL_H
