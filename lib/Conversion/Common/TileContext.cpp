//===- TileContext.cpp - Calls of a CPU tile's context --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/TileContext.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace grout;

Value grout::emitContextCall(OpBuilder &builder, Location loc, Value context,
                             ContextFunction function, ValueRange arguments,
                             Type result) {
  MLIRContext *mlirContext = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(mlirContext);
  // The fields before it are pointers, too.
  Value place = LLVM::GEPOp::create(
      builder, loc, pointer, pointer, context,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(function)});
  Value callee = LLVM::LoadOp::create(builder, loc, pointer, place);
  SmallVector<Value> operands = {callee, context};
  operands.append(arguments.begin(), arguments.end());
  SmallVector<Type> types = {pointer};
  llvm::append_range(types, arguments.getTypes());
  auto calleeType = LLVM::LLVMFunctionType::get(
      result ? result : LLVM::LLVMVoidType::get(mlirContext), types);
  auto call = LLVM::CallOp::create(builder, loc, calleeType, operands);
  return result ? call.getResult() : Value();
}

Value grout::emitContextRank(OpBuilder &builder, Location loc, Value context) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value place =
      LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), context,
                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(
                              offsetof(grout_tile_context, rank))});
  return LLVM::LoadOp::create(builder, loc, builder.getI32Type(), place);
}
