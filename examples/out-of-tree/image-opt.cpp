//===- image-opt.cpp - Runs passes on images ------------------------------===//
//
// Part of Grout. As grout-opt, with a dialect, targets and policies more.
//
//===----------------------------------------------------------------------===//

#include "grout/InitAllPasses.h"
#include "image/RegisterImage.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  image::registerImage(registry);
  grout::registerAllPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "image-opt: passes on images\n", registry));
}
