//===- WatchdogRecord.cpp - The record of a wait that gave up -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WatchdogRecord.h"

#include "../TaskList.h"

#include <cstring>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

static kernelabi::WatchdogRecord
readRecord(const std::vector<uint32_t> &words) {
  kernelabi::WatchdogRecord record;
  std::memcpy(&record, words.data() + kernelabi::kRecordWord, sizeof(record));
  return record;
}

/// Returns a text such as ", task 5 (body 1, tile 2, 0, 0)". It has the number
/// 5 only if the list has the task.
static std::string describeTask(const Launch &launch,
                                const kernelabi::WatchdogRecord &record) {
  if (record.body == kernelabi::kNoBody)
    return "";
  std::string text = ", task ";
  TaskList tasks(launch);
  for (uint64_t i = 0, count = tasks.size(); i != count; ++i) {
    Task task = tasks.at(i);
    if (task.body() != record.body || task.x() != record.x ||
        task.y() != record.y || task.z() != record.z)
      continue;
    text += std::to_string(i) + " ";
    break;
  }
  return text + "(body " + std::to_string(record.body) + ", tile " +
         std::to_string(record.x) + ", " + std::to_string(record.y) + ", " +
         std::to_string(record.z) + ")";
}

/// Returns a text such as ", block 5 waits for data of rank 1".
static std::string describeWait(const Launch &launch,
                                const kernelabi::WatchdogRecord &record) {
  std::string block = ", block " + std::to_string(record.block) + " waits for ";
  if (record.afterRank)
    return block + "data of rank " + std::to_string(record.afterRank - 1);
  // By the protocol, earlier runs have left `epoch` times the count.
  uint32_t posts = record.seen - record.epoch * record.count;
  return describeTask(launch, record) + block + "semaphore " +
         std::to_string(record.semaphore) + ": it expects " +
         std::to_string(record.target) + " (" + std::to_string(record.count) +
         " posts in epoch " + std::to_string(record.epoch) + ") and sees " +
         std::to_string(record.seen) + " (" +
         std::to_string(static_cast<int32_t>(posts)) + " posts)";
}

Status cuda::checkWatchdogRecord(const Launch &launch,
                                 const std::vector<uint32_t> &syncState) {
  kernelabi::WatchdogRecord record = readRecord(syncState);
  if (!record.gaveUp)
    return Status::ok();
  return Status::error(GROUT_ERROR_TIMEOUT, "launch '", launch.name()->str(),
                       "', kernel '", launch.entries()->Get(0)->str(), "'",
                       describeWait(launch, record), "; it gave up after ",
                       launch.debug_sync_milliseconds(),
                       " milliseconds, and what the run wrote is undefined");
}
