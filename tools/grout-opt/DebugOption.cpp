//===- DebugOption.cpp - --debug-only where LLVM has none -----------------===//
//
// Part of Grout. Debian's LLVM, for example, is built without assertions. If
// Grout is built with assertions against such an LLVM, Grout's passes have
// debug output, and LLVM has the functions that turn it on, but not the option
// --debug-only that calls them. This file adds the option.
//
//===----------------------------------------------------------------------===//

#if !defined(NDEBUG) && !defined(GROUT_LLVM_HAS_DEBUG_OPTION)

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"
#include <string>
#include <vector>

/// Turns on the output of the pass `type`, and keeps that of earlier passes.
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
