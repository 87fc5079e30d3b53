//===- ToolVersion.cpp - What --version prints ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Pipelines/ToolVersion.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void grout::registerToolVersion() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "Grout version " GROUT_VERSION "\n";
    llvm::cl::PrintVersionMessage();
  });
}
