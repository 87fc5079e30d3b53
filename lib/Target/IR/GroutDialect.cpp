//===- GroutDialect.cpp - The grout dialect -------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/IR/Grout.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace grout;

#define GET_ATTRDEF_CLASSES
#include "grout/Target/IR/GroutAttrs.cpp.inc"

#include "grout/Target/IR/GroutDialect.cpp.inc"

void GroutDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "grout/Target/IR/GroutAttrs.cpp.inc"
      >();
}

void GroutDialect::initialize() { registerAttributes(); }

LogicalResult GroutDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() != getTargetAttrName())
    return success();
  if (!isa<ModuleOp>(op))
    return op->emitError() << "'" << getTargetAttrName()
                           << "' belongs to a module";
  if (!isa<TargetAttr>(attribute.getValue()))
    return op->emitError() << "'" << getTargetAttrName()
                           << "' is no #grout.target";
  return success();
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef name) {
  if (lookupTarget(name))
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "unknown target '" << name << "'; known are ";
  llvm::interleaveComma(getAllTargets(), diagnostic, [&](const Target *known) {
    diagnostic << known->getName();
  });
  return diagnostic;
}

const Target &TargetAttr::getTarget() const { return *lookupTarget(getName()); }

const Target *grout::findTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target =
            op->getAttrOfType<TargetAttr>(GroutDialect::getTargetAttrName()))
      return &target.getTarget();
  return nullptr;
}

FailureOr<const Target *> grout::getTarget(Operation *op) {
  if (const Target *target = findTarget(op))
    return target;
  return op->emitError("the module has no target; give it one, as "
                       "grout-set-target does");
}

FailureOr<const Target *> grout::getGPU(Operation *op) {
  FailureOr<const Target *> target = getTarget(op);
  if (succeeded(target) && !(*target)->getSpec().warpSize)
    return op->emitError() << "'" << (*target)->getName() << "' is not a GPU";
  return target;
}

InFlightDiagnostic grout::emitTargetError(Operation *op) {
  InFlightDiagnostic diagnostic = op->emitOpError("cannot be compiled");
  if (const Target *target = findTarget(op))
    diagnostic << " for " << target->getName();
  diagnostic << ": ";
  return diagnostic;
}
