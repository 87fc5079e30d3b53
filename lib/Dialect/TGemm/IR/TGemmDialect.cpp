//===- TGemmDialect.cpp - The tgemm dialect -------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace grout::tgemm;

void TGemmDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "grout/Dialect/TGemm/IR/TGemmOps.cpp.inc"
      >();
}

#include "grout/Dialect/TGemm/IR/TGemmDialect.cpp.inc"
