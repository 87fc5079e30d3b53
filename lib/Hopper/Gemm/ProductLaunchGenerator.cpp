//===- ProductLaunchGenerator.cpp - GEMMs as Hopper kernels ---------------===//
//
// Part of Grout. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Gemm/ProductLaunchGenerator.h"

#include "GemmKernel.h"
#include "grout/Analysis/TileProgram.h"
#include "grout/Dialect/TGemm/Transforms/EdgeModel.h"
#include "grout/Hopper/Gemm/GemmKernels.h"
#include "grout/Hopper/Gemm/GemmPlan.h"
#include "grout/Hopper/Kit/Wgmma.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Returns the tile orders of the tile kernels of `launch`: its own, or
/// row-major.
static SmallVector<AffineMap> getOrders(launch::TilesOp launch,
                                        const GemmPlan &kernel) {
  SmallVector<AffineMap> orders;
  if (std::optional<ArrayAttr> order = launch.getOrder())
    for (auto map : order->getAsRange<AffineMapAttr>())
      orders.push_back(map.getValue());
  else
    for (const BodyPlan &body : kernel.bodies)
      orders.push_back(AffineMap::getMultiDimIdentityMap(body.grid.size(),
                                                         launch.getContext()));
  return orders;
}

ProductLaunchGenerator::ProductLaunchGenerator() {
  add(std::make_unique<MatrixLoader>());
  add(std::make_unique<Conv2dLoader>());
  add(std::make_unique<Wgmma>());
}

void ProductLaunchGenerator::add(std::unique_ptr<OperandLoader> loader) {
  loaders.push_back(std::move(loader));
}

void ProductLaunchGenerator::add(std::unique_ptr<Mma> mma) {
  mmas.push_back(std::move(mma));
}

const Mma *ProductLaunchGenerator::find(FloatType type) const {
  for (const std::unique_ptr<Mma> &mma : llvm::reverse(mmas))
    if (mma->findTraits(type))
      return mma.get();
  return nullptr;
}

const OperandLoader *ProductLaunchGenerator::find(Operation *product) const {
  for (const std::unique_ptr<OperandLoader> &loader : loaders)
    if (loader->handles(product))
      return loader.get();
  return nullptr;
}

bool ProductLaunchGenerator::handles(launch::TilesOp launch) const {
  return llvm::all_of(launch.getKernels(), [&](Operation *kernel) {
    return isa<tgemm::PartialSumsOp>(kernel) ||
           (isa<tgemm::ProductOpInterface>(kernel) && find(kernel));
  });
}

FailureOr<LaunchCode>
ProductLaunchGenerator::generate(launch::TilesOp launch, LaunchTensors &tensors,
                                 Operation *module,
                                 const TargetSpec &target) const {
  FailureOr<GemmPlan> kernel = planGemm(
      launch, tensors, target,
      [&](Operation *product) { return find(product); },
      [&](FloatType type) { return find(type); });
  if (failed(kernel))
    return failure();
  SmallVector<AffineMap> orders = getOrders(launch, *kernel);
  if (kernel->hasFixedTasks)
    kernel->taskDims = getOrderOfDims(orders.front(), kernel->bodies[0].grid);
  emitGemmKernel(cast<gpu::GPUModuleOp>(module), launch.getLoc(), *kernel);

  LaunchCode code = kernel->getLaunchCode(launch);
  for (const BodyPlan &body : kernel->bodies)
    code.grids.push_back(body.grid);
  if (const RankSumPlan *sum = kernel->getRankSum())
    code.exchange = launch::ExchangeAttr::get(launch.getContext(), sum->ranks,
                                              sum->sets * sum->getSetBytes(),
                                              /*offset=*/-1, /*cleared=*/true);
  code.order = std::move(orders);
  code.blocksPerProcessor = kernel->getBlocksPerProcessor(target.sharedMemory);
  return code;
}

void hopper::addGemmKernels(Target &target, LaunchGenerators &launches,
                            const ModelConstants &constants) {
  auto model =
      std::make_unique<HopperProductModel>(target.getSpec(), constants);
  target.setInterface<tsync::EdgeModel>(
      std::make_unique<tgemm::ProductEdgeModel>(*model));
  target.setInterface<tgemm::ProductModel>(std::move(model));
  launches.add(std::make_unique<ProductLaunchGenerator>());
}
