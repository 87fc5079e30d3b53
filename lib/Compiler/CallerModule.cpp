//===- CallerModule.cpp - Parts of a caller's module ----------------------===//
//
// Part of Grout. A caller's context has dialects that Grout's context does not
// have. This file leaves out their attributes and ops before the module goes to
// Grout's context.
//
//===----------------------------------------------------------------------===//

#include "CallerModule.h"

#include "HostFunctions.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/InitAllDialects.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace grout;

namespace {
/// The dialects that Grout's contexts have.
class KnownDialects {
public:
  KnownDialects() { registerAllDialects(registry); }

  bool has(StringRef name) const {
    return name == BuiltinDialect::getDialectNamespace() ||
           llvm::is_contained(registry.getDialectNames(), name);
  }
  /// Returns whether all parts of `value`, an attribute or a type, belong to
  /// known dialects.
  template <typename Value> bool hasAllOf(Value value) const {
    auto check = [&](auto inner) {
      return has(getNamespace(inner)) ? WalkResult::advance()
                                      : WalkResult::interrupt();
    };
    return !value
                .walk([&](Attribute inner) { return check(inner); },
                      [&](Type inner) { return check(inner); })
                .wasInterrupted();
  }

private:
  static StringRef getNamespace(Attribute value) {
    auto opaque = dyn_cast<OpaqueAttr>(value);
    return opaque ? opaque.getDialectNamespace().getValue()
                  : value.getDialect().getNamespace();
  }
  static StringRef getNamespace(Type value) {
    auto opaque = dyn_cast<OpaqueType>(value);
    return opaque ? opaque.getDialectNamespace().getValue()
                  : value.getDialect().getNamespace();
  }

  DialectRegistry registry;
};
} // namespace

/// Erases ops from which no function is compiled. Compares names of ops,
/// because the caller may have copies of Grout's dialects.
static void removeHostOps(ModuleOp module) {
  const StringRef kept[] = {
      func::FuncOp::getOperationName(), launch::PlanOp::getOperationName(),
      ModuleOp::getOperationName(), gpu::GPUModuleOp::getOperationName()};
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (!llvm::is_contained(kept, op.getName().getStringRef()))
      op.erase();
}

/// Returns the `attributes` that Grout can read.
static DictionaryAttr filter(DictionaryAttr attributes,
                             const KnownDialects &known) {
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : attributes)
    if (known.hasAllOf(attribute.getValue()))
      kept.push_back(attribute);
  return DictionaryAttr::get(attributes.getContext(), kept);
}

static void removeAttributes(func::FuncOp func, const KnownDialects &known) {
  for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
    if (DictionaryAttr attributes = func.getArgAttrDict(i))
      func.setArgAttrs(i, filter(attributes, known));
  for (unsigned i = 0, e = func.getNumResults(); i != e; ++i)
    if (DictionaryAttr attributes = func.getResultAttrDict(i))
      func.setResultAttrs(i, filter(attributes, known));
}

/// Removes discardable attributes that Grout cannot read.
static void removeAttributes(ModuleOp module, const KnownDialects &known) {
  module->walk([&](Operation *op) {
    op->setDiscardableAttrs(filter(op->getDiscardableAttrDictionary(), known));
    if (auto func = dyn_cast<func::FuncOp>(op))
      removeAttributes(func, known);
  });
  AttrTypeReplacer locations;
  locations.addReplacement([&](FusedLoc loc) -> std::optional<Attribute> {
    if (!loc.getMetadata() || known.hasAllOf(loc.getMetadata()))
      return std::nullopt;
    return FusedLoc::get(loc.getContext(), loc.getLocations());
  });
  locations.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false,
                                         /*replaceLocs=*/true);
}

/// Reports an error if Grout cannot read `op`.
static LogicalResult check(Operation *op, const KnownDialects &known) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (!known.has(dialect))
    return emitError(op->getLoc())
           << "'" << op->getName()
           << "' op cannot be compiled: Grout does not know the dialect '"
           << dialect << "'; lower it to linalg on tensors before";
  auto checkTypes = [&](TypeRange types) -> LogicalResult {
    for (Type type : types)
      if (!known.hasAllOf(type))
        return emitError(op->getLoc())
               << "'" << op->getName() << "' op cannot be compiled: " << type
               << " is of a dialect that Grout does not know";
    return success();
  };
  if (failed(checkTypes(op->getResultTypes())))
    return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(checkTypes(block.getArgumentTypes())))
        return failure();
  return success();
}

OwningOpRef<ModuleOp> grout::copyForGrout(ModuleOp module) {
  OwningOpRef<ModuleOp> copy(module.clone());
  removeHostFunctions(*copy);
  removeHostOps(*copy);
  KnownDialects known;
  removeAttributes(*copy, known);
  WalkResult result = copy->walk([&](Operation *op) {
    return failed(check(op, known)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return nullptr;
  return copy;
}
