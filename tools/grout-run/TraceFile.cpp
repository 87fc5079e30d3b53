//===- TraceFile.cpp - Traces for Perfetto --------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TraceFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

using namespace grout;
using namespace grout::run;

/// Returns the category of an event.
static const char *getCategory(grout_trace_role role) {
  switch (role) {
  case GROUT_TRACE_BLOCK:
    return "block";
  case GROUT_TRACE_LOAD:
    return "load";
  case GROUT_TRACE_LOAD_AFTER_WAIT:
    return "load after wait";
  case GROUT_TRACE_COMPUTE:
    return "compute";
  case GROUT_TRACE_STORE:
    return "store";
  case GROUT_TRACE_SUM_RANKS:
    return "sum ranks";
  case GROUT_TRACE_TILE:
    return "tile";
  case GROUT_TRACE_WAIT:
    return "wait";
  }
  return "unknown";
}

static bool isOnCpu(grout_trace_role role) {
  return role == GROUT_TRACE_TILE || role == GROUT_TRACE_WAIT;
}

/// Writes a string of JSON. Names have no characters below a blank.
static void writeString(std::ostream &out, const std::string &text) {
  out << '"';
  for (char c : text) {
    if (c == '"' || c == '\\')
      out << '\\';
    out << c;
  }
  out << '"';
}

namespace {

/// The events of one rank. What one processor does in one role gets a thread of
/// the trace, or several if it does several things at the same time.
class RankEvents {
public:
  RankEvents(std::ostream &out, size_t rank, bool &isFirst)
      : out(out), rank(rank), isFirst(isFirst) {}

  void write(std::vector<grout_trace_record> records) {
    std::sort(records.begin(), records.end(),
              [](const grout_trace_record &a, const grout_trace_record &b) {
                // A wait is behind the tile that it is a part of.
                return std::tie(a.start, b.end) < std::tie(b.start, a.end);
              });
    if (!records.empty())
      origin = records.front().start;
    writeName("process_name", 0, "rank " + std::to_string(rank));
    for (const grout_trace_record &record : records)
      writeRecord(record);
  }

private:
  /// A thread of the trace, and when it is free again.
  struct Lane {
    unsigned thread;
    uint64_t end;
  };

  void beginEvent(const char *phase, unsigned thread) {
    out << (isFirst ? "\n" : ",\n") << "{\"ph\":\"" << phase
        << "\",\"pid\":" << rank << ",\"tid\":" << thread;
    isFirst = false;
  }

  void writeName(const char *kind, unsigned thread, const std::string &name) {
    beginEvent("M", thread);
    out << ",\"name\":\"" << kind << "\",\"args\":{\"name\":";
    writeString(out, name);
    out << "}}";
  }

  /// Returns a thread for `record` that is free.
  unsigned findThread(const grout_trace_record &record) {
    bool onCpu = isOnCpu(record.role);
    grout_trace_role role = onCpu ? GROUT_TRACE_TILE : record.role;
    std::vector<Lane> &lanes = threads[{record.processor, role}];
    for (Lane &lane : lanes) {
      // Waits are in the thread of their tile.
      if (lane.end > record.start && record.role != GROUT_TRACE_WAIT)
        continue;
      lane.end = std::max(lane.end, record.end);
      return lane.thread;
    }
    unsigned thread = ++numThreads;
    std::string name = (onCpu ? "worker " : "SM ") +
                       std::to_string(record.processor) +
                       (onCpu ? "" : std::string(": ") + getCategory(role));
    writeName("thread_name", thread, name);
    beginEvent("M", thread);
    out << ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":"
        << record.processor * (GROUT_TRACE_WAIT + 1) + role << "}}";
    lanes.push_back({thread, record.end});
    return thread;
  }

  void writeTime(const char *name, uint64_t nanoseconds) {
    // Microseconds, with all three digits behind the point.
    std::string rest = std::to_string(nanoseconds % 1000);
    out << ",\"" << name << "\":" << nanoseconds / 1000 << '.'
        << std::string(3 - rest.size(), '0') << rest;
  }

  void writeRecord(const grout_trace_record &record) {
    unsigned thread = findThread(record);
    beginEvent("X", thread);
    writeTime("ts", record.start - origin);
    writeTime("dur", record.end - record.start);
    std::ostringstream name;
    name << record.name;
    if (record.role == GROUT_TRACE_BLOCK)
      name << " block " << record.block;
    else
      name << " (" << record.x << ", " << record.y << ", " << record.z << ")";
    out << ",\"name\":";
    writeString(out, record.role == GROUT_TRACE_WAIT ? "wait" : name.str());
    out << ",\"cat\":\"" << getCategory(record.role)
        << "\",\"args\":{\"launch\":";
    writeString(out, record.launch);
    out << ",\"processor\":" << record.processor
        << ",\"block\":" << record.block << ",\"body\":" << record.body
        << ",\"tile\":[" << record.x << ',' << record.y << ',' << record.z
        << "]}}";
  }

  std::ostream &out;
  size_t rank;
  bool &isFirst;
  uint64_t origin = 0;
  unsigned numThreads = 0;
  std::map<std::pair<uint32_t, grout_trace_role>, std::vector<Lane>> threads;
};

} // namespace

Status run::writeTrace(const std::string &path,
                       const std::vector<SessionTrace> &traces) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  bool isFirst = true;
  for (size_t rank = 0; rank != traces.size(); ++rank)
    RankEvents(out, rank, isFirst).write(traces[rank].records);
  out << "\n]}\n";
  out.close();
  if (out)
    return Status::ok();
  return Status::error(GROUT_ERROR_IO, "cannot write '", path, "'",
                       errno ? ": " : "", errno ? std::strerror(errno) : "");
}
