//===- LaunchGenerator.cpp - Classes that generate launches ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/LaunchGenerator.h"

using namespace grout;

LaunchGenerator::~LaunchGenerator() = default;

void LaunchGenerators::add(std::unique_ptr<LaunchGenerator> generator) {
  generators.insert(generators.begin(), std::move(generator));
}

const LaunchGenerator *LaunchGenerators::find(launch::TilesOp launch) const {
  for (const std::unique_ptr<LaunchGenerator> &generator : generators)
    if (generator->handles(launch))
      return generator.get();
  return nullptr;
}
