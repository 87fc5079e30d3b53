//===- Target.cpp - A processor, and what compiles for it -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/Target.h"

#include <map>
#include <string>

using namespace grout;

TargetInterface::~TargetInterface() = default;

using TargetMap = std::map<std::string, std::unique_ptr<Target>, std::less<>>;

static TargetMap &getTargets() {
  static TargetMap targets;
  return targets;
}

void grout::registerTarget(std::unique_ptr<Target> target) {
  std::string name = target->getName().str();
  getTargets()[name] = std::move(target);
}

const Target *grout::lookupTarget(llvm::StringRef name) {
  auto it = getTargets().find(std::string_view(name));
  return it == getTargets().end() ? nullptr : it->second.get();
}

llvm::SmallVector<const Target *> grout::getAllTargets() {
  llvm::SmallVector<const Target *> all;
  for (const auto &[name, target] : getTargets())
    all.push_back(target.get());
  return all;
}
