//===- CPULaunchGenerator.cpp - Tile kernels as code for CPUs -------------===//
//
// Part of Grout. The code of a tile is in MatmulTileBody, LinalgTileBody and
// ScopTileBody; here are the launches around it.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/TGemmToCPU/CPULaunchGenerator.h"

#include "KernelCode.h"
#include "grout/Conversion/ScopToCPU/ScopToCPU.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

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
  return success();
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
                                           LaunchTensors &launchTensors) {
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
    FailureOr<BufferView> view = launchTensors.getView(operand.get(), kernel);
    if (failed(view))
      return failure();
    read.view = *view;
  }
  for (Value result : kernel->getResults()) {
    FailureOr<BufferView> view = launchTensors.getView(result, kernel);
    if (failed(view))
      return failure();
    tensors.results.push_back(*view);
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Fills `body` with the work of one tile of `kernel`.
static LogicalResult emitTile(TileKernelOpInterface kernel,
                              LaunchTensors &launchTensors,
                              const SemaphoreLayout &layout,
                              CPUTileBody &body) {
  if (auto scopKernel = dyn_cast<scop::KernelOp>(kernel.getOperation())) {
    KernelSync sync(kernel, layout, body, [](unsigned) { return true; });
    sync.emitBeforeSteps(body.builder);
    if (failed(scop::emitTile(scopKernel, launchTensors, body)))
      return failure();
    sync.emitPosts(body.builder);
    return success();
  }
  FailureOr<KernelTensors> tensors = getTensors(kernel, launchTensors);
  if (failed(tensors))
    return failure();
  if (auto matmul = dyn_cast<tgemm::MatmulOp>(kernel.getOperation()))
    emitMatmulTile(matmul, *tensors, layout, body);
  else if (auto parts = dyn_cast<tgemm::PartialSumsOp>(kernel.getOperation()))
    emitPartTile(parts, *tensors, layout, body);
  else
    emitLinalgTile(cast<linalg::LinalgOp>(kernel.getOperation()), *tensors,
                   layout, body);
  return success();
}

bool CPULaunchGenerator::handles(launch::TilesOp launch) const {
  return llvm::all_of(launch.getKernels(), [](Operation *kernel) {
    return isa<tgemm::MatmulOp, tgemm::PartialSumsOp, scop::KernelOp,
               linalg::LinalgOp>(kernel);
  });
}

FailureOr<LaunchCode>
CPULaunchGenerator::generate(launch::TilesOp launch, LaunchTensors &tensors,
                             Operation *module,
                             const TargetSpec &target) const {
  LaunchCode code;
  LaunchBuffers buffers;
  SemaphoreLayout layout(launch);
  SmallVector<TileKernelOpInterface> kernels = launch.getKernels();
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    // A memory-bound kernel without tiles is one.
    SmallVector<int64_t> grid;
    if (!kernel.runsWithoutTiles() || succeeded(kernel.getTileGrid())) {
      if (failed(checkKernel(kernel)))
        return failure();
      grid = *kernel.getTileGrid();
    }
    std::string name = launch.getName().str();
    if (kernels.size() != 1)
      name += "_body" + std::to_string(index);
    CPUTileBody body(cast<ModuleOp>(module), name, kernel.getLoc(), grid,
                     buffers);
    if (failed(emitTile(kernel, tensors, layout, body)))
      return failure();
    // Tiles of one kernel are independent: without an order, any will do.
    AffineMap order =
        AffineMap::getMultiDimIdentityMap(grid.size(), launch.getContext());
    if (std::optional<ArrayAttr> orders = launch.getOrder())
      order = cast<AffineMapAttr>((*orders)[index]).getValue();
    packGrid(grid, order);
    code.entries.push_back(name);
    code.grids.push_back(grid);
    code.order.push_back(order);
  }
  code.buffers = llvm::to_vector(buffers.getBuffers());
  code.args = buffers.getArgs(launch.getContext());
  code.residents = launch.getResidents();
  return code;
}
