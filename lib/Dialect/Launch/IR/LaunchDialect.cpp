//===- LaunchDialect.cpp - The launch dialect -----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/Launch.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace grout::launch;

#define GET_TYPEDEF_CLASSES
#include "grout/Dialect/Launch/IR/LaunchTypes.cpp.inc"

#include "grout/Dialect/Launch/IR/LaunchInterfaces.cpp.inc"

void LaunchDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "grout/Dialect/Launch/IR/LaunchOps.cpp.inc"
      >();
}

void LaunchDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "grout/Dialect/Launch/IR/LaunchTypes.cpp.inc"
      >();
}

#include "grout/Dialect/Launch/IR/LaunchDialect.cpp.inc"
