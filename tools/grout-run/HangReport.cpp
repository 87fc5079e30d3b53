//===- HangReport.cpp - What a stuck GPU was doing ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "HangReport.h"

#include "TaskList.h"
#include <cstdlib>
#include <iostream>
#include <sstream>

using namespace grout;
using namespace grout::run;
using namespace grout::runtime;

/// The words of docs/KernelABI.md.
static std::string describe(const artifact::Launch &launch,
                            const std::vector<uint32_t> &words) {
  constexpr uint32_t kMostSemaphores = 64;
  std::ostringstream text;
  text << "  launch '" << launch.name()->str() << "': ticket " << words[0];
  if (uint64_t tasks = TaskList(launch).size())
    text << " of " << tasks;
  text << ", " << words[1] << " blocks finished, epoch " << words[2];
  if (launch.semaphores())
    text << ", semaphores";
  for (uint32_t i = 0; i != launch.semaphores() && i != kMostSemaphores; ++i)
    text << ' ' << words[32 + 8 * i];
  if (launch.semaphores() > kMostSemaphores)
    text << " ...";
  return text.str();
}

void run::exitHung(const CudaSession &session, const artifact::Plan &plan,
                   double timeoutSeconds) {
  std::cout.flush();
  std::cerr << "grout-run: error: the GPU did not finish within "
            << timeoutSeconds << " seconds; its state:\n";
  for (uint32_t i = 0; i != plan.launches()->size(); ++i) {
    std::vector<uint32_t> words;
    Status read = session.readSyncState(i, words);
    std::cerr << (read.isError() ? "  " + read.message()
                                 : describe(*plan.launches()->Get(i), words))
              << '\n';
  }
  std::_Exit(1);
}
