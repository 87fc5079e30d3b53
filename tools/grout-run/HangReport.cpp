//===- HangReport.cpp - Reports the state of a stuck GPU ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "HangReport.h"

#include <cstdlib>
#include <iostream>

using namespace grout;
using namespace grout::run;

void run::exitHung(const OwnedSession &session, double timeoutSeconds) {
  std::cout.flush();
  std::cerr << "grout-run: error: the GPU did not finish within "
            << timeoutSeconds << " seconds; its state:\n";
  Status described = session.describeState(std::cerr);
  if (described.isError())
    std::cerr << "  " << described.message() << '\n';
  std::_Exit(1);
}
