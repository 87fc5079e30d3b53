//===- RegisterImage.cpp - All that is added to Grout ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "image/RegisterImage.h"

#include "grout/InitAllDialects.h"
#include "image/Image.h"
#include "image/LargestFirst.h"
#include "image/Mix.h"
#include "image/ProgramOrder.h"
#include "image/SmoothTiles.h"
#include "image/Targets.h"

void image::registerImage(mlir::DialectRegistry &registry) {
  // Grout's targets come with its dialects.
  grout::registerAllDialects(registry);
  registry.insert<ImageDialect>();
  registerSmoothTiles(registry);
  registerMixTiles(registry);
  registerTargets();
  grout::launch::registerSchedulingPolicy(std::make_unique<LargestFirst>());
  grout::scop::registerConstraintTreePolicy(std::make_unique<ProgramOrder>());
}
