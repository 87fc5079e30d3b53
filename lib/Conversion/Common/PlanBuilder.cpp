//===- PlanBuilder.cpp - From a function of chains to a plan --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/PlanBuilder.h"

#include "grout/Dialect/Scop/IR/Reshapes.h"
#include "grout/Dialect/Scop/IR/StridedView.h"
#include "grout/Runtime/ArtifactLimits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The view of all of `buffer`, row-major.
static BufferView getDenseView(Value buffer, RankedTensorType type) {
  BufferView view;
  view.buffer = buffer;
  view.shape = llvm::to_vector(type.getShape());
  view.strides = computeStrides(type.getShape());
  view.elementType = type.getElementType();
  return view;
}

/// What `op`, which takes a slice or reshapes, makes of `source`.
static FailureOr<BufferView> makeView(Operation *op, const BufferView &source) {
  std::optional<scop::StridedView> strided =
      scop::getStridedView(op, {source.offset, source.shape, source.strides});
  if (!strided)
    return failure();
  BufferView view = source;
  view.offset = strided->offset;
  view.shape = std::move(strided->shape);
  view.strides = std::move(strided->strides);
  return view;
}

FailureOr<BufferView> PlanBuilder::getView(Value tensor, Operation *user) {
  if (auto it = views.find(tensor); it != views.end())
    return it->second;
  Operation *op = tensor.getDefiningOp();
  FailureOr<BufferView> view = failure();
  if (op && op->getNumOperands() >= 1 &&
      isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp>(op)) {
    FailureOr<BufferView> source = getView(op->getOperand(0), user);
    if (failed(source))
      return failure();
    view = makeView(op, *source);
  }
  ElementsAttr constant;
  if (op && matchPattern(op, m_Constant(&constant))) {
    auto type = cast<RankedTensorType>(tensor.getType());
    OpBuilder builder = OpBuilder::atBlockEnd(&plan.getBody().front());
    Value buffer = launch::BufferOp::create(
        builder, op->getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()),
        builder.getStringAttr("constant"), constant);
    view = getDenseView(buffer, type);
  }
  if (failed(view)) {
    InFlightDiagnostic diag = user->emitError(
        "cannot be compiled: it reads a tensor that is not a strided part of a "
        "buffer");
    if (op)
      diag.attachNote(op->getLoc())
          << "the tensor is made by '" << op->getName() << "'";
    return diag;
  }
  views.try_emplace(tensor, *view);
  return view;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Whether `op` may stand in a function besides chains: it makes views.
static bool isViewLike(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::EmptyOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// Refuses `op`, which is neither a kernel nor a view.
static LogicalResult refuseOp(Operation *op) {
  InFlightDiagnostic diag = op->emitError();
  diag << "cannot be compiled: there is no kernel for '" << op->getName()
       << "'";
  if (isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()))
    return diag << ", as no pass before made one of it";
  diag.attachNote() << "functions hold ops of linalg on tensors of static "
                       "extents, tgemm.matmul, scop.kernel, tsync.chain, and "
                       "ops that pad, slice, insert or reshape tensors";
  if (OpTrait::hasElementwiseMappableTraits(op))
    diag.attachNote() << "upstream's --convert-elementwise-to-linalg makes "
                         "linalg of ops like this one";
  return diag;
}

/// The bytes of a tensor in an artifact, or UINT64_MAX if that is too small.
static uint64_t getSaturatedBytes(RankedTensorType type) {
  uint64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t extent : type.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return bytes;
}

static LogicalResult checkSignatureType(func::FuncOp func, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return func.emitError() << "cannot be compiled: " << type
                            << " in its signature is not a static tensor";
  if (!launch::isElementType(tensor.getElementType()))
    return func.emitError() << "cannot be compiled: element type "
                            << tensor.getElementType() << " is not supported";
  if (tensor.getRank() > artifact::kMaxRank)
    return func.emitError()
           << "cannot be compiled: " << type << " in its signature has rank "
           << tensor.getRank() << "; at most " << artifact::kMaxRank
           << " is supported";
  if (getSaturatedBytes(tensor) > artifact::kMaxTensorBytes)
    return func.emitError()
           << "cannot be compiled: " << type << " in its signature has more "
           << "than " << artifact::kMaxTensorBytes << " bytes";
  return success();
}

/// Makes sure that the tensors of the signature of `func`, and its name, are
/// such as an artifact can hold.
static LogicalResult checkSignature(func::FuncOp func) {
  if (func.getSymName().size() > artifact::kMaxNameLength)
    return func.emitError()
           << "cannot be compiled: its name has " << func.getSymName().size()
           << " characters; at most " << artifact::kMaxNameLength
           << " are supported";
  for (TypeRange types :
       {TypeRange(func.getArgumentTypes()), TypeRange(func.getResultTypes())})
    for (Type type : types)
      if (failed(checkSignatureType(func, type)))
        return failure();
  return success();
}

/// The memref of a plan for a tensor of a function's signature.
static MemRefType getBufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

FailureOr<PlanBuilder> PlanBuilder::create(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return func.emitError("cannot be compiled: its body must be one block");
  PlanBuilder builder(func);
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (auto chain = dyn_cast<tsync::ChainOp>(op)) {
      builder.chains.push_back(chain);
    } else if (isa<scop::KernelOp, scop::LaunchOp>(op)) {
      builder.scopLaunches.push_back(&op);
    } else if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      // Part of the kernels that start from it.
      if (!matchPattern(fill.value(), m_Constant()))
        return op.emitError() << "cannot be compiled: '" << op.getName()
                              << "' fills with a value that is not a constant";
    } else if (!isViewLike(&op)) {
      return refuseOp(&op);
    }
  }

  if (failed(checkSignature(func)))
    return failure();
  OpBuilder opBuilder(func);
  builder.plan = launch::PlanOp::create(
      opBuilder, func.getLoc(), func.getSymNameAttr(),
      opBuilder.getI64IntegerAttr(func.getNumArguments()),
      /*reference=*/UnitAttr(), /*rounded_to=*/TypeAttr());
  Block &body = builder.plan.getBody().emplaceBlock();
  auto fail = [&]() -> FailureOr<PlanBuilder> {
    builder.plan.erase();
    return failure();
  };
  auto refuse = [&](Operation *op, const Twine &reason) {
    op->emitError() << "cannot be compiled: " << reason;
    return fail();
  };
  for (BlockArgument argument : func.getArguments()) {
    Value buffer =
        body.addArgument(getBufferType(argument.getType()), argument.getLoc());
    builder.views.try_emplace(
        argument,
        getDenseView(buffer, cast<RankedTensorType>(argument.getType())));
  }

  // Results of the function are written in place, through every chain that
  // they leave.
  Operation *terminator = func.getBody().front().getTerminator();
  llvm::DenseMap<Value, unsigned> returned;
  for (auto [index, value] : llvm::enumerate(terminator->getOperands())) {
    Value made = scop::getReshaped(value);
    if (!isa_and_nonnull<tsync::ChainOp, scop::KernelOp, scop::LaunchOp>(
            made.getDefiningOp()))
      return refuse(terminator,
                    "result " + Twine(index) + " is not made by a tile kernel");
    if (!returned.try_emplace(made, index).second)
      return refuse(terminator,
                    "result " + Twine(index) + " is returned twice");
    body.addArgument(getBufferType(value.getType()), value.getLoc());
  }

  opBuilder.setInsertionPointToEnd(&body);
  unsigned kernelNumber = 0;
  auto createBuffer = [&](Operation *kernel, RankedTensorType type) -> Value {
    return launch::BufferOp::create(
        opBuilder, kernel->getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()),
        opBuilder.getStringAttr("kernel" + std::to_string(kernelNumber)),
        ElementsAttr());
  };
  for (Operation *op : builder.scopLaunches) {
    auto launch = dyn_cast<scop::LaunchOp>(op);
    if (launch)
      for (auto [value, result] :
           llvm::zip_equal(launch.getYield().getValues(), launch.getResults()))
        if (auto it = returned.find(result);
            it != returned.end() &&
            !returned.try_emplace(value, it->second).second)
          return refuse(terminator,
                        "result " + Twine(it->second) + " is returned twice");
    for (scop::KernelOp kernel : scop::getLaunchedKernels(op)) {
      for (OpResult result : kernel->getResults()) {
        auto type = cast<RankedTensorType>(result.getType());
        auto it = returned.find(result);
        Value buffer =
            it != returned.end()
                ? Value(body.getArgument(func.getNumArguments() + it->second))
                : createBuffer(kernel, type);
        builder.views.try_emplace(result, getDenseView(buffer, type));
      }
      ++kernelNumber;
    }
    if (launch)
      for (auto [value, result] :
           llvm::zip_equal(launch.getYield().getValues(), launch.getResults()))
        builder.views.try_emplace(result, BufferView(builder.views.at(value)));
  }
  for (tsync::ChainOp chain : builder.chains) {
    tsync::YieldOp yield =
        cast<tsync::YieldOp>(chain.getBody().front().getTerminator());
    for (TileKernelOpInterface kernel : chain.getKernels()) {
      for (OpResult result : kernel->getResults()) {
        auto type = cast<RankedTensorType>(result.getType());
        Value buffer;
        for (OpOperand &use : yield->getOpOperands()) {
          if (scop::getReshaped(use.get()) != result)
            continue;
          auto it = returned.find(chain.getResult(use.getOperandNumber()));
          if (it == returned.end())
            continue;
          if (buffer)
            return refuse(kernel, "its result is returned twice");
          buffer = body.getArgument(func.getNumArguments() + it->second);
        }
        if (!buffer)
          buffer = createBuffer(kernel, type);
        builder.views.try_emplace(result, getDenseView(buffer, type));
      }
      ++kernelNumber;
    }
    for (auto [value, result] :
         llvm::zip_equal(yield.getValues(), chain.getResults())) {
      FailureOr<BufferView> view = builder.getView(value, yield);
      if (failed(view))
        return fail();
      // A part must not be returned: the caller's buffer would stay unwritten.
      if (returned.contains(result) &&
          !scop::getReshaped(value).getDefiningOp<TileKernelOpInterface>())
        return refuse(yield, "returns a part of a kernel's result");
      builder.views.try_emplace(result, *view);
    }
  }
  return builder;
}

BufferView PlanBuilder::createBuffer(Location loc, RankedTensorType type) {
  OpBuilder builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  Value buffer = launch::BufferOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      builder.getStringAttr("scratch"), ElementsAttr());
  return getDenseView(buffer, type);
}

void PlanBuilder::addLaunch(Location loc, const Launch &launch) {
  OpBuilder builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  SmallVector<Attribute> entries, grids;
  for (const std::string &entry : launch.entries)
    entries.push_back(FlatSymbolRefAttr::get(builder.getContext(), entry));
  for (ArrayRef<int64_t> grid : launch.grids)
    grids.push_back(builder.getI64ArrayAttr(grid));
  auto kernel = launch::KernelOp::create(
      builder, loc, builder.getStringAttr(launch.name),
      FlatSymbolRefAttr::get(builder.getContext(), launch.module),
      builder.getArrayAttr(entries), launch.buffers,
      builder.getArrayAttr(launch.args), builder.getArrayAttr(grids),
      launch.order.empty() ? ArrayAttr()
                           : builder.getAffineMapArrayAttr(launch.order));
  kernel.setEdge(launch.edge);
  kernel.setSemaphores(launch.semaphores);
  kernel.setResidents(launch.residents);
  kernel.setBlock(launch.block);
  kernel.setCluster(launch.cluster);
  kernel.setSharedMemory(launch.sharedMemory);
  kernel.setBlocksPerProcessor(launch.blocksPerProcessor);
  kernel.setParts(launch.parts);
  ++numLaunches;
}

std::optional<int64_t>
PlanBuilder::getSemaphoresLaunch(TileKernelOpInterface kernel,
                                 const SemaphoreLayout &layout) const {
  auto chain = kernel->getParentOfType<tsync::ChainOp>();
  SmallVector<TileKernelOpInterface> kernels = chain.getKernels();
  if (!layout.usesSemaphores(kernel))
    return std::nullopt;
  auto *first = llvm::find_if(kernels, [&](TileKernelOpInterface candidate) {
    return layout.usesSemaphores(candidate);
  });
  int64_t distance = chain.getLaunchOf(kernel) - chain.getLaunchOf(*first);
  if (distance == 0)
    return std::nullopt;
  return numLaunches - distance;
}

launch::PlanOp PlanBuilder::finish() {
  func.erase();
  return plan;
}
