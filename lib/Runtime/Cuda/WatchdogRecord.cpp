//===- WatchdogRecord.cpp - What a wait that gave up recorded -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WatchdogRecord.h"

#include "../TaskList.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

/// The body of a record that names no task.
static constexpr uint32_t kNoBody = 0xffffffff;

namespace {
/// The record, as it lies from word 16 on.
struct Record {
  uint32_t gaveUp, semaphore, expected, seen, count, epoch, block;
  uint32_t body, x, y, z;
};
} // namespace

static Record readRecord(const std::vector<uint32_t> &words) {
  return {words[16], words[17], words[18], words[19], words[20], words[21],
          words[22], words[23], words[24], words[25], words[26]};
}

/// ", task 5 (body 1, tile 2, 0, 0)"; the number only if the list has the task.
static std::string describeTask(const Launch &launch, const Record &record) {
  if (record.body == kNoBody)
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

Status cuda::checkWatchdogRecord(const Launch &launch,
                                 const std::vector<uint32_t> &syncState) {
  Record record = readRecord(syncState);
  if (!record.gaveUp)
    return Status::ok();
  // By the protocol, earlier launches have left `epoch` times the count.
  uint32_t posts = record.seen - record.epoch * record.count;
  return Status::error(
      GROUT_ERROR_TIMEOUT, "launch '", launch.name()->str(), "', kernel '",
      launch.entries()->Get(0)->str(), "'", describeTask(launch, record),
      ", block ", record.block, " waits for semaphore ", record.semaphore,
      ": it expects ", record.expected, " (", record.count, " posts in epoch ",
      record.epoch, ") and sees ", record.seen, " (",
      static_cast<int32_t>(posts), " posts); it gave up after ",
      launch.debug_sync_milliseconds(),
      " milliseconds, and what the run wrote is undefined");
}
