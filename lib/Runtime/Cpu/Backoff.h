//===- Backoff.h - How a waiting thread spends its time ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CPU_BACKOFF_H
#define GROUT_LIB_RUNTIME_CPU_BACKOFF_H

#include <algorithm>
#include <chrono>
#include <thread>

namespace grout {
namespace runtime {

/// Pauses a waiting thread: first spins, then yields, then sleeps for longer
/// and longer. There may be more workers than processors; if a worker only
/// spun, the thread for which it waits might get no processor.
class Backoff {
public:
  /// Pauses. Returns whether the thread slept, which is a good time to read a
  /// clock.
  bool pause() {
    if (rounds < kSpins) {
      ++rounds;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
      return false;
    }
    if (rounds < kSpins + kYields) {
      ++rounds;
      std::this_thread::yield();
      return false;
    }
    std::this_thread::sleep_for(sleep);
    sleep = std::min(sleep * 2, kLongestSleep);
    return true;
  }

private:
  static constexpr unsigned kSpins = 64;
  static constexpr unsigned kYields = 64;
  static constexpr std::chrono::microseconds kLongestSleep{500};
  unsigned rounds = 0;
  std::chrono::microseconds sleep{10};
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_BACKOFF_H
