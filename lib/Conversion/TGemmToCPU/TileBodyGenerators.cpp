//===- TileBodyGenerators.cpp - Tiles of Grout's own kernels on CPUs ------===//
//
// Part of Grout. The code of tiles is in MatmulTileBody, GroupedMatmulTileBody,
// Conv2dTileBody, AttentionTileBody, LinalgTileBody and ScopTileBody. This file
// provides their operands.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"

#include "KernelCode.h"
#include "grout/Conversion/ScopToCPU/ScopToCPU.h"
#include "grout/Conversion/TGemmToCPU/KernelSync.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

TileBodyGenerator::~TileBodyGenerator() = default;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Returns the value of all elements of `tensor`, if it is a splat, is filled
/// with a constant, or is a view of such a tensor; else null.
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

/// Returns the place of the elements of `operand` that `kernel` reads, or their
/// value.
static FailureOr<KernelOperand> getLinalgOperand(linalg::LinalgOp kernel,
                                                 OpOperand &operand,
                                                 LaunchTensors &tensors) {
  KernelOperand read;
  if (!kernel.payloadUsesValueFromOperand(&operand))
    return read;
  if (!isa<RankedTensorType>(operand.get().getType())) {
    Attribute value;
    if (!matchPattern(operand.get(), m_Constant(&value)))
      return kernel->emitError()
             << "cannot be compiled for the CPU: scalar operand "
             << operand.getOperandNumber() << " is not a constant";
    read.splat = cast<TypedAttr>(value);
    return read;
  }
  read.splat = getSplat(operand.get());
  if (read.splat)
    return read;
  FailureOr<BufferView> view = tensors.getView(operand.get(), kernel);
  if (failed(view))
    return failure();
  read.view = *view;
  return read;
}

/// Returns the places of the tensors of `kernel`.
static FailureOr<KernelTensors> getTensors(Operation *kernel,
                                           LaunchTensors &tensors) {
  KernelTensors found;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(kernel);
  for (OpOperand &operand : kernel->getOpOperands()) {
    if (linalgOp) {
      FailureOr<KernelOperand> read =
          getLinalgOperand(linalgOp, operand, tensors);
      if (failed(read))
        return failure();
      found.operands.push_back(*read);
      continue;
    }
    FailureOr<BufferView> view = tensors.getView(operand.get(), kernel);
    if (failed(view))
      return failure();
    found.operands.push_back({*view, TypedAttr()});
  }
  for (Value result : kernel->getResults()) {
    FailureOr<BufferView> view = tensors.getView(result, kernel);
    if (failed(view))
      return failure();
    found.results.push_back(*view);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

namespace {

/// A generator whose code is `emitTile`, for kernels of class OpT that `check`
/// accepts.
template <typename OpT, LogicalResult (*check)(OpT),
          void (*emitTile)(OpT, const KernelTensors &, const SemaphoreLayout &,
                           CPUTileBody &)>
class TensorsBodyGenerator : public TileBodyGenerator {
public:
  bool handles(Operation *kernel) const override { return isa<OpT>(kernel); }

  LogicalResult emit(TileKernelOpInterface kernel, LaunchTensors &tensors,
                     const SemaphoreLayout &layout,
                     CPUTileBody &body) const override {
    auto op = cast<OpT>(kernel.getOperation());
    if (failed(check(op)))
      return failure();
    FailureOr<KernelTensors> found = getTensors(kernel, tensors);
    if (failed(found))
      return failure();
    emitTile(op, *found, layout, body);
    return success();
  }
};

class ScopBodyGenerator : public TileBodyGenerator {
public:
  bool handles(Operation *kernel) const override {
    return isa<scop::KernelOp>(kernel);
  }

  LogicalResult emit(TileKernelOpInterface kernel, LaunchTensors &tensors,
                     const SemaphoreLayout &layout,
                     CPUTileBody &body) const override {
    KernelSync sync(kernel, layout, body, [](unsigned) { return true; });
    sync.emitBeforeSteps(body.builder);
    if (failed(scop::emitTile(cast<scop::KernelOp>(kernel.getOperation()),
                              tensors, body)))
      return failure();
    sync.emitPosts(body.builder);
    return success();
  }
};

} // namespace

static LogicalResult checkPartialSums(tgemm::PartialSumsOp op) {
  return success(succeeded(getProduct(op)));
}

std::unique_ptr<TileBodyGenerator> cpu::createProductBodyGenerator() {
  return std::make_unique<
      TensorsBodyGenerator<tgemm::MatmulOp, checkMatmul, emitMatmulTile>>();
}

std::unique_ptr<TileBodyGenerator> cpu::createPartialSumsBodyGenerator() {
  return std::make_unique<TensorsBodyGenerator<
      tgemm::PartialSumsOp, checkPartialSums, emitPartTile>>();
}

std::unique_ptr<TileBodyGenerator> cpu::createGroupedProductBodyGenerator() {
  return std::make_unique<TensorsBodyGenerator<
      tgemm::GroupedMatmulOp, checkGroupedMatmul, emitGroupedMatmulTile>>();
}

std::unique_ptr<TileBodyGenerator> cpu::createConv2dBodyGenerator() {
  return std::make_unique<
      TensorsBodyGenerator<tgemm::Conv2dOp, checkConv2d, emitConv2dTile>>();
}

std::unique_ptr<TileBodyGenerator> cpu::createAttentionBodyGenerator() {
  return std::make_unique<TensorsBodyGenerator<
      tgemm::AttentionOp, checkAttention, emitAttentionTile>>();
}

std::unique_ptr<TileBodyGenerator> cpu::createLinalgBodyGenerator() {
  return std::make_unique<
      TensorsBodyGenerator<linalg::LinalgOp, checkLinalg, emitLinalgTile>>();
}

std::unique_ptr<TileBodyGenerator> cpu::createScopBodyGenerator() {
  return std::make_unique<ScopBodyGenerator>();
}
