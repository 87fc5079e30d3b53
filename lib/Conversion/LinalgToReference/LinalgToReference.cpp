//===- LinalgToReference.cpp - Plain plans to check against ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlainFunction.h"
#include "ReferencePlan.h"

#include "grout/Conversion/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace grout {
#define GEN_PASS_DEF_CONVERTLINALGTOREFERENCE
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Whether a plan is there already, as where a pipeline goes on with what the
/// first half of it has made.
static bool hasReference(func::FuncOp func) {
  auto module = func->getParentOfType<ModuleOp>();
  return llvm::any_of(module.getOps<launch::PlanOp>(),
                      [&](launch::PlanOp plan) {
                        return plan.getReference() == func.getSymName();
                      });
}

namespace {

struct ConvertLinalgToReference
    : grout::impl::ConvertLinalgToReferenceBase<ConvertLinalgToReference> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    for (auto func : llvm::make_early_inc_range(
             getOperation().getBody()->getOps<func::FuncOp>())) {
      if (!func.isPublic() || func.isExternal() || hasReference(func))
        continue;
      OwningOpRef<func::FuncOp> plain =
          reference::buildPlainFunction(func, strictTypes);
      if (!plain)
        return signalPassFailure();
      reference::ReferencePlan(func, std::move(plain), **target, strictTypes,
                               f32Products)
          .run();
    }
  }
};

} // namespace
