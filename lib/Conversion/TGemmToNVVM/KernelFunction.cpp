//===- KernelFunction.cpp - The function of a Hopper kernel ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Runtime/DeviceABI.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

LLVM::LLVMFuncOp hopper::createKernelFunction(OpBuilder &builder, Location loc,
                                              StringRef name,
                                              ArrayRef<Attribute> args,
                                              const KernelShape &shape) {
  MLIRContext *context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (Attribute attr : args) {
    NamedAttrList list;
    switch (cast<launch::ArgAttr>(attr).getKind()) {
    case launch::ArgKind::tensor_map:
      types.push_back(pointer);
      list.set(LLVM::LLVMDialect::getByValAttrName(),
               TypeAttr::get(LLVM::LLVMArrayType::get(
                   builder.getI8Type(), kernelabi::kTensorMapBytes)));
      list.set(LLVM::LLVMDialect::getAlignAttrName(),
               builder.getI64IntegerAttr(kernelabi::kTensorMapAlignment));
      list.set(NVVM::NVVMDialect::getGridConstantAttrName(),
               builder.getUnitAttr());
      break;
    case launch::ArgKind::buffer:
    case launch::ArgKind::sync_state:
    case launch::ArgKind::semaphores:
    case launch::ArgKind::task_list:
    case launch::ArgKind::peer:
      types.push_back(pointer);
      break;
    case launch::ArgKind::task_count:
    case launch::ArgKind::rank:
      types.push_back(builder.getI32Type());
      break;
    }
    attributes.push_back(list.getDictionary(context));
  }
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types);
  // setmaxnreg is legal only if the number of threads, and of registers at the
  // start, is fixed.
  SmallVector<NamedAttribute> attrs = {
      builder.getNamedAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                           builder.getUnitAttr()),
      builder.getNamedAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                           builder.getDenseI32ArrayAttr(
                               {static_cast<int32_t>(shape.threads), 1, 1})),
      builder.getNamedAttr(
          NVVM::NVVMDialect::getMaxnregAttrName(),
          builder.getI32IntegerAttr(static_cast<int32_t>(shape.registers)))};
  if (shape.cluster != 1)
    attrs.push_back(
        builder.getNamedAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                             builder.getDenseI32ArrayAttr(
                                 {static_cast<int32_t>(shape.cluster), 1, 1})));
  return LLVM::LLVMFuncOp::create(
      builder, loc, name, type, LLVM::Linkage::External, /*dsoLocal=*/false,
      LLVM::CConv::C, /*comdat=*/SymbolRefAttr(), attrs, attributes);
}

void hopper::emitTensorMapPrefetches(DeviceBuilder &b, ArrayRef<Attribute> args,
                                     ValueRange params) {
  for (auto [attr, param] : llvm::zip_equal(args, params))
    if (cast<launch::ArgAttr>(attr).getKind() == launch::ArgKind::tensor_map)
      b.assembly(Type(), param, "prefetch.tensormap [$0];", "l",
                 /*touchesMemory=*/true);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The name of the dynamic shared memory of a kernel module.
static constexpr StringLiteral kSharedMemory = "grout_shared";
/// Its alignment in bytes: that of 8 swizzled rows of 128 bytes.
static constexpr int64_t kSharedAlignment = 1024;

StringRef hopper::declareSharedMemory(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(kSharedMemory))
    return kSharedMemory;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, module.getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedMemory, Attribute(), kSharedAlignment,
                         static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  return kSharedMemory;
}

Value hopper::emitSharedAddress(DeviceBuilder &b, StringRef name) {
  auto pointer = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  return LLVM::PtrToIntOp::create(b, b.getI32Type(),
                                  LLVM::AddressOfOp::create(b, pointer, name));
}

void hopper::emitSharedProxyFence(DeviceBuilder &b) {
  NVVM::FenceProxyOp::create(
      b, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

void hopper::emitBarrierInitFence(DeviceBuilder &b) {
  // TMA loads complete barriers, and they do so through the async proxy.
  NVVM::FenceMbarrierInitOp::create(b);
  emitSharedProxyFence(b);
}
