//===- FuzzProblemText.cpp - Any text as a scheduling problem -------------===//
//
// Part of Grout. What is read is printed, and reads the same again; what is
// well formed has a schedule that is printed and read, too.
//
//===----------------------------------------------------------------------===//

#include "grout/Scheduling/SchedulingProblem.h"

#include "llvm/Support/ErrorHandling.h"

using namespace grout;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  if (llvm::Expected<Schedule> schedule = Schedule::parse(text)) {
    llvm::Expected<Schedule> again = Schedule::parse(schedule->str());
    if (!again || !(*again == *schedule))
      llvm::report_fatal_error("a schedule does not read what it writes");
  } else {
    llvm::consumeError(schedule.takeError());
  }
  IslContext context;
  llvm::Expected<SchedulingProblem> problem =
      SchedulingProblem::parse(context, text);
  if (!problem) {
    llvm::consumeError(problem.takeError());
    return 0;
  }
  llvm::Expected<SchedulingProblem> again =
      SchedulingProblem::parse(context, problem->str());
  if (!again)
    llvm::report_fatal_error(again.takeError());
  llvm::consumeError(problem->check());
  return 0;
}
