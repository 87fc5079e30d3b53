//===- LaunchDialect.cpp - The launch dialect
//---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/Launch.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace grout::launch;

void LaunchDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "grout/Dialect/Launch/IR/LaunchOps.cpp.inc"
      >();
}

#include "grout/Dialect/Launch/IR/LaunchDialect.cpp.inc"
