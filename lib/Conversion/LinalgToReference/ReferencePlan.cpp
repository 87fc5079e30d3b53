//===- ReferencePlan.cpp - A function as plain kernels --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ReferencePlan.h"

#include "ScalarCode.h"
#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Conversion/Common/LaunchGenerator.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Runtime/ArtifactLimits.h"
#include "grout/Support/SymbolNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace grout;
using namespace grout::reference;

/// What the name of a plan's module of kernels ends with.
static constexpr StringLiteral kKernels = "_kernels";

ReferencePlan::ReferencePlan(func::FuncOp original,
                             OwningOpRef<func::FuncOp> plainFunction,
                             const Target &target, bool strictTypes,
                             tgemm::F32Products f32Products)
    : original(original), plain(std::move(plainFunction)), func(*plain),
      target(target), strictTypes(strictTypes), f32Products(f32Products) {
  Builder builder(func.getContext());
  // A GPU's doubles may be many times slower than its floats.
  floatType = target.getSpec().referenceWidth == 32
                  ? FloatType(builder.getF32Type())
                  : FloatType(builder.getF64Type());
}

/// The coarser of f16 and bf16 that `func` rounds a value to, if it does: in a
/// scalar operation, or as factors of products.
static TypeAttr getRoundedTo(func::FuncOp func,
                             tgemm::F32Products f32Products) {
  FloatType coarsest;
  func.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (f32Products == tgemm::F32Products::BF16 && linalgOp &&
        !getComputeBound(linalgOp).empty())
      coarsest = BFloat16Type::get(func.getContext());
    for (Type result : op->getResultTypes()) {
      auto type = dyn_cast<FloatType>(result);
      if (type && isNarrowFloat(type) &&
          (!coarsest ||
           type.getFPMantissaWidth() < coarsest.getFPMantissaWidth()))
        coarsest = type;
    }
  });
  return coarsest ? TypeAttr::get(coarsest) : TypeAttr();
}

LogicalResult ReferencePlan::refuse(Operation *op, const Twine &reason) {
  return op->emitRemark() << "there will be no reference to check '"
                          << func.getSymName() << "' against: " << reason;
}

gpu::GPUModuleOp ReferencePlan::getDeviceModule() {
  return dyn_cast<gpu::GPUModuleOp>(module);
}

std::string ReferencePlan::getFreshName() {
  auto isTaken = [&](StringRef name) {
    auto parent = original->getParentOfType<ModuleOp>();
    return parent.lookupSymbol(name) ||
           parent.lookupSymbol((name + kKernels).str());
  };
  std::string name = (func.getSymName() + "_reference").str();
  if (!isTaken(name))
    return name;
  unsigned number = 0;
  return std::string(
      SymbolTable::generateSymbolName<64>(name, isTaken, number));
}

void ReferencePlan::run() {
  const auto *generators = target.getInterface<LaunchGenerators>();
  if (!generators) {
    (void)refuse(func, "there are no kernels for " + target.getName());
    return;
  }
  OpBuilder builder(original.getContext());
  builder.setInsertionPointAfter(original);
  Location loc = func.getLoc();
  std::string name = getFreshName();
  module = generators->createModule(builder, loc, name + kKernels.str(),
                                    target.getSpec());
  plan =
      launch::PlanOp::create(builder, loc, builder.getStringAttr(name),
                             builder.getI64IntegerAttr(func.getNumArguments()),
                             /*in_place=*/DenseI64ArrayAttr(),
                             FlatSymbolRefAttr::get(original.getSymNameAttr()),
                             getRoundedTo(func, f32Products));
  plan.getBody().emplaceBlock();
  if (succeeded(buildSignature()) && succeeded(buildKernels()) &&
      (!getDeviceModule() || succeeded(expandMathForGPU(module))))
    return;
  plan.erase();
  module->erase();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Type ReferencePlan::promote(Type type) {
  return isa<FloatType>(type) ? floatType : type;
}

MemRefType ReferencePlan::getBufferType(RankedTensorType type) {
  return MemRefType::get(type.getShape(), promote(type.getElementType()));
}

ReferenceTensor ReferencePlan::getDense(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  ReferenceTensor tensor;
  tensor.elementType = type.getElementType();
  tensor.buffer = buffer;
  tensor.shape = llvm::to_vector(type.getShape());
  tensor.strides = computeSuffixProduct(tensor.shape);
  return tensor;
}

ReferenceTensor ReferencePlan::createBuffer(Location loc,
                                            ArrayRef<int64_t> shape,
                                            Type elementType) {
  auto builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  return getDense(launch::BufferOp::create(
      builder, loc, MemRefType::get(shape, elementType),
      builder.getStringAttr("reference" + std::to_string(numKernels)),
      ElementsAttr()));
}

static constexpr llvm::StringLiteral kUnsupported =
    " is not a static tensor of floats or integers that has elements, of at "
    "most 16 dimensions and, as f64, 2^40 bytes";
static_assert(artifact::kMaxRank == 16 &&
              artifact::kMaxTensorBytes == uint64_t(1) << 40);

/// Whether `type` is a tensor that a reference can hold, with elements of up to
/// 64 bits.
static bool isSupported(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      tensor.getRank() > artifact::kMaxRank ||
      !(isa<FloatType>(tensor.getElementType()) ||
        launch::isElementType(tensor.getElementType())))
    return false;
  int64_t bytes =
      getSize(tensor.getShape(), Float64Type::get(type.getContext()))
          .value_or(0);
  return bytes > 0 && uint64_t(bytes) <= artifact::kMaxTensorBytes;
}

FailureOr<ReferenceTensor> ReferencePlan::getTensor(Value tensor,
                                                    Operation *user) {
  if (auto it = tensors.find(tensor); it != tensors.end())
    return it->second;
  // A scalar operand, such as what linalg.fill fills with.
  TypedAttr scalar;
  if (matchPattern(tensor, m_Constant(&scalar)) &&
      isa<FloatAttr, IntegerAttr>(scalar)) {
    ReferenceTensor splat;
    splat.splat = promoteConstant(scalar, floatType);
    splat.elementType = splat.splat.getType();
    return splat;
  }
  return refuse(user, "it uses a value of type " +
                          debugString(tensor.getType()) +
                          " that is not known when compiling");
}

LogicalResult ReferencePlan::buildSignature() {
  Block &body = plan.getBody().front();
  if (!func.getBody().hasOneBlock())
    return refuse(func, "its body is not one block");
  for (BlockArgument argument : func.getArguments()) {
    if (!isSupported(argument.getType()))
      return refuse(func, "argument " + Twine(argument.getArgNumber()) +
                              kUnsupported);
    auto type = cast<RankedTensorType>(argument.getType());
    Value buffer = body.addArgument(getBufferType(type), argument.getLoc());
    tensors[argument] = getDense(buffer);
  }
  Operation *terminator = func.getBody().front().getTerminator();
  for (OpOperand &returned : terminator->getOpOperands()) {
    Value value = returned.get();
    if (!isSupported(value.getType()))
      return refuse(func, "result " + Twine(returned.getOperandNumber()) +
                              kUnsupported);
    auto type = cast<RankedTensorType>(value.getType());
    Value buffer = body.addArgument(getBufferType(type), value.getLoc());
    // Of two outputs with one value, the second is a copy.
    if (value.getDefiningOp<linalg::LinalgOp>())
      outputs.try_emplace(value, buffer);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult ReferencePlan::buildKernels() {
  for (Operation &op : func.getBody().front())
    if (failed(buildOp(op)))
      return failure();
  return success();
}

/// Why `op` is still there, and not the ops that it consists of.
static StringRef explainWhole(Operation &op) {
  if (isa<linalg::AggregatedOpInterface>(op))
    return ": its decomposition (AggregatedOpInterface) fails, or never ends";
  if (isa<TileKernelOpInterface>(op) && !isa<scop::KernelOp>(op))
    return ", and does not say what it consists of (AggregatedOpInterface)";
  return "";
}

LogicalResult ReferencePlan::buildOp(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>())
    return buildReturn(op);
  // Scalars are looked at where they are used.
  bool makesTensors = llvm::any_of(
      op.getResultTypes(), [](Type type) { return isa<TensorType>(type); });
  if (!makesTensors && isPure(&op))
    return success();
  for (Type type : op.getResultTypes())
    if (!isSupported(type))
      return refuse(&op,
                    "its result of type " + debugString(type) + kUnsupported);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return buildLinalg(linalgOp);
  if (isa<tensor::EmptyOp>(op)) {
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    ReferenceTensor &tensor = tensors[op.getResult(0)];
    tensor.elementType = promote(type.getElementType());
    tensor.shape = llvm::to_vector(type.getShape());
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return buildConstant(constant);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return buildSlice(slice);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return buildInsert(insert);
  if (auto scatter = dyn_cast<tensor::ScatterOp>(op))
    return buildScatter(scatter);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return buildPad(pad);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return buildExpand(expand);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return buildCollapse(collapse);
  if (auto collectiveOp = dyn_cast<collective::CollectiveOpInterface>(op))
    return buildCollective(collectiveOp);
  return refuse(&op, "'" + op.getName().getStringRef() +
                         "' has no plain kernel" + explainWhole(op));
}

LogicalResult ReferencePlan::buildConstant(arith::ConstantOp op) {
  TypedAttr value = promoteConstant(op.getValue(), floatType);
  if (!value)
    return refuse(op, "its value is not dense");
  auto type = cast<RankedTensorType>(op.getType());
  if (auto splat = dyn_cast<SplatElementsAttr>(value)) {
    ReferenceTensor &tensor = tensors[op.getResult()];
    tensor.splat = splat.getSplatValue<TypedAttr>();
    tensor.elementType = tensor.splat.getType();
    tensor.shape = llvm::to_vector(type.getShape());
    return success();
  }
  auto builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  tensors[op.getResult()] = getDense(launch::BufferOp::create(
      builder, op.getLoc(), getBufferType(type),
      builder.getStringAttr("constant"), cast<ElementsAttr>(value)));
  return success();
}

LogicalResult ReferencePlan::buildReturn(Operation &op) {
  Block &body = plan.getBody().front();
  for (OpOperand &returned : op.getOpOperands()) {
    Value buffer =
        body.getArgument(func.getNumArguments() + returned.getOperandNumber());
    FailureOr<ReferenceTensor> source = getTensor(returned.get(), &op);
    if (failed(source))
      return failure();
    if (source->isUndefined())
      return refuse(&op, "it returns a tensor that nothing has written");
    if (source->buffer != buffer)
      buildCopy(op.getLoc(), *source, getDense(buffer));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void ReferencePlan::buildCopy(Location loc, const ReferenceTensor &source,
                              const ReferenceTensor &target) {
  ReferenceKernel kernel(loc);
  kernel.extents = target.shape;
  kernel.iterators.assign(target.shape.size(), utils::IteratorType::parallel);
  auto map =
      AffineMap::getMultiDimIdentityMap(target.shape.size(), func.getContext());
  // A splat has no shape to map to.
  AffineMap sourceMap =
      source.buffer ? map
                    : AffineMap::get(target.shape.size(), 0, func.getContext());
  kernel.inputs = {{source, sourceMap}};
  ReferenceTensor unread;
  unread.elementType = target.elementType;
  kernel.inits = {{unread, map}};
  kernel.outputs = {{target, map}};
  Type type = target.elementType;
  kernel.compute = [=](OpBuilder &builder, ValueRange elements, ValueRange,
                       EmitGather) {
    Value element = elements[0];
    if (element.getType() != type)
      element = convertScalarToDtype(builder, loc, element, type,
                                     /*isUnsignedCast=*/false);
    return SmallVector<Value>{element};
  };
  addKernel(kernel);
}

std::string ReferencePlan::getKernelName() {
  return getSymbolSafeName(plan.getSymName()) + "_kernel" +
         std::to_string(numKernels++);
}

void ReferencePlan::addLaunch(launch::LaunchOpInterface launch) {
  if (lastLaunch)
    launch.addEdge(lastLaunch, launch::Edge::full);
  lastLaunch = launch.getToken();
}

void ReferencePlan::addKernel(ReferenceKernel &kernel) {
  MLIRContext *context = func.getContext();
  auto builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  kernel.name = getKernelName();
  gpu::GPUModuleOp device = getDeviceModule();
  KernelLaunch launch = device ? emitDeviceKernel(kernel, device)
                               : emitHostKernel(kernel, cast<ModuleOp>(module));
  ArrayAttr order;
  if (launch.hasTasks)
    order = builder.getAffineMapArrayAttr(
        AffineMap::getMultiDimIdentityMap(launch.grid.size(), context));
  SmallVector<Value> buffers = llvm::to_vector(launch.buffers.getBuffers());
  SmallVector<int64_t> written;
  for (size_t number = 0; number != buffers.size(); ++number)
    if (llvm::any_of(kernel.outputs, [&](const TensorAccess &output) {
          return output.tensor.buffer == buffers[number];
        }))
      written.push_back(number);
  auto op = launch::KernelOp::create(
      builder, kernel.loc, builder.getStringAttr(kernel.name),
      FlatSymbolRefAttr::get(SymbolTable::getSymbolName(module)),
      builder.getArrayAttr(FlatSymbolRefAttr::get(context, kernel.name)),
      buffers, builder.getDenseI64ArrayAttr(written), /*after=*/ValueRange(),
      builder.getDenseI32ArrayAttr({}), /*early=*/DenseI64ArrayAttr(),
      /*semaphores=*/Value(),
      builder.getArrayAttr(launch.buffers.getArgs(context)),
      builder.getArrayAttr(builder.getI64ArrayAttr(launch.grid)), order,
      /*exchange=*/launch::ExchangeAttr());
  op.setBlock(launch.block);
  addLaunch(op);
}
