//===- TGemmToNVVM.cpp - Chains of tgemm ops to Hopper kernels ------------===//
//
// Part of Grout. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "TileKernel.h"
#include "grout/Analysis/TileProgram.h"
#include "grout/Conversion/Common/GPUModule.h"
#include "grout/Conversion/Common/SymbolNames.h"
#include "grout/Conversion/Passes.h"
#include "grout/Conversion/ScopToGPU/ScopToGPU.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace grout {
#define GEN_PASS_DEF_CONVERTTGEMMTONVVM
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// The dynamic shared memory of a kernel module.
static constexpr StringLiteral kSharedMemory = "grout_shared";
/// Its alignment in bytes, that of 8 rows of 128 swizzled bytes.
static constexpr int64_t kSharedAlignment = 1024;

/// Creates the module of a chain's kernels after `func`.
static gpu::GPUModuleOp createKernelModule(func::FuncOp func,
                                           SymbolTable &symbols,
                                           const TargetSpec &target) {
  OpBuilder builder(func.getContext());
  gpu::GPUModuleOp module = createGPUModule(
      builder, func.getLoc(), (func.getName() + "_kernels").str(), target);
  symbols.insert(module, std::next(func->getIterator()));

  builder.setInsertionPointToStart(module.getBody());
  LLVM::GlobalOp::create(
      builder, func.getLoc(), LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
      /*isConstant=*/false, LLVM::Linkage::External, kSharedMemory, Attribute(),
      kSharedAlignment, static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  return module;
}

/// The tile order of kernel `index` of `chain`, or, in a chain that needs none,
/// row-major order.
static FailureOr<AffineMap> getOrder(tsync::ChainOp chain, unsigned index,
                                     unsigned rank) {
  if (std::optional<ArrayAttr> order = chain.getOrder())
    return cast<AffineMapAttr>((*order)[index]).getValue();
  if (!chain.isSynchronisedByTile())
    return AffineMap::getMultiDimIdentityMap(rank, chain.getContext());
  return chain.emitOpError("cannot be compiled: it has no tile order; run "
                           "tsync-assign-order");
}

namespace {

struct ConvertTGemmToNVVM
    : grout::impl::ConvertTGemmToNVVMBase<ConvertTGemmToNVVM> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> gpu = getGPU(getOperation());
    if (failed(gpu))
      return signalPassFailure();
    target = (*gpu)->getSpec();
    hasProducts = (*gpu)->getInterface<tgemm::ProductModel>() != nullptr;
    SymbolTable symbols(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      bool hasChains = !func.getBody().empty() &&
                       !func.getBody().getOps<tsync::ChainOp>().empty();
      if (hasChains && failed(convertFunction(func, symbols)))
        return signalPassFailure();
    }
  }

private:
  LogicalResult convertFunction(func::FuncOp func, SymbolTable &symbols) {
    FailureOr<PlanBuilder> plan = PlanBuilder::create(func);
    if (failed(plan))
      return failure();
    // Launches in the order of the function.
    unsigned numChains = 0, numScopLaunches = 0;
    for (Operation &op : func.getBody().front()) {
      if (auto chain = dyn_cast<tsync::ChainOp>(op)) {
        if (failed(convertChain(func, chain, numChains++, *plan, symbols)))
          return failure();
      } else if (isa<scop::KernelOp, scop::LaunchOp>(op)) {
        std::string name = getSymbolSafeName(func.getName()) + "_scop" +
                           std::to_string(numScopLaunches++);
        if (failed(scop::addScopLaunch(
                &op, name, *plan, createKernelModule(func, symbols, target),
                target)))
          return failure();
      }
    }
    symbols.remove(func);
    plan->finish();
    return success();
  }

  LogicalResult convertChain(func::FuncOp func, tsync::ChainOp chain,
                             unsigned chainIndex, PlanBuilder &plan,
                             SymbolTable &symbols) {
    FailureOr<SemaphoreLayout> layout = SemaphoreLayout::get(chain);
    if (failed(layout))
      return failure();
    bool isPersistent = chain.getMode() == tsync::Mode::persistent;
    llvm::DenseMap<Operation *, AffineMap> order;
    for (auto [index, kernel] : llvm::enumerate(chain.getKernels())) {
      bool isScop = isa<scop::KernelOp>(kernel);
      if (!isPersistent && isScop)
        continue;
      if (!isa<tgemm::MatmulOp, tgemm::PartialSumsOp>(kernel))
        return kernel->emitError()
               << "cannot be compiled for " << target.name << ": '"
               << kernel->getName() << "' has no kernel for it"
               << (isScop ? " in mode persistent" : "");
      if (!isScop && !hasProducts)
        return kernel->emitError()
               << "cannot be compiled for " << target.name
               << ": it multiplies matrices, and there are no kernels for that";
      unsigned rank =
          isa<tgemm::PartialSumsOp>(kernel)
              ? 3
              : cast<RankedTensorType>(kernel->getResult(0).getType())
                    .getRank();
      FailureOr<AffineMap> map = getOrder(chain, index, rank);
      if (failed(map))
        return failure();
      order[kernel] = *map;
    }

    gpu::GPUModuleOp module = createKernelModule(func, symbols, target);
    std::string name = getSymbolSafeName(func.getName()) + "_chain" +
                       std::to_string(chainIndex);
    for (auto [index, kernels] : llvm::enumerate(chain.getLaunches())) {
      std::string ofLaunch =
          isPersistent ? name : name + "_kernel" + std::to_string(index);
      if (auto scopKernel = dyn_cast<scop::KernelOp>(*kernels.front())) {
        if (failed(scop::addScopLaunch(scopKernel, ofLaunch, plan, module,
                                       target, *layout)))
          return failure();
        continue;
      }
      SmallVector<AffineMap> orders;
      for (TileKernelOpInterface kernel : kernels)
        orders.push_back(order.lookup(kernel));
      if (failed(convertKernel(chain, ofLaunch, kernels, orders, *layout, plan,
                               module)))
        return failure();
    }
    return success();
  }

  /// Makes one kernel of `ops`, and its launch.
  LogicalResult convertKernel(tsync::ChainOp chain, StringRef name,
                              ArrayRef<TileKernelOpInterface> ops,
                              ArrayRef<AffineMap> order,
                              const SemaphoreLayout &layout, PlanBuilder &plan,
                              gpu::GPUModuleOp module) {
    FailureOr<KernelPlan> kernel = planKernel(name, ops, layout, plan, target);
    if (failed(kernel))
      return failure();
    if (kernel->hasFixedTasks)
      kernel->taskDims = getOrderOfDims(order.front(), kernel->bodies[0].grid);
    Location loc = chain.getLoc();
    if (chain.getMode() != tsync::Mode::persistent || ops.size() == 1)
      loc = ops.back()->getLoc();
    OpBuilder builder(module.getBody(), module.getBody()->end());
    emitTileKernel(builder, loc, *kernel, kSharedMemory);

    PlanBuilder::Launch launch;
    launch.name = kernel->name;
    launch.module = module.getName().str();
    launch.entries = {kernel->name};
    launch.buffers = kernel->buffers;
    launch.args = kernel->args;
    for (const BodyPlan &body : kernel->bodies)
      launch.grids.push_back(body.grid);
    launch.order = llvm::to_vector(order);
    if (kernel->programmatic.startsEarly())
      launch.edge = launch::Edge::programmatic;
    // Further launches of the chain use those of the first that uses any.
    bool usesSemaphores = llvm::any_of(ops, [&](TileKernelOpInterface op) {
      return layout.usesSemaphores(op);
    });
    if (usesSemaphores && !kernel->semaphoresParam)
      launch.semaphores = layout.getNumSemaphores();
    launch.residents = layout.getResidents();
    launch.block = kernel->getBlockSize();
    launch.cluster = kernel->clusterSize;
    launch.sharedMemory = kernel->sharedBytes;
    launch.blocksPerProcessor =
        kernel->getBlocksPerProcessor(target.sharedMemory);
    plan.addLaunch(loc, launch);
    return success();
  }

  TargetSpec target;
  /// Whether the target has kernels for matrix products.
  bool hasProducts = false;
};

} // namespace
