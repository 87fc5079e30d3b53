//===- GroutDialect.cpp - The grout dialect -------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/IR/Grout.h"

#include "grout/Target/CheckTarget.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
  if (attribute.getName() == getAssertAttrName()) {
    if (!isa<tensor::ScatterOp>(op) || !isa<StringAttr>(attribute.getValue()))
      return op->emitError() << "'" << getAssertAttrName()
                             << "' is a string, and belongs to a "
                                "tensor.scatter";
    return success();
  }
  bool isTarget = attribute.getName() == getTargetAttrName();
  if (!isTarget && attribute.getName() != getExactAttrName() &&
      attribute.getName() != getTraceAttrName())
    return success();
  if (!isa<ModuleOp>(op))
    return op->emitError() << "'" << attribute.getName().getValue()
                           << "' belongs to a module";
  if (!isTarget && !isa<UnitAttr>(attribute.getValue()))
    return op->emitError() << "'" << attribute.getName().getValue()
                           << "' has no value";
  if (isTarget && !isa<TargetAttr>(attribute.getValue()))
    return op->emitError() << "'" << getTargetAttrName()
                           << "' is no #grout.target";
  return success();
}

LogicalResult GroutDialect::verifyRegionArgAttribute(Operation *op,
                                                     unsigned /*region*/,
                                                     unsigned argument,
                                                     NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != getInPlaceAttrName())
    return success();
  auto func = dyn_cast<FunctionOpInterface>(op);
  auto result = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!func || !result)
    return op->emitError() << "'" << name << "' of argument " << argument
                           << " must be the number of a result of a function";
  if (result.getValue().isNegative() ||
      result.getValue().uge(func.getNumResults()))
    return op->emitError() << "'" << name << "' of argument " << argument
                           << " is result " << result << " of "
                           << func.getNumResults();
  unsigned number = result.getValue().getZExtValue();
  Type type = func.getArgumentTypes()[argument];
  if (type != func.getResultTypes()[number])
    return op->emitError() << "argument " << argument << " is " << type
                           << " and cannot hold result " << number << ", "
                           << func.getResultTypes()[number];
  for (unsigned other = 0; other != argument; ++other)
    if (func.getArgAttr(other, name) == result)
      return op->emitError() << "arguments " << other << " and " << argument
                             << " both hold result " << number;
  return success();
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef name) {
  if (const Target *target = lookupTarget(name)) {
    std::string problem = findTargetProblem(target->getSpec());
    if (problem.empty())
      return success();
    return emitError() << "target '" << name << "' cannot be: " << problem;
  }
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
  return emitError(op->getLoc(), "the module has no target; give it one, as "
                                 "grout-set-target does");
}

FailureOr<const Target *> grout::getGPU(Operation *op) {
  FailureOr<const Target *> target = getTarget(op);
  if (succeeded(target) && !(*target)->getSpec().warpSize)
    return emitError(op->getLoc())
           << "'" << (*target)->getName() << "' is not a GPU";
  return target;
}

std::optional<unsigned> grout::getInPlaceArgument(FunctionOpInterface func,
                                                  unsigned result) {
  for (unsigned argument = 0; argument != func.getNumArguments(); ++argument)
    if (auto number = func.getArgAttrOfType<IntegerAttr>(
            argument, GroutDialect::getInPlaceAttrName()))
      if (number.getValue() == result)
        return argument;
  return std::nullopt;
}

InFlightDiagnostic grout::emitTargetError(Operation *op) {
  InFlightDiagnostic diagnostic = op->emitOpError("cannot be compiled");
  if (const Target *target = findTarget(op))
    diagnostic << " for " << target->getName();
  diagnostic << ": ";
  return diagnostic;
}
