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
#include "grout/Conversion/Common/Softmax.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "grout/Runtime/ArtifactLimits.h"
#include "grout/Support/SymbolNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace grout;
using namespace grout::reference;

ReferencePlan::ReferencePlan(func::FuncOp func, const Target &target,
                             bool strictTypes, tgemm::F32Products f32Products)
    : func(func), target(target), strictTypes(strictTypes),
      f32Products(f32Products) {
  Builder builder(func.getContext());
  // A GPU's doubles may be many times slower than its floats.
  floatType = target.getSpec().referenceWidth == 32
                  ? FloatType(builder.getF32Type())
                  : FloatType(builder.getF64Type());
}

/// The coarser of f16 and bf16 that `func` rounds a value to, if it does: in a
/// scalar operation, in what a softmax consists of, or as factors of products.
static TypeAttr getRoundedTo(func::FuncOp func,
                             tgemm::F32Products f32Products) {
  FloatType coarsest;
  func.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      return;
    if (f32Products == tgemm::F32Products::BF16 &&
        isa<linalg::ContractionOpInterface>(op))
      coarsest = BFloat16Type::get(func.getContext());
    for (Type result : op->getResultTypes()) {
      auto type = dyn_cast<FloatType>(
          isa<linalg::SoftmaxOp>(op) ? getElementTypeOrSelf(result) : result);
      if (type && isHalf(type) &&
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

void ReferencePlan::run() {
  const auto *generators = target.getInterface<LaunchGenerators>();
  if (!generators) {
    (void)refuse(func, "there are no kernels for " + target.getName());
    return;
  }
  OpBuilder builder(func->getContext());
  builder.setInsertionPointAfter(func);
  Location loc = func.getLoc();
  std::string name = (func.getSymName() + "_reference").str();
  module = generators->createModule(builder, loc, name + "_kernels",
                                    target.getSpec());
  plan = launch::PlanOp::create(
      builder, loc, builder.getStringAttr(name),
      builder.getI64IntegerAttr(func.getNumArguments()),
      /*in_place=*/DenseI64ArrayAttr(), builder.getUnitAttr(),
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

static SmallVector<int64_t> getDenseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

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
  tensor.strides = getDenseStrides(tensor.shape);
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
      scop::getSize(tensor.getShape(), Float64Type::get(type.getContext()))
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
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return buildSoftmax(softmax);
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
  return refuse(&op,
                "'" + op.getName().getStringRef() + "' has no plain kernel");
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

LogicalResult ReferencePlan::buildSoftmax(linalg::SoftmaxOp op) {
  // The ops that it consists of are there only while they are built.
  Block *block = op->getBlock();
  Operation *before = op->getPrevNode();
  OpBuilder builder(op);
  Value result;
  if (isHalf(op.getInputOperandType().getElementType()) && !strictTypes) {
    result = decomposeHalfSoftmax(builder, op);
  } else {
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(builder);
    if (failed(results))
      return refuse(op, "it cannot be decomposed");
    result = results->front();
  }
  Block::iterator first =
      before ? std::next(before->getIterator()) : block->begin();
  SmallVector<Operation *> parts =
      llvm::map_to_vector(llvm::make_range(first, op->getIterator()),
                          [](Operation &part) { return &part; });
  LogicalResult built = success();
  for (Operation *part : parts)
    if (succeeded(built))
      built = buildOp(*part);
  if (succeeded(built))
    tensors[op.getResult().front()] = ReferenceTensor(tensors[result]);
  for (Operation *part : llvm::reverse(parts)) {
    for (Value result : part->getResults())
      tensors.erase(result);
    part->erase();
  }
  return built;
}

/// The part of `tensor` that `slice` takes; of what is no buffer, the whole.
static ReferenceTensor getSlice(const ReferenceTensor &tensor,
                                OffsetSizeAndStrideOpInterface slice,
                                const llvm::SmallBitVector &dropped) {
  ReferenceTensor part = tensor;
  part.shape.clear();
  part.strides.clear();
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(slice.getStaticOffsets(), slice.getStaticSizes(),
                       slice.getStaticStrides())) {
    if (tensor.buffer)
      part.offset += offset * tensor.strides[dim];
    if (dropped.test(dim))
      continue;
    part.shape.push_back(size);
    if (tensor.buffer)
      part.strides.push_back(stride * tensor.strides[dim]);
  }
  return part;
}

LogicalResult
ReferencePlan::checkPosition(OffsetSizeAndStrideOpInterface slice) {
  for (ArrayRef<int64_t> numbers :
       {slice.getStaticOffsets(), slice.getStaticStrides()})
    if (llvm::any_of(numbers, ShapedType::isDynamic))
      return refuse(slice, "the position of the slice is not known when "
                           "compiling");
  return success();
}

LogicalResult ReferencePlan::buildSlice(tensor::ExtractSliceOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSource(), op);
  if (failed(source) || failed(checkPosition(op)))
    return failure();
  tensors[op.getResult()] = getSlice(*source, op, op.getDroppedDims());
  return success();
}

LogicalResult ReferencePlan::buildInsert(tensor::InsertSliceOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSource(), op);
  FailureOr<ReferenceTensor> dest = getTensor(op.getDest(), op);
  if (failed(source) || failed(dest) || failed(checkPosition(op)))
    return failure();
  if (source->isUndefined())
    return refuse(op, "it inserts a tensor that nothing has written");
  ReferenceTensor result =
      createBuffer(op.getLoc(), dest->shape, dest->elementType);
  if (!dest->isUndefined())
    buildCopy(op.getLoc(), *dest, result);
  buildCopy(op.getLoc(), *source, getSlice(result, op, op.getDroppedDims()));
  tensors[op.getResult()] = std::move(result);
  return success();
}

LogicalResult ReferencePlan::buildScatter(tensor::ScatterOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSource(), op);
  FailureOr<ReferenceTensor> dest = getTensor(op.getDest(), op);
  FailureOr<ReferenceTensor> places = getTensor(op.getIndices(), op);
  if (failed(source) || failed(dest) || failed(places))
    return failure();
  for (const ReferenceTensor &tensor : {*source, *dest, *places})
    if (tensor.isUndefined())
      return refuse(op, "it uses a tensor that nothing has written");

  // Every element of the result looks for its place among all of them.
  MLIRContext *context = op.getContext();
  ArrayRef<int64_t> ofPlaces = op.getIndicesType().getShape().drop_back();
  unsigned rank = dest->shape.size(), numLoops = rank + ofPlaces.size();
  ReferenceKernel kernel(op.getLoc());
  kernel.extents = dest->shape;
  llvm::append_range(kernel.extents, ofPlaces);
  kernel.iterators.assign(rank, utils::IteratorType::parallel);
  kernel.iterators.append(ofPlaces.size(), utils::IteratorType::reduction);
  // A splat has no shape to map to.
  auto access = [&](const ReferenceTensor &tensor,
                    ArrayRef<AffineExpr> indices) {
    if (!tensor.buffer)
      indices = {};
    return TensorAccess{tensor, AffineMap::get(numLoops, 0, indices, context)};
  };
  SmallVector<AffineExpr> ofDest, ofSource, place;
  for (unsigned loop = 0; loop != rank; ++loop)
    ofDest.push_back(getAffineDimExpr(loop, context));
  for (unsigned loop = rank; loop != numLoops; ++loop)
    place.push_back(getAffineDimExpr(loop, context));
  ofSource = place;
  bool hasAll = source->shape.size() == numLoops;
  for (unsigned dim = 0; dim != rank; ++dim) {
    bool isPlace = llvm::is_contained(op.getScatterDims(), int64_t(dim));
    if (!isPlace)
      ofSource.push_back(ofDest[dim]);
    else if (hasAll)
      ofSource.push_back(getAffineConstantExpr(0, context));
  }
  kernel.inputs = {access(*source, ofSource)};
  for (size_t i = 0; i != op.getScatterDims().size(); ++i) {
    SmallVector<AffineExpr> indices(place);
    indices.push_back(getAffineConstantExpr(i, context));
    kernel.inputs.push_back(access(*places, indices));
  }
  ReferenceTensor result =
      createBuffer(op.getLoc(), dest->shape, dest->elementType);
  kernel.inits = {access(*dest, ofDest)};
  kernel.outputs = {access(result, ofDest)};
  kernel.compute = [op](OpBuilder &builder, ValueRange elements,
                        ValueRange coordinates, EmitGather) mutable {
    Location loc = op.getLoc();
    Value hits;
    for (auto [dim, place] : llvm::zip_equal(
             op.getScatterDims(), elements.drop_front().drop_back())) {
      Value index = arith::IndexCastOp::create(builder, loc,
                                               builder.getIndexType(), place);
      Value hit = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        index, coordinates[dim]);
      hits = hits ? arith::AndIOp::create(builder, loc, hits, hit) : hit;
    }
    return SmallVector<Value>{arith::SelectOp::create(
        builder, loc, hits, elements.front(), elements.back())};
  };
  addKernel(kernel);
  tensors[op.getResult()] = std::move(result);
  return success();
}

LogicalResult ReferencePlan::buildPad(tensor::PadOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSource(), op);
  if (failed(source))
    return failure();
  if (source->isUndefined())
    return refuse(op, "it pads a tensor that nothing has written");
  Value value = op.getConstantPaddingValue();
  if (!value)
    return refuse(op, "its padding is not one value");
  FailureOr<ReferenceTensor> padding = getTensor(value, op);
  if (failed(padding))
    return failure();
  ReferenceTensor result = createBuffer(
      op.getLoc(), op.getResultType().getShape(), padding->elementType);
  buildCopy(op.getLoc(), *padding, result);
  ReferenceTensor inner = result;
  inner.shape = source->shape;
  for (auto [low, high, stride] :
       llvm::zip_equal(op.getStaticLow(), op.getStaticHigh(), result.strides)) {
    if (ShapedType::isDynamic(low) || low < 0 || ShapedType::isDynamic(high) ||
        high < 0)
      return refuse(op, "the position of what it pads is not known when "
                        "compiling, or outside");
    inner.offset += low * stride;
  }
  buildCopy(op.getLoc(), *source, inner);
  tensors[op.getResult()] = std::move(result);
  return success();
}

LogicalResult ReferencePlan::buildExpand(tensor::ExpandShapeOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSrc(), op);
  if (failed(source))
    return failure();
  ReferenceTensor view = *source;
  view.shape = llvm::to_vector(op.getResultType().getShape());
  view.strides.assign(source->buffer ? view.shape.size() : 0, 1);
  if (source->buffer)
    for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
      int64_t stride = source->strides[dim];
      for (int64_t part : llvm::reverse(group)) {
        view.strides[part] = stride;
        stride *= view.shape[part];
      }
    }
  tensors[op.getResult()] = std::move(view);
  return success();
}

LogicalResult ReferencePlan::buildCollapse(tensor::CollapseShapeOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSrc(), op);
  if (failed(source))
    return failure();
  ReferenceTensor view = *source;
  if (view.buffer) {
    // Simplest is right: what is not dense becomes so first.
    if (view.strides != getDenseStrides(view.shape)) {
      view = createBuffer(op.getLoc(), source->shape, source->elementType);
      buildCopy(op.getLoc(), *source, view);
    }
    view.strides = getDenseStrides(op.getResultType().getShape());
  }
  view.shape = llvm::to_vector(op.getResultType().getShape());
  tensors[op.getResult()] = std::move(view);
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

LogicalResult ReferencePlan::buildLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return refuse(op, "it is not on tensors");
  if (std::optional<Refusal> refusal =
          findRefusal(op, /*forGPU=*/bool(getDeviceModule())))
    return refuse(op, "'" + refusal->op->getName().getStringRef() + "' " +
                          refusal->reason);
  ReferenceKernel kernel(op.getLoc());
  kernel.extents = op.getStaticLoopRanges();
  kernel.iterators = op.getIteratorTypesArray();
  for (utils::IteratorType iterator : kernel.iterators)
    if (iterator != utils::IteratorType::parallel &&
        iterator != utils::IteratorType::reduction)
      return refuse(op, "it has a loop that is neither parallel nor a "
                        "reduction");

  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    TensorAccess access;
    access.map = op.getMatchingIndexingMap(&operand);
    // What is not read needs no value, and may be of any type.
    Type type = promote(getElementTypeOrSelf(operand.get().getType()));
    access.tensor.elementType = launch::isElementType(type) ? type : floatType;
    if (op.payloadUsesValueFromOperand(&operand)) {
      FailureOr<ReferenceTensor> tensor = getTensor(operand.get(), op);
      if (failed(tensor))
        return failure();
      if (tensor->isUndefined())
        return refuse(op, "it reads operand " +
                              Twine(operand.getOperandNumber()) +
                              ", which nothing has written");
      access.tensor = *tensor;
    }
    (isInit ? kernel.inits : kernel.inputs).push_back(access);
    if (!isInit)
      continue;
    // Every element is computed once.
    if (!access.map.isProjectedPermutation() ||
        access.map.getNumResults() !=
            kernel.getLoops(utils::IteratorType::parallel).size())
      return refuse(op, "its output " + Twine(kernel.outputs.size()) +
                            " does not have one element for each point of its "
                            "parallel loops");
    OpResult result = op.getTiedOpResult(&operand);
    ReferenceTensor output;
    if (auto it = outputs.find(result); it != outputs.end())
      output = getDense(it->second);
    else
      output = createBuffer(op.getLoc(),
                            cast<RankedTensorType>(result.getType()).getShape(),
                            access.tensor.elementType);
    tensors[result] = output;
    kernel.outputs.push_back({output, access.map});
  }
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>()) {
    FailureOr<ReferenceTensor> tensor = getTensor(extract.getTensor(), op);
    if (failed(tensor))
      return failure();
    if (tensor->isUndefined())
      return refuse(op, "it gathers from a tensor that nothing has written");
    kernel.gathered[extract.getTensor()] = *tensor;
  }
  setComputation(kernel, op);
  addKernel(kernel);
  return success();
}

/// What of `op` is summed up without roundings: everything in a product, and
/// else what linalg-widen-accumulators finds. Where the op says its tiles
/// itself, it is what computes them.
static Accumulation findSums(linalg::LinalgOp op, bool strictTypes) {
  bool isProduct =
      !getComputeBound(op).empty() && !op->hasAttr(kLinalgTileSizesAttrName);
  if (strictTypes && !isProduct)
    return {};
  return findAccumulation(
      op, [&](FloatType type) { return isProduct || isHalf(type); });
}

/// Whether a GPU can compute the chain of `sums` in f64, in which the math
/// functions are not expanded.
static bool canBeDouble(const Accumulation &sums) {
  return llvm::all_of(sums.chain, [](Operation *op) {
    return isa<arith::ArithDialect>(op->getDialect()) || isa<math::FmaOp>(op);
  });
}

void ReferencePlan::setComputation(ReferenceKernel &kernel,
                                   linalg::LinalgOp op) {
  Promotion promotion{floatType, floatType, findSums(op, strictTypes),
                      findAccumulation(op, [](FloatType) { return true; })};
  const Accumulation &sums = promotion.sums, &all = promotion.allSums;
  // A GPU's doubles are fast enough for sums, and a thread makes long ones.
  if (floatType.isF32() && !strictTypes && canBeDouble(all)) {
    promotion.sums.results = all.results;
    promotion.sums.chain = all.chain;
    promotion.sumType = Float64Type::get(op.getContext());
  }
  kernel.compute = [op, promotion](OpBuilder &builder, ValueRange elements,
                                   ValueRange coordinates,
                                   EmitGather gather) mutable {
    return inlinePromoted(builder, *op.getBlock(), promotion, elements,
                          coordinates, gather);
  };
  bool isLimited = floatType.isF64() && !all.results.empty();
  if (sums.results.empty() && !isLimited)
    return;
  auto convert = [op, promotion](OpBuilder &builder, ValueRange outputs,
                                 FloatType type, bool isFinal) mutable {
    SmallVector<Value> values(outputs);
    for (unsigned number : promotion.sums.results) {
      Value &value = values[number];
      if (isFinal)
        value = roundTo(builder, op.getLoc(), value,
                        getElementTypeOrSelf(op->getResult(number).getType()));
      value = convertScalarToDtype(builder, op.getLoc(), value, type,
                                   /*isUnsignedCast=*/false);
    }
    if (isFinal)
      for (unsigned number : promotion.allSums.results)
        values[number] =
            limitTo(builder, op.getLoc(), values[number],
                    getElementTypeOrSelf(op->getResult(number).getType()));
    return values;
  };
  kernel.start = [=](OpBuilder &builder, ValueRange outputs) mutable {
    return convert(builder, outputs, promotion.sumType, /*isFinal=*/false);
  };
  kernel.finish = [=](OpBuilder &builder, ValueRange outputs) mutable {
    return convert(builder, outputs, promotion.type, /*isFinal=*/true);
  };
}

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
  kernel.compute = [](OpBuilder &, ValueRange elements, ValueRange,
                      EmitGather) { return SmallVector<Value>{elements[0]}; };
  addKernel(kernel);
}

void ReferencePlan::addKernel(ReferenceKernel &kernel) {
  MLIRContext *context = func.getContext();
  auto builder = OpBuilder::atBlockEnd(&plan.getBody().front());
  kernel.name = getSymbolSafeName(plan.getSymName()) + "_kernel" +
                std::to_string(numKernels++);
  gpu::GPUModuleOp device = getDeviceModule();
  KernelLaunch launch = device ? emitDeviceKernel(kernel, device)
                               : emitHostKernel(kernel, cast<ModuleOp>(module));
  ArrayAttr order;
  if (launch.hasTasks)
    order = builder.getAffineMapArrayAttr(
        AffineMap::getMultiDimIdentityMap(launch.grid.size(), context));
  // One after another.
  SmallVector<Value> after;
  SmallVector<int32_t> edges;
  if (lastLaunch) {
    after.push_back(lastLaunch);
    edges.push_back(static_cast<int32_t>(launch::Edge::full));
  }
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
      buffers, builder.getDenseI64ArrayAttr(written), after,
      builder.getDenseI32ArrayAttr(edges), /*early=*/DenseI64ArrayAttr(),
      /*semaphores=*/Value(),
      builder.getArrayAttr(launch.buffers.getArgs(context)),
      builder.getArrayAttr(builder.getI64ArrayAttr(launch.grid)), order);
  lastLaunch = op.getToken();
  op.setBlock(launch.block);
}
