//===- CollectiveLaunchGenerator.cpp - Collective ops on GPUs -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/CollectiveToNVVM/CollectiveLaunchGenerator.h"

#include "CollectiveEmitter.h"
#include "CollectivePlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace grout;
using collective::CollectiveOpInterface;

bool CollectiveLaunchGenerator::handles(launch::TilesOp launch) const {
  SmallVector<TileKernelOpInterface> kernels = launch.getKernels();
  return kernels.size() == 1 && isa<CollectiveOpInterface>(*kernels.front());
}

/// Returns the parameters of the kernel, in the order of CollectiveEmitter.
static SmallVector<Attribute> getArgs(MLIRContext *context, int64_t ranks) {
  using launch::ArgAttr;
  using launch::ArgKind;
  SmallVector<Attribute> args = {ArgAttr::get(context, ArgKind::buffer, 0),
                                 ArgAttr::get(context, ArgKind::buffer, 1),
                                 ArgAttr::get(context, ArgKind::sync_state),
                                 ArgAttr::get(context, ArgKind::rank)};
  for (int64_t rank = 0; rank != ranks; ++rank)
    args.push_back(ArgAttr::getPeer(context, rank));
  return args;
}

/// Adds kernel `name` with parameters `args` to `module`.
static LLVM::LLVMFuncOp createKernel(Operation *module, Location loc,
                                     StringRef name, ArrayRef<Attribute> args,
                                     int64_t threads) {
  auto builder =
      OpBuilder::atBlockEnd(cast<gpu::GPUModuleOp>(module).getBody());
  MLIRContext *context = module->getContext();
  SmallVector<Type> params = llvm::map_to_vector(args, [&](Attribute arg) {
    bool isNumber =
        cast<launch::ArgAttr>(arg).getKind() == launch::ArgKind::rank;
    return isNumber ? Type(builder.getI32Type())
                    : Type(LLVM::LLVMPointerType::get(context));
  });
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), params);
  auto func = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  func->setAttr(
      NVVM::NVVMDialect::getReqntidAttrName(),
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  func.addEntryBlock(builder);
  return func;
}

FailureOr<LaunchCode>
CollectiveLaunchGenerator::generate(launch::TilesOp launch,
                                    LaunchTensors &tensors, Operation *module,
                                    const TargetSpec &target) const {
  auto op =
      cast<CollectiveOpInterface>(launch.getKernels().front().getOperation());
  FailureOr<BufferView> input = tensors.getView(op.getInput(), op);
  FailureOr<BufferView> output = tensors.getView(op.getOutput(), op);
  if (failed(input) || failed(output))
    return failure();
  MLIRContext *context = op.getContext();
  CollectivePlan plan(
      op, *input, *output, target,
      launch::getPlaceSets(launch->getParentOfType<launch::PlanOp>()));
  LaunchCode code;
  code.entries = {launch.getName().str()};
  code.buffers = {input->buffer, output->buffer};
  code.args = getArgs(context, plan.ranks);
  code.grids = {{plan.blocks}};
  code.block = plan.getBlockThreads();
  // A block waits for the same block of other ranks, so all have to run.
  code.residents = plan.blocks;
  code.exchange = launch::ExchangeAttr::get(
      context, plan.ranks, plan.getMemoryBytes(), /*offset=*/-1,
      /*cleared=*/true);
  LLVM::LLVMFuncOp func = createKernel(module, op.getLoc(), launch.getName(),
                                       code.args, code.block);
  auto sync = TileSynchronisation::get(launch, op.getOperation());
  CollectiveEmitter(func, plan).emit(sync);
  return code;
}
