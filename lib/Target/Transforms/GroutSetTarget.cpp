//===- GroutSetTarget.cpp - Says what a module is compiled for ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/IR/Grout.h"
#include "grout/Target/Transforms/Passes.h"

namespace grout {
#define GEN_PASS_DEF_GROUTSETTARGET
#include "grout/Target/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

namespace {

struct GroutSetTarget : grout::impl::GroutSetTargetBase<GroutSetTarget> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target =
        TargetAttr::getChecked([&] { return emitError(module.getLoc()); },
                               &getContext(), StringRef(name));
    if (!target)
      return signalPassFailure();
    StringRef attribute = GroutDialect::getTargetAttrName();
    if (Attribute before = module->getAttr(attribute);
        before && before != target) {
      emitError(module.getLoc())
          << "is compiled for " << target << ", but has " << before;
      return signalPassFailure();
    }
    module->setAttr(attribute, target);
    if (exact)
      module->setAttr(GroutDialect::getExactAttrName(),
                      UnitAttr::get(&getContext()));
    if (trace)
      module->setAttr(GroutDialect::getTraceAttrName(),
                      UnitAttr::get(&getContext()));
  }
};

} // namespace
