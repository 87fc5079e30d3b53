//===- ScopTileBody.cpp - A tile of a scop kernel on the CPU --------------===//
//
// Part of Grout. The loops are those of convert-scop-to-loops, restricted to
// the tile.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/ScopToCPU/ScopToCPU.h"

#include "TileLoops.h"
#include "grout/Conversion/ScopToLoops/ContractLocals.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The alignment of local arrays, in bytes; see CPUTileBody::createLocal.
/// Buffers are aligned to 256 bytes.
static constexpr int64_t kBaseAlignment = 64;

namespace {

/// Emits a tile of one kernel. Members that use isl throw.
class TileEmitter {
public:
  TileEmitter(KernelOp original, LaunchTensors &tensors, CPUTileBody &body)
      : original(original), copy(original.clone()), kernel(*copy),
        tensors(tensors), body(body), tile(getTileLoops(original)) {
    sinkColumns(kernel, tile);
  }

  LogicalResult emit();

private:
  LogicalResult mapOperands();
  void emitLoops(isl::ctx ctx);

  /// Returns `view` as a memref, without strides if it needs none.
  Value getMemRef(const BufferView &view);
  /// Whether a statement may read the initial contents of `array`, an output.
  /// Refuses an output of which a part is never written.
  bool readsStart(isl::ctx ctx, BlockArgument array);
  /// Maps every local to memory: on the stack while there is room, else in a
  /// buffer that all tiles share. Each tile uses other elements of that buffer.
  void mapLocals(isl::ctx ctx);

  /// The kernel that other kernels and the plan know.
  KernelOp original;
  /// The copy whose schedule and locals are changed.
  OwningOpRef<KernelOp> copy;
  KernelOp kernel;
  LaunchTensors &tensors;
  CPUTileBody &body;
  SmallVector<TileLoop> tile;
  IRMapping arrays;
  /// Outputs that are read before they are written, and their initial contents.
  SmallVector<std::pair<Value, Value>> starts;
};

} // namespace

Value TileEmitter::getMemRef(const BufferView &view) {
  Value memref = body.getMemRef(view);
  auto dense = MemRefType::get(view.shape, view.elementType);
  auto [strides, offset] = dense.getStridesAndOffset();
  if (view.offset != offset || ArrayRef(view.strides) != ArrayRef(strides))
    return memref;
  return memref::CastOp::create(body.builder, body.loc, dense, memref);
}

LogicalResult TileEmitter::mapOperands() {
  for (OpOperand &operand : original->getOpOperands()) {
    BlockArgument array =
        kernel.getBody().getArgument(operand.getOperandNumber());
    if (!isa<TensorType>(operand.get().getType())) {
      // Arguments of a plan are tensors, so scalars are constants.
      Operation *constant = operand.get().getDefiningOp();
      arrays.map(array, body.builder.clone(*constant)->getResult(0));
      continue;
    }
    Value tensor = kernel.isOutput(array)
                       ? Value(original.getTiedOpResult(&operand))
                       : operand.get();
    FailureOr<BufferView> view = tensors.getView(tensor, original);
    if (failed(view))
      return failure();
    arrays.map(array, getMemRef(*view));
  }
  return success();
}

/// Returns { S[i...] }, all instances of `statement`.
static isl::set getInstances(isl::ctx ctx, KernelOp kernel, StmtOp statement) {
  return getTimes(ctx, kernel, statement).domain();
}

/// Returns the elements of an array of type `type`.
static isl::set getElements(isl::ctx ctx, MemRefType type) {
  isl::space space = grout::detail::makeSpace(ctx, "", type.getRank());
  isl::set elements = isl::set::universe(space);
  for (auto [dim, extent] :
       llvm::zip_equal(grout::detail::getDims(space), type.getShape()))
    elements = elements.intersect(grout::detail::whereInRange(
        dim, grout::detail::makeSize(space, extent, "")));
  return elements;
}

bool TileEmitter::readsStart(isl::ctx ctx, BlockArgument array) {
  isl::set all = getElements(ctx, cast<MemRefType>(array.getType()));
  isl::set missing = all;
  bool isRead = false;
  for (StmtOp statement : kernel.getStatements()) {
    if (llvm::is_contained(statement.getReads(), array))
      isRead |= !missing.is_empty();
    for (auto [write, written] : llvm::enumerate(statement.getWrites()))
      if (written == array)
        missing = missing.subtract(
            getInstances(ctx, kernel, statement)
                .apply(getAccessRelation(ctx, statement,
                                         statement.getWriteMap(write))));
  }
  if (!missing.is_empty())
    grout::detail::fail(AnalysisErrorKind::Invalid,
                        "no statement writes all elements of operand " +
                            std::to_string(array.getArgNumber()) +
                            ", an output");
  return isRead;
}

void TileEmitter::mapLocals(isl::ctx ctx) {
  int64_t left = kMaxLocalBytes;
  contractLocals(ctx, kernel, [&](LocalOp local, MemRefType type) {
    std::optional<int64_t> bytes =
        getSize(type.getShape(), type.getElementType());
    if (!bytes || *bytes > left)
      return false;
    left -= *bytes;
    arrays.map(local.getArray(),
               body.createLocal(type.getShape(), type.getElementType()));
    return true;
  });
  for (auto local : kernel.getBody().getOps<LocalOp>()) {
    if (arrays.contains(local.getArray()) || local.getArray().use_empty())
      continue;
    auto type = cast<MemRefType>(local.getArray().getType());
    if (!launch::isElementType(type.getElementType()))
      grout::detail::fail(AnalysisErrorKind::Invalid,
                          "a local array takes more stack than there is");
    arrays.map(
        local.getArray(),
        getMemRef(tensors.createBuffer(
            local.getLoc(),
            RankedTensorType::get(type.getShape(), type.getElementType()))));
  }
}

void TileEmitter::emitLoops(isl::ctx ctx) {
  LoopEmitter emitter(ctx, body.builder, kernel, arrays, kBaseAlignment);
  emitter.bindTile(body.tile);
  for (auto [array, start] : starts)
    emitter.emitCopy(buildCopy(ctx, kernel, array, tile), start,
                     arrays.lookup(array));
  emitter.emit(buildLoops(ctx, kernel, tile));
}

/// Refuses scatters of `kernel` that fail with a message.
static LogicalResult checkMessages(KernelOp kernel) {
  WalkResult result = kernel.walk([](ScatterOp scatter) {
    if (!scatter.getMessage())
      return WalkResult::advance();
    scatter.emitOpError("cannot be compiled for the CPU: kernels have no "
                        "assertions there");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult TileEmitter::emit() {
  if (failed(checkMessages(original)) || failed(mapOperands()))
    return failure();
  IslContext context;
  auto emitGuarded = [&](function_ref<void(isl::ctx)> emit) -> LogicalResult {
    llvm::Expected<bool> emitted = grout::detail::guarded(context, [&] {
      emit(context.get());
      return true;
    });
    if (emitted)
      return success();
    return original.emitOpError() << "cannot be compiled for the CPU: "
                                  << llvm::toString(emitted.takeError());
  };
  SmallVector<OpOperand *> started;
  if (failed(emitGuarded([&](isl::ctx ctx) {
        for (OpOperand &output : kernel.getOutputsMutable())
          if (!kernel.updates(kernel.getArgument(output)) &&
              readsStart(ctx, kernel.getArgument(output)))
            started.push_back(&output);
      })))
    return failure();
  for (OpOperand *output : started) {
    FailureOr<BufferView> view = tensors.getView(output->get(), original);
    if (failed(view))
      return failure();
    starts.emplace_back(kernel.getArgument(*output), getMemRef(*view));
  }
  return emitGuarded([&](isl::ctx ctx) {
    mapLocals(ctx);
    emitLoops(ctx);
  });
}

LogicalResult scop::emitTile(KernelOp kernel, LaunchTensors &tensors,
                             CPUTileBody &body) {
  return TileEmitter(kernel, tensors, body).emit();
}
