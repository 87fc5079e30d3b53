//===- PlanWriter.cpp - Serialises a launch plan --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlanWriter.h"

#include "grout/Runtime/ArtifactFile.h"
#include "grout/Runtime/DeviceABI.h"
#include "grout/Support/ElementTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

/// `type` is an element type of artifacts: launch.buffer takes no others, and
/// arguments have been checked.
static artifact::ElementType getElementType(Type type) {
  return static_cast<artifact::ElementType>(*findElementType(type));
}

static uint64_t getElementSize(MemRefType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

static uint64_t getSize(MemRefType type) {
  return type.getNumElements() * getElementSize(type);
}

InFlightDiagnostic grout::emitTooLarge(launch::PlanOp plan) {
  return plan.emitError("the function needs an artifact of more than 2 GiB; "
                        "pass large constants as arguments instead");
}

std::string grout::getTensorName(StringRef name, StringRef otherwise) {
  std::string result;
  for (char c : name)
    if (c > ' ' && c <= '~' && c != '=')
      result.push_back(c);
  return result.empty() ? otherwise.str() : result;
}

artifact::TensorT grout::getTensor(StringRef name, MemRefType type) {
  artifact::TensorT tensor;
  tensor.name = name.str();
  tensor.element_type = getElementType(type.getElementType());
  tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Returns the bytes of a constant, row-major.
static FailureOr<std::vector<uint8_t>> getBytes(launch::BufferOp op,
                                                ElementsAttr value) {
  auto type = cast<MemRefType>(op.getResult().getType());
  ArrayRef<char> raw;
  bool isSplat = false;
  if (type.getElementType().isInteger(1)) {
    // MLIR may store truth values as bits.
    if (auto dense = dyn_cast<DenseIntElementsAttr>(value))
      return std::vector<uint8_t>(dense.value_begin<bool>(),
                                  dense.value_end<bool>());
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    raw = dense.getRawData();
    isSplat = dense.isSplat();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return op.emitOpError("names a resource that was not given");
    raw = blob->getData();
  } else {
    return op.emitOpError("has a constant that is neither dense nor a dense "
                          "resource");
  }
  uint64_t size = getSize(type);
  if (raw.size() != (isSplat ? getElementSize(type) : size))
    return op.emitOpError() << "has a constant of " << raw.size()
                            << " bytes, but needs " << size;
  std::vector<uint8_t> bytes;
  bytes.reserve(size);
  while (bytes.size() < size)
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  return bytes;
}

namespace {

/// Serialises one plan.
class PlanSerializer {
public:
  PlanSerializer(launch::PlanOp op, KernelModules &modules)
      : op(op), modules(modules) {}
  FailureOr<artifact::PlanT> run();

private:
  artifact::BufferT &addBuffer(Value value, StringRef name,
                               artifact::BufferKind kind);
  LogicalResult addIntermediate(launch::BufferOp buffer);
  LogicalResult addBuffers();
  LogicalResult addExchange(launch::KernelOp kernel, artifact::LaunchT &launch);
  LogicalResult addLaunch(launch::KernelOp kernel);
  artifact::ArgumentT getArgument(launch::KernelOp kernel, launch::ArgAttr arg);
  LogicalResult setGrid(launch::KernelOp kernel, artifact::LaunchT &launch);

  launch::PlanOp op;
  KernelModules &modules;
  llvm::DenseMap<Value, uint32_t> buffers;
  /// Maps each launch so far to its number.
  llvm::MapVector<launch::KernelOp, uint32_t> launches;
  artifact::PlanT plan;
};

} // namespace

artifact::BufferT &PlanSerializer::addBuffer(Value value, StringRef name,
                                             artifact::BufferKind kind) {
  buffers[value] = plan.buffers.size();
  auto buffer = std::make_unique<artifact::BufferT>();
  buffer->kind = kind;
  buffer->tensor = std::make_unique<artifact::TensorT>(
      getTensor(name, cast<MemRefType>(value.getType())));
  plan.buffers.push_back(std::move(buffer));
  return *plan.buffers.back();
}

/// Refuses constants for which the artifact would be too large. Does that
/// before their bytes exist: until then, a splat of any size takes no memory.
static LogicalResult checkConstants(launch::PlanOp op) {
  uint64_t bytes = 0;
  for (auto buffer : op.getBody().getOps<launch::BufferOp>()) {
    if (!buffer.getValue())
      continue;
    auto type = cast<MemRefType>(buffer.getResult().getType());
    bytes = llvm::SaturatingMultiplyAdd<uint64_t>(type.getNumElements(),
                                                  getElementSize(type), bytes);
    if (bytes > artifact::kMaxPayloadSize)
      return emitTooLarge(op);
  }
  return success();
}

LogicalResult PlanSerializer::addIntermediate(launch::BufferOp buffer) {
  std::optional<uint64_t> offset = buffer.getOffset();
  if (!offset)
    return buffer.emitOpError("has no place in the workspace yet; run "
                              "launch-place-buffers");
  std::string name = getTensorName(buffer.getName(), "buffer");
  if (BlockArgument host = buffer.getHost()) {
    artifact::BufferT &added =
        addBuffer(buffer, name, artifact::BufferKind::InOutput);
    added.index = host.getArgNumber() - op.getNumInputs();
    added.offset = *offset;
    return success();
  }
  addBuffer(buffer, name, artifact::BufferKind::Intermediate).offset = *offset;
  plan.workspace =
      std::max<uint64_t>(plan.workspace, *offset + buffer.getAlignedBytes());
  return success();
}

LogicalResult PlanSerializer::addBuffers() {
  if (failed(checkConstants(op)))
    return failure();
  unsigned numInputs = op.getNumInputs();
  for (BlockArgument argument : op.getBody().getArguments()) {
    unsigned index = argument.getArgNumber();
    Type type = getElementTypeOrSelf(argument.getType());
    if (!launch::isElementType(type))
      return op.emitOpError() << "argument " << index << " has elements of "
                              << type << ", which an artifact cannot hold";
    if (index < numInputs)
      addBuffer(argument, "input" + std::to_string(index),
                artifact::BufferKind::Input)
          .index = index;
    else
      addBuffer(argument, "output" + std::to_string(index - numInputs),
                artifact::BufferKind::Output)
          .index = index - numInputs;
    if (index < numInputs)
      continue;
    if (std::optional<unsigned> input = op.getInPlaceInput(index - numInputs))
      plan.in_place.emplace_back(index - numInputs, *input);
  }
  for (auto buffer : op.getBody().getOps<launch::BufferOp>()) {
    std::optional<ElementsAttr> value = buffer.getValue();
    if (!value) {
      if (failed(addIntermediate(buffer)))
        return failure();
      continue;
    }
    FailureOr<std::vector<uint8_t>> bytes = getBytes(buffer, *value);
    if (failed(bytes))
      return failure();
    addBuffer(buffer, getTensorName(buffer.getName(), "buffer"),
              artifact::BufferKind::Constant)
        .data = std::move(*bytes);
  }
  // A part of a buffer is the whole buffer here: kernels count arguments from
  // the buffer's first element.
  for (auto part : op.getBody().getOps<launch::PartOp>())
    buffers[part] = buffers.lookup(part.getSource());
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static artifact::Swizzle getSwizzle(launch::Swizzle swizzle) {
  switch (swizzle) {
  case launch::Swizzle::none:
    return artifact::Swizzle::None;
  case launch::Swizzle::b32:
    return artifact::Swizzle::B32;
  case launch::Swizzle::b64:
    return artifact::Swizzle::B64;
  case launch::Swizzle::b128:
    return artifact::Swizzle::B128;
  }
  llvm_unreachable("unknown swizzle");
}

static artifact::EdgeKind getEdgeKind(launch::Edge edge) {
  switch (edge) {
  case launch::Edge::full:
    return artifact::EdgeKind::Full;
  case launch::Edge::programmatic:
    return artifact::EdgeKind::Programmatic;
  case launch::Edge::launch_order:
    return artifact::EdgeKind::LaunchOrder;
  case launch::Edge::tile:
    return artifact::EdgeKind::Tile;
  }
  llvm_unreachable("unknown edge");
}

artifact::ArgumentT PlanSerializer::getArgument(launch::KernelOp kernel,
                                                launch::ArgAttr arg) {
  artifact::ArgumentT argument;
  switch (arg.getKind()) {
  case launch::ArgKind::buffer: {
    artifact::BufferArgT buffer;
    buffer.buffer = buffers[kernel.getBuffers()[arg.getOperand()]];
    buffer.offset = arg.getOffset();
    argument.value.Set(std::move(buffer));
    break;
  }
  case launch::ArgKind::tensor_map: {
    Value operand = kernel.getBuffers()[arg.getOperand()];
    artifact::TensorMapArgT map;
    map.buffer = buffers[operand];
    map.element_type =
        getElementType(cast<MemRefType>(operand.getType()).getElementType());
    map.offset = arg.getOffset();
    map.sizes.assign(arg.getSizes().begin(), arg.getSizes().end());
    map.strides.assign(arg.getStrides().begin(), arg.getStrides().end());
    map.box.assign(arg.getBox().begin(), arg.getBox().end());
    map.swizzle = getSwizzle(arg.getSwizzle());
    if (launch::Im2colAttr im2col = arg.getIm2col()) {
      map.im2col = std::make_unique<artifact::Im2colT>();
      map.im2col->lower.assign(im2col.getLower().begin(),
                               im2col.getLower().end());
      map.im2col->upper.assign(im2col.getUpper().begin(),
                               im2col.getUpper().end());
      map.im2col->steps.assign(im2col.getSteps().begin(),
                               im2col.getSteps().end());
    }
    argument.value.Set(std::move(map));
    break;
  }
  case launch::ArgKind::sync_state:
    argument.value.Set(artifact::SyncStateArgT());
    break;
  case launch::ArgKind::task_list:
    argument.value.Set(artifact::TaskListArgT());
    break;
  case launch::ArgKind::task_count:
    argument.value.Set(artifact::TaskCountArgT());
    break;
  case launch::ArgKind::semaphores: {
    artifact::SemaphoresArgT semaphores;
    for (auto [owner, number] : launches)
      if (owner.getSemaphores() == kernel.getSemaphores() &&
          owner.ownsSemaphores())
        semaphores.launch = number;
    argument.value.Set(std::move(semaphores));
    break;
  }
  case launch::ArgKind::rank:
    argument.value.Set(artifact::RankArgT());
    break;
  case launch::ArgKind::peer: {
    artifact::PeerArgT peer;
    peer.rank = arg.getRank();
    argument.value.Set(std::move(peer));
    break;
  }
  }
  return argument;
}

LogicalResult PlanSerializer::setGrid(launch::KernelOp kernel,
                                      artifact::LaunchT &launch) {
  if (kernel.getOrder()) {
    launch.grid_kind = artifact::GridKind::Persistent;
    return setTasks(kernel, launch);
  }
  launch.grid_kind = artifact::GridKind::Fixed;
  SmallVector<int64_t> grid = kernel.getGrid(0);
  grid.resize(3, 1);
  launch.grid.assign(grid.begin(), grid.end());
  launch.parts.assign(kernel.getParts().begin(), kernel.getParts().end());
  return success();
}

LogicalResult PlanSerializer::addExchange(launch::KernelOp kernel,
                                          artifact::LaunchT &launch) {
  std::optional<launch::ExchangeAttr> exchange = kernel.getExchange();
  if (!exchange)
    return success();
  if (exchange->getOffset() < 0)
    return kernel.emitOpError("has no place in the symmetric memory yet; run "
                              "launch-place-buffers");
  launch.exchange = std::make_unique<artifact::ExchangeT>();
  launch.exchange->offset = exchange->getOffset();
  launch.exchange->bytes = exchange->getBytes();
  launch.exchange->cleared = exchange->getCleared();
  plan.ranks = exchange->getRanks();
  plan.symmetric = std::max<uint64_t>(plan.symmetric, exchange->getOffset() +
                                                          exchange->getBytes());
  return success();
}

LogicalResult PlanSerializer::addLaunch(launch::KernelOp kernel) {
  auto launch = std::make_unique<artifact::LaunchT>();
  launch->name = getTensorName(kernel.getName(), "kernel");
  FailureOr<uint32_t> module = modules.getIndex(kernel);
  if (failed(module))
    return failure();
  launch->module_ = *module;
  for (auto entry : kernel.getEntries().getAsRange<FlatSymbolRefAttr>())
    launch->entries.push_back(entry.getValue().str());
  for (auto arg : kernel.getArgs().getAsRange<launch::ArgAttr>())
    launch->arguments.push_back(
        std::make_unique<artifact::ArgumentT>(getArgument(kernel, arg)));
  if (failed(setGrid(kernel, *launch)) || failed(addExchange(kernel, *launch)))
    return failure();
  launch->block = kernel.getBlock();
  launch->dynamic_shared_memory = kernel.getSharedMemory();
  launch->cluster = kernel.getCluster();
  launch->blocks_per_processor = kernel.getBlocksPerProcessor();
  if (kernel.ownsSemaphores())
    launch->semaphores =
        kernel.getSemaphores().getDefiningOp<launch::SemaphoresOp>().getCount();
  launch->min_residents = kernel.getResidents();
  launch->branch = kernel.getBranch();
  launch->debug_sync_milliseconds = kernel.getDebugSyncMilliseconds();
  for (auto [token, kind] :
       llvm::zip_equal(kernel.getAfter(), kernel.getEdges())) {
    auto edge = static_cast<launch::Edge>(kind);
    if (token.getDefiningOp<launch::StartOp>()) {
      // Later launches start after the first launch anyway.
      launch->programmatic_entry =
          plan.launches.empty() && edge != launch::Edge::full;
      continue;
    }
    auto written = std::make_unique<artifact::EdgeT>();
    written->launch = launches.lookup(token.getDefiningOp<launch::KernelOp>());
    written->kind = getEdgeKind(edge);
    launch->after.push_back(std::move(written));
  }
  launches[kernel] = plan.launches.size();
  plan.launches.push_back(std::move(launch));
  return success();
}

FailureOr<artifact::PlanT> PlanSerializer::run() {
  if (failed(addBuffers()))
    return failure();
  for (Operation &launch : op.getBody().front()) {
    if (isa<launch::TilesOp>(launch))
      return launch.emitOpError("has no kernel yet; run "
                                "convert-tiles-to-kernels");
    if (auto kernel = dyn_cast<launch::KernelOp>(launch))
      if (failed(addLaunch(kernel)))
        return failure();
  }
  if (plan.launches.empty())
    return op.emitOpError("has no kernels to run");
  plan.rounded_to = op.getRoundedTo() ? getElementType(*op.getRoundedTo())
                                      : artifact::ElementType::F64;
  return std::move(plan);
}

FailureOr<artifact::PlanT> grout::getPlan(launch::PlanOp plan,
                                          KernelModules &modules) {
  return PlanSerializer(plan, modules).run();
}
