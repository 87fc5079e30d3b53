//===- Target.cpp - A processor, and what compiles for it -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/Target.h"

#include "grout/Support/NamedRegistry.h"

using namespace grout;

TargetInterface::~TargetInterface() = default;

static NamedRegistry<Target> &getTargets() {
  static NamedRegistry<Target> targets;
  return targets;
}

void grout::registerTarget(std::unique_ptr<Target> target) {
  getTargets().add(std::move(target));
}

const Target *grout::lookupTarget(llvm::StringRef name) {
  return getTargets().lookup(name);
}

llvm::SmallVector<const Target *> grout::getAllTargets() {
  return getTargets().getAll();
}
