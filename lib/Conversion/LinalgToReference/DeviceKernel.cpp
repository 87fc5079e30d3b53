//===- DeviceKernel.cpp - A reference kernel for a GPU --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ReferenceKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::reference;

static constexpr int64_t kThreads = 256;

/// Starts the function of a kernel that takes `numBuffers` addresses.
static LLVM::LLVMFuncOp createFunction(const ReferenceKernel &kernel,
                                       gpu::GPUModuleOp module,
                                       unsigned numBuffers) {
  MLIRContext *context = module.getContext();
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(context), SmallVector<Type>(numBuffers, pointer));
  auto func = LLVM::LLVMFuncOp::create(builder, kernel.loc, kernel.name, type);
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                builder.getDenseI32ArrayAttr({kThreads}));
  return func;
}

/// The number of this thread in the launch, as an index.
static Value emitThreadNumber(OpBuilder &builder, Location loc) {
  Type i32 = builder.getI32Type(), index = builder.getIndexType();
  Value block = NVVM::BlockIdXOp::create(builder, loc, i32);
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, i32);
  block = arith::IndexCastUIOp::create(builder, loc, index, block);
  thread = arith::IndexCastUIOp::create(builder, loc, index, thread);
  Value threads = arith::ConstantIndexOp::create(builder, loc, kThreads);
  Value first = arith::MulIOp::create(builder, loc, block, threads);
  return arith::AddIOp::create(builder, loc, first, thread);
}

KernelLaunch reference::emitDeviceKernel(const ReferenceKernel &kernel,
                                         gpu::GPUModuleOp module) {
  KernelLaunch launch;
  launch.block = kThreads;
  for (ArrayRef<TensorAccess> accesses :
       {ArrayRef(kernel.inputs), ArrayRef(kernel.inits),
        ArrayRef(kernel.outputs)})
    for (const TensorAccess &access : accesses)
      if (access.tensor.buffer)
        launch.buffers.getIndex(access.tensor.buffer);
  for (const auto &[tensor, gathered] : kernel.gathered)
    if (gathered.buffer)
      launch.buffers.getIndex(gathered.buffer);

  Location loc = kernel.loc;
  LLVM::LLVMFuncOp func =
      createFunction(kernel, module, launch.buffers.getBuffers().size());
  OpBuilder builder(func.getContext());
  Block *entry = func.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);

  SmallVector<unsigned> parallel =
      kernel.getLoops(utils::IteratorType::parallel);
  int64_t elements = 1;
  for (unsigned loop : parallel)
    elements *= kernel.extents[loop];
  launch.grid = {static_cast<int64_t>(llvm::divideCeil(elements, kThreads))};

  Value number = emitThreadNumber(builder, loc);
  Value count = arith::ConstantIndexOp::create(builder, loc, elements);
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       number, count);
  auto guard =
      scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
  LLVM::ReturnOp::create(builder, loc, ValueRange());

  builder.setInsertionPointToStart(guard.thenBlock());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> point(kernel.extents.size(), zero);
  for (unsigned loop : llvm::reverse(parallel)) {
    Value extent =
        arith::ConstantIndexOp::create(builder, loc, kernel.extents[loop]);
    point[loop] = arith::RemUIOp::create(builder, loc, number, extent);
    number = arith::DivUIOp::create(builder, loc, number, extent);
  }
  auto getAddress = [&](Value buffer) -> Value {
    return func.getArgument(launch.buffers.getIndex(buffer));
  };
  KernelLoops(kernel, getAddress).emitElement(builder, point);
  return launch;
}
