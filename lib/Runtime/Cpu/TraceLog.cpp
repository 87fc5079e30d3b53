//===- TraceLog.cpp - Records of tiles on worker threads ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TraceLog.h"

using namespace grout::runtime;

/// The most records of a worker that nobody has taken.
static constexpr size_t kMostRecords = size_t(1) << 20;

void TraceLog::add(unsigned worker, grout_trace_record record) {
  Log &log = logs[worker];
  if (log.records.size() == kMostRecords) {
    ++log.lost;
    return;
  }
  record.processor = worker;
  log.records.push_back(record);
}

void TraceLog::take(Trace &trace) {
  for (Log &log : logs) {
    trace.records.insert(trace.records.end(), log.records.begin(),
                         log.records.end());
    trace.lost += log.lost;
    log.records.clear();
    log.lost = 0;
  }
}
