//===- CollectiveDialect.cpp - The collective dialect ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Collective/IR/Collective.h"

using namespace grout::collective;

void CollectiveDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "grout/Dialect/Collective/IR/CollectiveOps.cpp.inc"
      >();
}

#include "grout/Dialect/Collective/IR/CollectiveDialect.cpp.inc"
