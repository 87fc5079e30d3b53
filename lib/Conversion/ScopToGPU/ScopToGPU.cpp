//===- ScopToGPU.cpp - Scheduled kernels to kernels for GPUs --------------===//
//
// Part of Grout. See docs/ScopKernels.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/ScopToGPU/ScopToGPU.h"

#include "LaunchEmitter.h"
#include "grout/Conversion/Common/GPUModule.h"
#include "grout/Conversion/Common/SymbolNames.h"
#include "grout/Conversion/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace grout {
#define GEN_PASS_DEF_CONVERTSCOPTOGPU
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Whether a statement of the kernel reads what `array` has at first. A
/// statement that writes it writes all of it, or is refused.
static bool needsInitialValue(KernelOp kernel, BlockArgument array) {
  for (StmtOp statement : kernel.getStatements()) {
    if (statement.reads(array))
      return true;
    if (statement.writes(array))
      return false;
  }
  return false;
}

static bool isWritten(KernelOp kernel, BlockArgument array) {
  return llvm::any_of(kernel.getStatements(), [&](StmtOp statement) {
    return statement.writes(array);
  });
}

/// Whether a launch comes later that may start early.
static bool hasLaunchBehind(Operation *op) {
  Operation *later = op->getNextNode();
  while (later && !isa<KernelOp, LaunchOp>(later))
    later = later->getNextNode();
  return later != nullptr;
}

/// How `op`, a kernel or several, keeps to the launches of the plan, and, in a
/// chain with the semaphores `layout`, to their tiles.
static TileSynchronisation getSynchronisation(Operation *op,
                                              const PlanBuilder &plan,
                                              const SemaphoreLayout &layout,
                                              const TargetSpec &target) {
  TileSynchronisation sync;
  auto chain = op->getParentOfType<tsync::ChainOp>();
  if (!chain) {
    if (!target.hasProgrammaticLaunch)
      return sync;
    sync.programmatic.waitsAtEntry = true;
    sync.programmatic.hasEarlySuccessor = hasLaunchBehind(op);
    return sync;
  }
  auto kernel = cast<TileKernelOpInterface>(op);
  sync.programmatic = ProgrammaticLaunch::get(kernel, target);
  for (const SemaphoreWait &wait : layout.getWaits(kernel))
    sync.waits.push_back(wait.inBlocks());
  sync.posts = llvm::to_vector(layout.getPosts(kernel));
  SmallVector<TileKernelOpInterface> kernels = chain.getKernels();
  sync.body = llvm::find(kernels, kernel) - kernels.begin();
  sync.semaphoresLaunch = plan.getSemaphoresLaunch(kernel, layout);
  return sync;
}

/// Warns if the tile order of `kernel` is not that of blocks.
static void checkOrder(KernelOp kernel) {
  auto chain = kernel->getParentOfType<tsync::ChainOp>();
  if (!chain || !chain.getOrder())
    return;
  SmallVector<TileKernelOpInterface> kernels = chain.getKernels();
  size_t position =
      llvm::find(kernels, TileKernelOpInterface(kernel)) - kernels.begin();
  AffineMap order =
      cast<AffineMapAttr>((*chain.getOrder())[position]).getValue();
  unsigned next = 0;
  for (AffineExpr time : order.getResults()) {
    if (isa<AffineConstantExpr>(time))
      continue;
    if (time == getAffineDimExpr(next++, kernel.getContext()))
      continue;
    kernel.emitWarning("the tiles of a memory-bound kernel start in row-major "
                       "order on a GPU, not as ")
        << AffineMapAttr::get(order) << " says";
    return;
  }
}

/// Where an array of a kernel's body is.
using ArrayPlaces = llvm::DenseMap<Value, ArrayPlace>;

/// Adds those of `kernel` to `places`.
static LogicalResult findPlaces(KernelOp kernel, PlanBuilder &plan,
                                ArrayPlaces &places) {
  for (OpOperand &operand : kernel->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()))
      return kernel.emitOpError()
             << "cannot be compiled for a GPU: operand "
             << operand.getOperandNumber() << " is " << operand.get().getType()
             << ", not a tensor";
    BlockArgument array = kernel.getArgument(operand);
    if (kernel.isOutput(array) && !isWritten(kernel, array))
      return kernel.emitOpError()
             << "cannot be compiled for a GPU: no statement writes operand "
             << operand.getOperandNumber() << ", an output";
    ArrayPlace place;
    if (kernel.isOutput(array)) {
      FailureOr<BufferView> target =
          plan.getView(kernel.getTiedOpResult(&operand), kernel);
      if (failed(target))
        return failure();
      place.source = place.target = *target;
    }
    if (!kernel.isOutput(array) || needsInitialValue(kernel, array)) {
      FailureOr<BufferView> source = plan.getView(operand.get(), kernel);
      if (failed(source))
        return failure();
      place.source = *source;
      if (!kernel.isOutput(array))
        place.target = *source;
      // One access is both read and written.
      if (source->offset != place.target.offset ||
          source->strides != place.target.strides)
        return kernel.emitOpError()
               << "cannot be compiled for a GPU: operand "
               << operand.getOperandNumber()
               << " is a part of a tensor, but the result is not";
    }
    places[array] = place;
  }
  return success();
}

LogicalResult scop::addScopLaunch(Operation *op, StringRef baseName,
                                  PlanBuilder &plan, gpu::GPUModuleOp module,
                                  const TargetSpec &target,
                                  const SemaphoreLayout &layout) {
  SmallVector<KernelOp> kernels = getLaunchedKernels(op);
  ArrayPlaces places;
  for (KernelOp kernel : kernels) {
    checkOrder(kernel);
    if (failed(findPlaces(kernel, plan, places)))
      return failure();
  }
  std::string name = baseName.str();
  if (kernels.size() != 1)
    name += "_and_" + std::to_string(kernels.size() - 1) + "_more";
  LaunchBuffers buffers;
  TileSynchronisation sync = getSynchronisation(op, plan, layout, target);
  FailureOr<LaunchShape> shape =
      emitLaunch(kernels, op->getLoc(), name, module, buffers, target, sync,
                 [&](Value array) { return places.at(array); });
  if (failed(shape))
    return failure();
  PlanBuilder::Launch launch;
  if (sync.programmatic.startsEarly())
    launch.edge = launch::Edge::programmatic;
  // Further launches of a chain use those of the first that uses any.
  if (sync.usesSemaphores() && !sync.semaphoresLaunch)
    launch.semaphores = layout.getNumSemaphores();
  launch.name = name;
  launch.module = module.getName().str();
  launch.entries = {name};
  llvm::append_range(launch.buffers, buffers.getBuffers());
  launch.args = buffers.getArgs(op->getContext());
  llvm::append_range(launch.args, sync.getArgs(op->getContext()));
  launch.grids = {{shape->getNumBlocks()}};
  if (kernels.size() != 1)
    launch.parts = shape->blocks;
  launch.block = shape->threads;
  plan.addLaunch(op->getLoc(), launch);
  return success();
}

namespace {

struct ConvertScopToGPU : grout::impl::ConvertScopToGPUBase<ConvertScopToGPU> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getGPU(getOperation());
    if (failed(target))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      // Those with chains are converted with these.
      bool isOurs =
          !func.isExternal() && func.getBody().getOps<tsync::ChainOp>().empty();
      if (isOurs &&
          failed(convertFunction(func, symbols, (*target)->getSpec())))
        return signalPassFailure();
    }
  }

private:
  LogicalResult convertFunction(func::FuncOp func, SymbolTable &symbols,
                                const TargetSpec &spec) {
    FailureOr<PlanBuilder> plan = PlanBuilder::create(func);
    if (failed(plan))
      return failure();
    OpBuilder builder(func.getContext());
    gpu::GPUModuleOp module = createGPUModule(
        builder, func.getLoc(), (func.getName() + "_kernels").str(), spec);
    symbols.insert(module, std::next(func->getIterator()));
    for (auto [index, op] : llvm::enumerate(plan->getScopLaunches()))
      if (failed(addScopLaunch(op,
                               getSymbolSafeName(func.getName()) + "_kernel" +
                                   std::to_string(index),
                               *plan, module, spec)))
        return failure();
    symbols.remove(func);
    plan->finish();
    return success();
  }
};

} // namespace
