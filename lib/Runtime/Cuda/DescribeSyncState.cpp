//===- DescribeSyncState.cpp - The progress of a launch as text -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DescribeSyncState.h"
#include "../TaskList.h"
#include "grout/Runtime/DeviceABI.h"

#include <sstream>

using namespace grout;
using namespace grout::runtime;

std::string cuda::describeSyncState(const artifact::Launch &launch,
                                    const std::vector<uint32_t> &syncState) {
  constexpr uint32_t kMostSemaphores = 64;
  std::ostringstream text;
  text << "launch '" << launch.name()->str() << "': ticket "
       << syncState[kernelabi::kTicketWord];
  if (uint64_t tasks = TaskList(launch).size())
    text << " of " << tasks;
  text << ", " << syncState[kernelabi::kFinishedWord]
       << " blocks finished, epoch " << syncState[kernelabi::kEpochWord];
  if (launch.semaphores())
    text << ", semaphores";
  for (uint32_t i = 0; i != launch.semaphores() && i != kMostSemaphores; ++i)
    text << ' '
         << syncState[kernelabi::kFirstSemaphoreWord +
                      kernelabi::kWordsPerSemaphore * i];
  if (launch.semaphores() > kMostSemaphores)
    text << " ...";
  return text.str();
}
