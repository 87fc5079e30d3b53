//===- KernelFunction.cpp - The function of a Hopper kernel ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/KernelFunction.h"

#include "grout/Conversion/Common/SyncState.h"
#include "grout/Dialect/Launch/IR/Launch.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

/// Creates an empty function for the kernel of `plan`.
static LLVM::LLVMFuncOp createFunction(OpBuilder &builder, Location loc,
                                       const KernelPlan &plan) {
  MLIRContext *context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (Attribute attr : plan.params.getArgs()) {
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
      builder.getNamedAttr(
          NVVM::NVVMDialect::getReqntidAttrName(),
          builder.getDenseI32ArrayAttr(
              {static_cast<int32_t>(plan.getThreads()), 1, 1})),
      builder.getNamedAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                           builder.getI32IntegerAttr(
                               static_cast<int32_t>(plan.registers.initial)))};
  if (plan.hasCluster())
    attrs.push_back(builder.getNamedAttr(
        NVVM::NVVMDialect::getClusterDimAttrName(),
        builder.getDenseI32ArrayAttr(
            {static_cast<int32_t>(plan.clusterSize), 1, 1})));
  return LLVM::LLVMFuncOp::create(builder, loc, plan.name, type,
                                  LLVM::Linkage::External, /*dsoLocal=*/false,
                                  LLVM::CConv::C, /*comdat=*/SymbolRefAttr(),
                                  attrs, attributes);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The name of the dynamic shared memory of a kernel module.
static constexpr StringLiteral kSharedMemory = "grout_shared";
/// Its alignment in bytes: that of 8 swizzled rows of 128 bytes.
static constexpr int64_t kSharedAlignment = 1024;

/// Declares the dynamic shared memory in `module`, if it is not there yet.
static void declareSharedMemory(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(kSharedMemory))
    return;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, module.getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedMemory, Attribute(), kSharedAlignment,
                         static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
}

Value hopper::emitSharedAddress(DeviceBuilder &b) {
  auto pointer = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  return LLVM::PtrToIntOp::create(
      b, b.getI32Type(), LLVM::AddressOfOp::create(b, pointer, kSharedMemory));
}

void hopper::emitSharedProxyFence(DeviceBuilder &b) {
  NVVM::FenceProxyOp::create(
      b, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

DeviceBuilder hopper::beginKernel(gpu::GPUModuleOp module, Location loc,
                                  const KernelPlan &plan) {
  declareSharedMemory(module);
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  LLVM::LLVMFuncOp func = createFunction(builder, loc, plan);
  DeviceBuilder b(loc, builder.getContext());
  b.setInsertionPointToStart(func.addEntryBlock(builder));
  return b;
}

/// Emits, for one thread, prefetches of all tensor maps, so that the first
/// copies need not wait for them.
static void emitTensorMapPrefetches(const KernelContext &context,
                                    const KernelPlan &plan) {
  for (auto [attr, param] :
       llvm::zip_equal(plan.params.getArgs(), context.params))
    if (cast<launch::ArgAttr>(attr).getKind() == launch::ArgKind::tensor_map)
      context.b.assembly(Type(), param, "prefetch.tensormap [$0];", "l",
                         /*touchesMemory=*/true);
}

void hopper::emitKernelStart(KernelContext &context, const KernelPlan &plan,
                             ArrayRef<Ring> rings) {
  DeviceBuilder &b = context.b;
  emitEntryTrigger(b, b.getLoc(), plan.programmatic);
  b.ifThen(b.isEqual(context.thread, kWarpSize),
           [&] { emitTensorMapPrefetches(context, plan); });
  b.ifThen(b.isEqual(context.thread, 0), [&] {
    emitBarrierInits(context, rings);
    // All threads of the cluster use the barriers. So does TMA, which completes
    // them through the async proxy.
    NVVM::FenceMbarrierInitOp::create(b);
    emitSharedProxyFence(b);
  });
  if (plan.hasCluster() && !plan.sharesBarriers)
    b.arriveAtCluster();
  emitEntryWait(b, b.getLoc(), plan.programmatic);
  if (plan.hasCluster() && plan.sharesBarriers)
    b.syncCluster();
  else
    b.syncBlock();
  // The state may be read only from here on.
  if (!plan.syncStateParam)
    return;
  SmallVector<Value> states = {context.getParam(*plan.syncStateParam)};
  if (plan.semaphoresParam)
    states.push_back(context.getParam(*plan.semaphoresParam));
  context.semaphores = emitSemaphores(b, states);
}

void hopper::emitWarpgroups(const KernelContext &context,
                            const KernelPlan &plan,
                            function_ref<void()> emitProducers,
                            function_ref<void()> emitConsumers,
                            function_ref<void()> emitOthers) {
  DeviceBuilder &b = context.b;
  Value isProducer = b.isBelow(context.warp, b.i32(kWarpsPerWarpgroup));
  auto choice = scf::IfOp::create(b, isProducer, /*withElseRegion=*/true);
  LLVM::ReturnOp::create(b, ValueRange());
  b.setInsertionPoint(choice.thenYield());
  NVVM::SetMaxRegisterOp::create(b, plan.registers.producer,
                                 NVVM::SetMaxRegisterAction::decrease);
  emitProducers();
  b.setInsertionPoint(choice.elseYield());
  NVVM::SetMaxRegisterOp::create(b, plan.registers.consumer,
                                 NVVM::SetMaxRegisterAction::increase);
  if (!plan.otherWarpgroups)
    return emitConsumers();
  Value isConsumer = b.isBelow(context.getWarpgroup(), b.i32(plan.warpgroups));
  auto work = scf::IfOp::create(b, isConsumer, /*withElseRegion=*/true);
  b.setInsertionPoint(work.thenYield());
  emitConsumers();
  b.setInsertionPoint(work.elseYield());
  emitOthers();
}
