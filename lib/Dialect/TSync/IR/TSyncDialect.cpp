//===- TSyncDialect.cpp - The tsync dialect
//---------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/TSync.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace grout::tsync;

void TSyncDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "grout/Dialect/TSync/IR/TSyncOps.cpp.inc"
      >();
}

LogicalResult TSyncDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() == ExecutionAttr::getAttrName() &&
      !isa<ExecutionAttr>(attribute.getValue()))
    return op->emitError() << "'" << ExecutionAttr::getAttrName()
                           << "' is no #tsync.execution";
  if (attribute.getName() == kOwnLaunchAttrName &&
      (!isa<UnitAttr>(attribute.getValue()) || !isa<TileKernelOpInterface>(op)))
    return op->emitError() << "'" << kOwnLaunchAttrName
                           << "' is a unit attribute of tile kernels";
  if (attribute.getName() == kProvedAnswersAttrName) {
    auto digest = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!digest || !digest.getType().isSignlessInteger(64) ||
        !isa<TileKernelOpInterface>(op))
      return op->emitError() << "'" << kProvedAnswersAttrName
                             << "' is an i64 attribute of tile kernels";
  }
  return success();
}

#include "grout/Dialect/TSync/IR/TSyncDialect.cpp.inc"
