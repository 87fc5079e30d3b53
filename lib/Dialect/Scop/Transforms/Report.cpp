//===- Report.cpp - Output of passes --------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "mlir/Support/DebugStringHelper.h"
#include <mutex>

using namespace mlir;
using namespace grout::scop;

void grout::scop::printReport(llvm::StringRef text) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::outs() << text;
}

void grout::scop::printReport(KernelOp kernel, llvm::StringRef text) {
  printReport("kernel at " + debugString(kernel.getLoc()) + "\n" + text.str());
}
