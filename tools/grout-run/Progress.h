//===- Progress.h - A counter on the terminal -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_PROGRESS_H
#define GROUT_TOOLS_GROUT_RUN_PROGRESS_H

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace grout {
namespace run {

/// Shows "what done/total" on stderr, if stderr is a terminal and the work is
/// long, and if `isWanted`. Clears the line at the end.
class Progress {
public:
  Progress(const char *what, uint64_t total, bool isWanted)
      : what(what), total(total), isWatched(isWanted && isatty(STDERR_FILENO)),
        next(Clock::now() + kInterval) {}
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress() {
    if (isShown)
      std::fputs("\r\x1b[K", stderr);
  }

  void update(uint64_t done) {
    if (!isWatched || Clock::now() < next)
      return;
    std::fprintf(stderr, "\r%s %llu/%llu", what,
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(total));
    isShown = true;
    next = Clock::now() + kInterval;
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kInterval{200};
  const char *what;
  uint64_t total;
  bool isWatched;
  bool isShown = false;
  Clock::time_point next;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_PROGRESS_H
