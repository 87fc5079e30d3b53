//===- HangReport.cpp - Reports the state of a stuck GPU ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "HangReport.h"

#include <cstdlib>
#include <iostream>
#include <mutex>

using namespace grout;
using namespace grout::run;

void run::exitHung(const OwnedSession &session,
                   const grout_session_config &config) {
  // The threads of several ranks may arrive at once. The first one reports, and
  // holds the lock until the process ends.
  static std::mutex reporting;
  reporting.lock();
  std::cout.flush();
  std::cerr << "grout-run: error: the GPU ";
  if (config.ranks > 1)
    std::cerr << "of rank " << config.rank << ' ';
  std::cerr << "did not finish within " << config.timeout_seconds
            << " seconds; its state:\n";
  Status described = session.describeState(std::cerr);
  if (described.isError())
    std::cerr << "  " << described.message() << '\n';
  std::_Exit(1);
}
