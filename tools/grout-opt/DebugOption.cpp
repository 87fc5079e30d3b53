//===- DebugOption.cpp - --debug-only where LLVM has none -----------------===//
//
// Part of Grout. A build with assertions against an LLVM without, such as
// Debian's, has the debug output of Grout's passes, and LLVM the functions that
// turn it on, but not the option that calls them.
//
//===----------------------------------------------------------------------===//

#if !defined(NDEBUG) && !defined(GROUT_LLVM_HAS_DEBUG_OPTION)

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"
#include <string>
#include <vector>

/// Turns on the output of the pass `type`, too.
static void enable(const std::string &type) {
  static std::vector<std::string> types;
  types.push_back(type);
  auto names = llvm::map_to_vector(
      types, [](const std::string &name) { return name.c_str(); });
  llvm::DebugFlag = true;
  llvm::setCurrentDebugTypes(names.data(), names.size());
}

static llvm::cl::list<std::string> debugOnly(
    "debug-only", llvm::cl::CommaSeparated, llvm::cl::Hidden,
    llvm::cl::value_desc("passes"),
    llvm::cl::desc("Print what these passes decide, and why"),
    llvm::cl::callback([](const std::string &type) { enable(type); }));

#endif
