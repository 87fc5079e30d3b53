//===- TraceLog.h - Records of tiles on worker threads ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CPU_TRACELOG_H
#define GROUT_LIB_RUNTIME_CPU_TRACELOG_H

#include "../Session.h"

#include <chrono>

namespace grout {
namespace runtime {

/// The records of a session's worker threads. Each worker writes to a log of
/// its own.
class TraceLog {
public:
  explicit TraceLog(unsigned workers) : logs(workers) {}

  /// Returns nanoseconds of a clock that all workers share.
  static uint64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  /// Adds a record of `worker`.
  void add(unsigned worker, grout_trace_record record);

  /// Moves all records to `trace`. No worker may write meanwhile.
  void take(Trace &trace);

private:
  /// A worker's records. No two logs share a cache line.
  struct alignas(64) Log : Trace {};
  std::vector<Log> logs;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_TRACELOG_H
