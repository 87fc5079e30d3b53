//===- TGemmToCPU.cpp - Chains to tile bodies for the CPU -----------------===//
//
// Part of Grout. The code of a tile is in MatmulTileBody and LinalgTileBody;
// here are the launches around it.
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"

#include "grout/Conversion/Common/SymbolNames.h"
#include "grout/Conversion/Passes.h"
#include "grout/Conversion/ScopToCPU/ScopToCPU.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace grout {
#define GEN_PASS_DEF_CONVERTTGEMMTOCPU
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

//===----------------------------------------------------------------------===//
// What a kernel needs
//===----------------------------------------------------------------------===//

/// Checks that there is code for `kernel`.
static LogicalResult checkKernel(TileKernelOpInterface kernel) {
  if (failed(kernel.getTileGrid()))
    return kernel->emitError("cannot be compiled for the CPU: it has no tile "
                             "shape; run tgemm-assign-tiling or give it one");
  if (auto matmul = dyn_cast<tgemm::MatmulOp>(kernel.getOperation()))
    return checkMatmul(matmul);
  if (auto parts = dyn_cast<tgemm::PartialSumsOp>(kernel.getOperation()))
    return success(succeeded(getProduct(parts)));
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(kernel.getOperation()))
    return checkLinalg(linalgOp);
  return kernel->emitError() << "cannot be compiled for the CPU: there is no "
                                "code for a tile of '"
                             << kernel->getName() << "'";
}

/// The value of all elements of `tensor`, if it is a splat or filled with a
/// constant, or a view of such a tensor; null otherwise.
static TypedAttr getSplat(Value tensor) {
  while (auto *view = tensor.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(view))
      break;
    tensor = view->getOperand(0);
  }
  Attribute value;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>()) {
    if (matchPattern(fill.value(), m_Constant(&value)))
      return dyn_cast<TypedAttr>(value);
    return {};
  }
  if (matchPattern(tensor, m_Constant(&value)))
    if (auto splat = dyn_cast<SplatElementsAttr>(value))
      return splat.getSplatValue<TypedAttr>();
  return {};
}

static FailureOr<KernelTensors> getTensors(TileKernelOpInterface kernel,
                                           PlanBuilder &plan) {
  KernelTensors tensors;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(kernel.getOperation());
  for (OpOperand &operand : kernel->getOpOperands()) {
    KernelOperand &read = tensors.operands.emplace_back();
    if (linalgOp) {
      if (!linalgOp.payloadUsesValueFromOperand(&operand))
        continue;
      if (!isa<RankedTensorType>(operand.get().getType())) {
        Attribute value;
        if (!matchPattern(operand.get(), m_Constant(&value)))
          return kernel->emitError()
                 << "cannot be compiled for the CPU: scalar operand "
                 << operand.getOperandNumber() << " is not a constant";
        read.splat = cast<TypedAttr>(value);
        continue;
      }
      read.splat = getSplat(operand.get());
      if (read.splat)
        continue;
    }
    FailureOr<BufferView> view = plan.getView(operand.get(), kernel);
    if (failed(view))
      return failure();
    read.view = *view;
  }
  for (Value result : kernel->getResults()) {
    FailureOr<BufferView> view = plan.getView(result, kernel);
    if (failed(view))
      return failure();
    tensors.results.push_back(*view);
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {

/// Converts one function.
class FunctionEmitter {
public:
  FunctionEmitter(func::FuncOp func, PlanBuilder &plan)
      : symbol(getSymbolSafeName(func.getSymName())), plan(plan),
        kernels(createModule(func)) {}

  LogicalResult emitChain(tsync::ChainOp chain);
  /// A kernel that is in no chain.
  LogicalResult emitLaunch(scop::KernelOp kernel);

private:
  static ModuleOp createModule(func::FuncOp func);

  /// Adds the body of `kernel` to `launch`.
  LogicalResult emitKernel(TileKernelOpInterface kernel,
                           const SemaphoreLayout &layout,
                           LaunchBuffers &buffers, PlanBuilder::Launch &launch);
  LogicalResult emitScopKernel(scop::KernelOp kernel,
                               const SemaphoreLayout &layout,
                               LaunchBuffers &buffers,
                               PlanBuilder::Launch &launch);
  void addLaunch(Location loc, StringRef name, LaunchBuffers &buffers,
                 PlanBuilder::Launch &launch);
  LogicalResult emitPersistent(tsync::ChainOp chain);
  LogicalResult emitSerial(tsync::ChainOp chain);

  std::string symbol;
  PlanBuilder &plan;
  ModuleOp kernels;
  unsigned numKernels = 0, numChains = 0;
};

struct ConvertTGemmToCPU
    : grout::impl::ConvertTGemmToCPUBase<ConvertTGemmToCPU> {
  using Base::Base;

  void runOnOperation() override {
    for (auto func : llvm::make_early_inc_range(
             getOperation().getBody()->getOps<func::FuncOp>()))
      if (!func.isExternal() && failed(convert(func)))
        return signalPassFailure();
  }

  LogicalResult convert(func::FuncOp func) {
    FailureOr<PlanBuilder> plan = PlanBuilder::create(func);
    if (failed(plan))
      return failure();
    FunctionEmitter emitter(func, *plan);
    // Launches in the order of the function.
    for (Operation &op : func.getBody().front()) {
      LogicalResult emitted = success();
      if (auto chain = dyn_cast<tsync::ChainOp>(op))
        emitted = emitter.emitChain(chain);
      else if (auto kernel = dyn_cast<scop::KernelOp>(op))
        emitted = emitter.emitLaunch(kernel);
      if (failed(emitted))
        return failure();
    }
    plan->finish();
    return success();
  }
};

} // namespace

ModuleOp FunctionEmitter::createModule(func::FuncOp func) {
  OpBuilder builder(func);
  return ModuleOp::create(builder, func.getLoc(),
                          (func.getSymName() + "_kernels").str());
}

LogicalResult FunctionEmitter::emitKernel(TileKernelOpInterface kernel,
                                          const SemaphoreLayout &layout,
                                          LaunchBuffers &buffers,
                                          PlanBuilder::Launch &launch) {
  if (auto scopKernel = dyn_cast<scop::KernelOp>(kernel.getOperation()))
    return emitScopKernel(scopKernel, layout, buffers, launch);
  if (failed(checkKernel(kernel)))
    return failure();
  FailureOr<KernelTensors> tensors = getTensors(kernel, plan);
  if (failed(tensors))
    return failure();

  SmallVector<int64_t> grid = *kernel.getTileGrid();
  std::string name = symbol + "_kernel" + std::to_string(numKernels++);
  CPUTileBody body(kernels, name, kernel.getLoc(), grid, buffers);
  if (auto matmul = dyn_cast<tgemm::MatmulOp>(kernel.getOperation()))
    emitMatmulTile(matmul, *tensors, layout, body);
  else if (auto parts = dyn_cast<tgemm::PartialSumsOp>(kernel.getOperation()))
    emitPartTile(parts, *tensors, layout, body);
  else
    emitLinalgTile(cast<linalg::LinalgOp>(kernel.getOperation()), *tensors,
                   layout, body);

  launch.entries.push_back(name);
  launch.grids.push_back(grid);
  return success();
}

LogicalResult FunctionEmitter::emitScopKernel(scop::KernelOp kernel,
                                              const SemaphoreLayout &layout,
                                              LaunchBuffers &buffers,
                                              PlanBuilder::Launch &launch) {
  // A kernel without tiles is one.
  SmallVector<int64_t> grid;
  if (kernel.getTileSizes())
    grid = *kernel.getTileGrid();
  std::string name = symbol + "_kernel" + std::to_string(numKernels++);
  CPUTileBody body(kernels, name, kernel.getLoc(), grid, buffers);
  KernelSync sync(kernel, layout, body, [](unsigned) { return true; });
  sync.emitBeforeSteps(body.builder);
  if (failed(scop::emitTile(kernel, plan, body)))
    return failure();
  sync.emitPosts(body.builder);
  launch.entries.push_back(name);
  launch.grids.push_back(grid);
  return success();
}

void FunctionEmitter::addLaunch(Location loc, StringRef name,
                                LaunchBuffers &buffers,
                                PlanBuilder::Launch &launch) {
  launch.name = name.str();
  launch.module = kernels.getSymName()->str();
  launch.buffers = llvm::to_vector(buffers.getBuffers());
  launch.args = buffers.getArgs(kernels.getContext());
  for (auto [grid, order] : llvm::zip_equal(launch.grids, launch.order))
    packGrid(grid, order);
  plan.addLaunch(loc, launch);
}

LogicalResult FunctionEmitter::emitPersistent(tsync::ChainOp chain) {
  std::optional<ArrayAttr> order = chain.getOrder();
  if (!order)
    return chain.emitOpError("has no tile order; run tsync-assign-order");
  FailureOr<SemaphoreLayout> layout = SemaphoreLayout::get(chain);
  if (failed(layout))
    return failure();
  PlanBuilder::Launch launch;
  LaunchBuffers buffers;
  for (TileKernelOpInterface kernel : chain.getKernels())
    if (failed(emitKernel(kernel, *layout, buffers, launch)))
      return failure();
  for (Attribute map : *order)
    launch.order.push_back(cast<AffineMapAttr>(map).getValue());
  launch.semaphores = layout->getNumSemaphores();
  launch.residents = layout->getResidents();
  addLaunch(chain.getLoc(), symbol + "_chain" + std::to_string(numChains++),
            buffers, launch);
  return success();
}

LogicalResult FunctionEmitter::emitSerial(tsync::ChainOp chain) {
  FailureOr<SemaphoreLayout> layout = SemaphoreLayout::get(chain);
  if (failed(layout))
    return failure();
  std::optional<ArrayAttr> order = chain.getOrder();
  if (!order && chain.isSynchronisedByTile())
    return chain.emitOpError("has no tile order; run tsync-assign-order");
  unsigned position = 0;
  for (ArrayRef<TileKernelOpInterface> ofLaunch : chain.getLaunches()) {
    PlanBuilder::Launch launch;
    LaunchBuffers buffers;
    for (TileKernelOpInterface kernel : ofLaunch) {
      if (failed(emitKernel(kernel, *layout, buffers, launch)))
        return failure();
      // Tiles of one kernel are independent: without an order, any will do.
      launch.order.push_back(
          order ? cast<AffineMapAttr>((*order)[position]).getValue()
                : AffineMap::getMultiDimIdentityMap(launch.grids[0].size(),
                                                    chain.getContext()));
      ++position;
    }
    if (ofLaunch.size() > 1) {
      launch.semaphores = layout->getNumSemaphores();
      launch.residents = layout->getResidents();
    }
    std::string name = launch.entries.back();
    addLaunch(TileKernelOpInterface(ofLaunch.back()).getLoc(), name, buffers,
              launch);
  }
  return success();
}

LogicalResult FunctionEmitter::emitLaunch(scop::KernelOp kernel) {
  PlanBuilder::Launch launch;
  LaunchBuffers buffers;
  if (failed(emitScopKernel(kernel, SemaphoreLayout(), buffers, launch)))
    return failure();
  launch.order.push_back(AffineMap::getMultiDimIdentityMap(
      launch.grids[0].size(), kernel.getContext()));
  std::string name = launch.entries[0];
  addLaunch(kernel.getLoc(), name, buffers, launch);
  return success();
}

LogicalResult FunctionEmitter::emitChain(tsync::ChainOp chain) {
  for (tsync::DependenceOp dependence : chain.getDependences())
    if (tsync::Mode mode = dependence.getEffectiveMode();
        startsEarly(getLaunchWait(mode)))
      return dependence.emitOpError()
             << "cannot be compiled for the CPU: it has no programmatic "
                "dependent launch, as mode "
             << stringifyMode(mode) << " needs; use serial";
  if (startsEarly(getLaunchWait(chain.getMode())))
    return chain.emitOpError()
           << "cannot be compiled for the CPU: it has no programmatic "
              "dependent launch, as mode "
           << stringifyMode(chain.getMode())
           << " needs; use serial or persistent";
  return chain.getMode() == tsync::Mode::persistent ? emitPersistent(chain)
                                                    : emitSerial(chain);
}
