//===- CPULaunchGenerator.cpp - Launches of tile bodies for CPUs ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/TGemmToCPU/CPULaunchGenerator.h"

#include "VerifyTileBody.h"
#include "grout/Support/ErrorWatch.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

CPULaunchGenerator::CPULaunchGenerator() {
  add(createProductBodyGenerator());
  add(createPartialSumsBodyGenerator());
  add(createGroupedProductBodyGenerator());
  add(createConv2dBodyGenerator());
  add(createAttentionBodyGenerator());
  add(createScopBodyGenerator());
  add(createLinalgBodyGenerator());
}

void CPULaunchGenerator::add(std::unique_ptr<TileBodyGenerator> generator) {
  generators.push_back(std::move(generator));
}

const TileBodyGenerator *CPULaunchGenerator::find(Operation *kernel) const {
  for (const std::unique_ptr<TileBodyGenerator> &generator : generators)
    if (generator->handles(kernel))
      return generator.get();
  return nullptr;
}

bool CPULaunchGenerator::handles(launch::TilesOp launch) const {
  return llvm::all_of(launch.getKernels(), [&](Operation *kernel) {
    return find(kernel) != nullptr;
  });
}

/// Returns the tile grid of `kernel`. A memory-bound kernel without tiles is a
/// single tile.
static FailureOr<SmallVector<int64_t>> getGrid(TileKernelOpInterface kernel) {
  FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
  if (succeeded(grid))
    return grid;
  if (kernel.runsWithoutTiles())
    return SmallVector<int64_t>();
  return kernel->emitOpError("cannot be compiled for the CPU: it has no tile "
                             "shape; run tgemm-assign-tiling or give it one");
}

/// Lets `generator` fill `body`, and checks the code.
static LogicalResult emitBody(const TileBodyGenerator &generator,
                              TileKernelOpInterface kernel,
                              LaunchTensors &tensors,
                              const SemaphoreLayout &layout,
                              CPUTileBody &body) {
  ErrorWatch watch(kernel->getContext());
  if (succeeded(generator.emit(kernel, tensors, layout, body)))
    return verifyTileBody(kernel, tensors, layout, body);
  if (watch.hasSeenError())
    return failure();
  return kernel->emitOpError("cannot be compiled for the CPU: the generator of "
                             "its tile body fails, and does not say why");
}

FailureOr<LaunchCode> CPULaunchGenerator::generate(launch::TilesOp launch,
                                                   LaunchTensors &tensors,
                                                   Operation *module,
                                                   const TargetSpec &) const {
  LaunchCode code;
  LaunchBuffers buffers;
  SemaphoreLayout layout(launch);
  SmallVector<TileKernelOpInterface> kernels = launch.getKernels();
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    FailureOr<SmallVector<int64_t>> grid = getGrid(kernel);
    if (failed(grid))
      return failure();
    std::string name = launch.getName().str();
    if (kernels.size() != 1)
      name += "_body" + std::to_string(index);
    CPUTileBody body(cast<ModuleOp>(module), name, kernel.getLoc(), *grid,
                     buffers);
    if (failed(emitBody(*find(kernel), kernel, tensors, layout, body)))
      return failure();
    code.exchange = find(kernel)->getExchange(kernel);
    // Tiles of one kernel are independent: without a given order, any order
    // will do.
    AffineMap order =
        AffineMap::getMultiDimIdentityMap(grid->size(), launch.getContext());
    if (std::optional<ArrayAttr> orders = launch.getOrder())
      order = cast<AffineMapAttr>((*orders)[index]).getValue();
    packGrid(*grid, order);
    code.entries.push_back(name);
    code.grids.push_back(*grid);
    code.order.push_back(order);
  }
  code.buffers = llvm::to_vector(buffers.getBuffers());
  code.args = buffers.getArgs(launch.getContext());
  code.residents = launch.getResidents();
  return code;
}
