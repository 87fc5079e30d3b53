//===- DeviceAssertion.cpp - Assertions in kernels of GPUs ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/DeviceAssertion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace grout;

/// Returns `__assertfail(message, file, line, function, size of a character)`.
static LLVM::LLVMFuncOp getAssertFail(OpBuilder builder, Location loc,
                                      gpu::GPUModuleOp module) {
  constexpr StringLiteral kName = "__assertfail";
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(kName))
    return known;
  builder.setInsertionPointToStart(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer, i32, pointer, i64});
  auto func = LLVM::LLVMFuncOp::create(builder, loc, kName, type);
  // The code behind an assertion need not handle its failure.
  func.setPassthroughAttr(builder.getStrArrayAttr({"noreturn"}));
  return func;
}

/// Returns a constant of `module` that holds `text` and a terminating zero.
static LLVM::GlobalOp getText(OpBuilder builder, Location loc,
                              gpu::GPUModuleOp module, StringRef text) {
  std::string value = text.str() + '\0';
  unsigned number = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (auto known = dyn_cast_if_present<StringAttr>(global.getValueOrNull());
        known && known.getValue() == value)
      return global;
    ++number;
  }
  builder.setInsertionPointToStart(module.getBody());
  return LLVM::GlobalOp::create(
      builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), value.size()),
      /*isConstant=*/true, LLVM::Linkage::Private,
      "assertion_text" + std::to_string(number), builder.getStringAttr(value));
}

void grout::emitAssertionFailure(ImplicitLocOpBuilder &builder,
                                 StringRef message) {
  Location loc = builder.getLoc();
  Operation *at = builder.getInsertionBlock()->getParentOp();
  auto func = at->getParentOfType<LLVM::LLVMFuncOp>();
  auto module = func->getParentOfType<gpu::GPUModuleOp>();
  auto getAddress = [&](StringRef text) -> Value {
    return LLVM::AddressOfOp::create(builder,
                                     getText(builder, loc, module, text));
  };
  Value text = getAddress(message), file = getAddress("a Grout kernel");
  Value function = getAddress(func.getSymName());
  Value line = LLVM::ConstantOp::create(builder, builder.getI32Type(), 0);
  Value size = LLVM::ConstantOp::create(builder, builder.getI64Type(), 1);
  LLVM::CallOp::create(builder, getAssertFail(builder, loc, module),
                       ValueRange{text, file, line, function, size});
}
