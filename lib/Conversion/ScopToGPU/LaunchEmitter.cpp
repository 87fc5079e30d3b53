//===- LaunchEmitter.cpp - One function for the kernels of a launch -------===//
//
// Part of Grout. The number of a block determines which kernel it runs. All
// blocks have the same number of threads. If a kernel needs fewer threads, the
// others do nothing, and no thread waits for them.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"

#include "EarlyLoads.h"
#include "grout/Target/TargetSpec.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

int64_t LaunchShape::getNumBlocks() const {
  return std::accumulate(blocks.begin(), blocks.end(), int64_t(0));
}

namespace {

/// Emits the code of one launch.
class LaunchEmitter {
public:
  LaunchEmitter(MutableArrayRef<MappedKernel> kernels, LLVM::LLVMFuncOp func,
                LaunchBuffers &buffers, const LaunchShape &shape,
                const TargetSpec &target, const TileSynchronisation &sync,
                function_ref<ArrayPlace(Value array)> getPlace)
      : kernels(kernels), func(func), buffers(buffers), shape(shape),
        target(target), sync(sync), getPlace(getPlace) {}

  LogicalResult emit();

private:
  /// Emits the code of kernels [first, last). The first of them begins with
  /// block `firstBlock`.
  LogicalResult emitRange(OpBuilder builder, size_t first, size_t last,
                          int64_t firstBlock);
  LogicalResult emitOne(OpBuilder builder, MappedKernel &kernel,
                        int64_t firstBlock);
  /// Moves loads that need not wait before `wait`.
  void loadEarly(Operation *wait);

  MutableArrayRef<MappedKernel> kernels;
  LLVM::LLVMFuncOp func;
  LaunchBuffers &buffers;
  const LaunchShape &shape;
  const TargetSpec &target;
  const TileSynchronisation &sync;
  function_ref<ArrayPlace(Value array)> getPlace;
  std::vector<SharedMemory> shared;
};

} // namespace

/// Emits a branch for `number` below `end`. If `hasElse`, it has a branch for
/// larger numbers.
static scf::IfOp emitBranch(OpBuilder &builder, Location loc, Value number,
                            int64_t end, bool hasElse) {
  Value limit =
      arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), end);
  Value isBelow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        number, limit);
  return scf::IfOp::create(builder, loc, isBelow, hasElse);
}

LogicalResult LaunchEmitter::emitOne(OpBuilder builder, MappedKernel &kernel,
                                     int64_t firstBlock) {
  Location loc = kernel.op.getLoc();
  std::optional<int64_t> threads;
  if (kernel.mapping.getThreads() != shape.threads) {
    threads = kernel.mapping.getThreads();
    Value thread =
        NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
    scf::IfOp branch =
        emitBranch(builder, loc, thread, *threads, /*hasElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  EmitContext ctx = {kernel.shape,
                     kernel.mapping,
                     func,
                     buffers,
                     sync,
                     getPlace,
                     ImplicitLocOpBuilder(loc, builder),
                     SharedMemory(func, threads),
                     findStreamedArrays(kernel.shape, target.cacheBytes),
                     firstBlock};
  if (failed(emitKernel(ctx)))
    return failure();
  if (int64_t bytes = ctx.shared.getBytes(); bytes > target.sharedMemory)
    return kernel.op.emitOpError()
           << "cannot be compiled for a GPU: its blocks need " << bytes
           << " bytes of shared memory, but have " << target.sharedMemory;
  shared.push_back(ctx.shared);
  return success();
}

LogicalResult LaunchEmitter::emitRange(OpBuilder builder, size_t first,
                                       size_t last, int64_t firstBlock) {
  if (last - first == 1)
    return emitOne(builder, kernels[first], firstBlock);
  size_t middle = (first + last) / 2;
  int64_t middleBlock = std::accumulate(
      shape.blocks.begin() + first, shape.blocks.begin() + middle, firstBlock);
  Location loc = func.getLoc();
  Value block = NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
  scf::IfOp branch =
      emitBranch(builder, loc, block, middleBlock, /*hasElse=*/true);
  return failure(failed(emitRange(branch.getThenBodyBuilder(), first, middle,
                                  firstBlock)) ||
                 failed(emitRange(branch.getElseBodyBuilder(), middle, last,
                                  middleBlock)));
}

void LaunchEmitter::loadEarly(Operation *wait) {
  SmallVector<Value> pointers;
  for (auto [number, buffer] : llvm::enumerate(buffers.getBuffers()))
    if (sync.isEarly(buffer))
      pointers.push_back(func.getArgument(number));
  moveLoadsBefore(wait, pointers);
}

LogicalResult LaunchEmitter::emit() {
  auto builder = ImplicitLocOpBuilder::atBlockBegin(func.getLoc(),
                                                    &func.getBody().front());
  Operation *wait = emitStart(builder, sync);
  if (failed(emitRange(builder, 0, kernels.size(), 0)))
    return failure();
  builder.setInsertionPointToEnd(&func.getBody().front());
  LLVM::ReturnOp::create(builder, func.getLoc(), ValueRange());
  if (shared.size() > 1)
    SharedMemory::overlay(func, shared);
  if (sync.programmatic.loadsEarly)
    loadEarly(wait);
  return success();
}

FailureOr<LaunchShape>
scop::emitLaunch(ArrayRef<KernelOp> kernels, Location loc, StringRef name,
                 gpu::GPUModuleOp module, LaunchBuffers &buffers,
                 const TargetSpec &target, const TileSynchronisation &sync,
                 function_ref<ArrayPlace(Value array)> getPlace) {
  std::vector<MappedKernel> mapped;
  LaunchShape shape;
  for (KernelOp kernel : kernels) {
    FailureOr<MappedKernel> one = mapKernel(kernel, target, [&](Value array) {
      const BufferView &view = getPlace(array).target;
      return StridedLayoutAttr::get(kernel.getContext(), view.offset,
                                    view.strides);
    });
    if (failed(one))
      return failure();
    one->shape.forEachGlobalAccess([&](const StridedAccess &access) {
      ArrayPlace place = getPlace(access.array);
      buffers.getIndex(place.source.buffer);
      buffers.getIndex(place.target.buffer);
    });
    kernel.walk([&](GatherOp gather) {
      buffers.getIndex(getPlace(gather.getArray()).source.buffer);
    });
    kernel.walk([&](ScatterOp scatter) {
      buffers.getIndex(getPlace(scatter.getArray()).target.buffer);
    });
    shape.threads = std::max(shape.threads, one->mapping.getThreads());
    shape.blocks.push_back(one->mapping.blocks);
    mapped.push_back(std::move(*one));
  }
  // The largest number of blocks of a grid.
  if (shape.getNumBlocks() > INT32_MAX)
    return emitError(loc) << "cannot be compiled for a GPU: a launch has "
                          << shape.getNumBlocks() << " blocks, of at most 2^31"
                          << " - 1";

  MLIRContext *context = module.getContext();
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(context);
  size_t numParams = buffers.getBuffers().size() + sync.getArgs(context).size();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(context), SmallVector<Type>(numParams, pointer));
  auto func = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                builder.getDenseI32ArrayAttr(
                    {static_cast<int32_t>(shape.threads), 1, 1}));
  func.addEntryBlock(builder);
  if (failed(LaunchEmitter(mapped, func, buffers, shape, target, sync, getPlace)
                 .emit()))
    return failure();
  return shape;
}
