//===- LinalgTileBody.cpp - A tile of a linalg op on the CPU --------------===//
//
// Part of Grout. Handles any linalg op with TileKernelOpInterface. Its result
// in memory is the accumulator, which is first set to the init operand if the
// body reads that.
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"
#include "grout/Conversion/TGemmToCPU/KernelSync.h"

#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

namespace {

/// Emits the tile of one linalg op.
class LinalgEmitter {
public:
  LinalgEmitter(linalg::LinalgOp op, const KernelTensors &tensors,
                const SemaphoreLayout &layout, CPUTileBody &body);
  void emit();

private:
  void emitInit(OpBuilder &builder);
  void emitStep(OpBuilder &builder, Value step);
  void emitPoint(OpBuilder &builder, ValueRange coordinates);

  /// Returns the element of `operand` at `coordinates` of the loops.
  Value load(OpBuilder &builder, OpOperand &operand, ValueRange coordinates);
  /// Calls `emit` with the coordinates of every point of `ranges`, which has a
  /// range for each loop of the op. The loops are nested in `order`.
  void createPoints(OpBuilder &builder, ArrayRef<Extent> ranges,
                    ArrayRef<unsigned> order,
                    function_ref<void(OpBuilder &, ValueRange)> emit);

  bool isParallel(unsigned loop) {
    return iterators[loop] == utils::IteratorType::parallel;
  }

  linalg::LinalgOp op;
  const KernelTensors &tensors;
  CPUTileBody &body;
  KernelSync sync;
  SmallVector<Value> operands; // as memrefs; null if a splat or not read
  SmallVector<Value> results;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<int64_t> extents, tileSizes;
  SmallVector<Extent> ranges; // of each loop; a cut loop's is set by emitStep
  std::optional<unsigned> stepLoop;
};

} // namespace

LinalgEmitter::LinalgEmitter(linalg::LinalgOp op, const KernelTensors &tensors,
                             const SemaphoreLayout &layout, CPUTileBody &body)
    : op(op), tensors(tensors), body(body),
      sync(op, layout, body,
           [op](unsigned operand) mutable {
             return op.isDpsInit(&op->getOpOperand(operand));
           }),
      iterators(op.getIteratorTypesArray()), extents(op.getStaticLoopRanges()) {
  for (const KernelOperand &operand : tensors.operands)
    operands.push_back(operand.view.buffer ? body.getMemRef(operand.view)
                                           : Value());
  for (const BufferView &view : tensors.results)
    results.push_back(body.getMemRef(view));

  auto sizes = op->getAttrOfType<DenseI64ArrayAttr>(kLinalgTileSizesAttrName);
  unsigned tileDim = 0;
  for (auto [loop, extent, size] :
       llvm::enumerate(extents, sizes.asArrayRef())) {
    tileSizes.push_back(std::min(size, extent));
    if (isParallel(loop)) {
      ranges.push_back(createTileExtent(body.builder, body.loc,
                                        body.tile[tileDim++], size, extent));
      continue;
    }
    ranges.push_back({body.createIndex(0), body.createIndex(extent)});
    if (size < extent)
      stepLoop = loop;
  }
}

Value LinalgEmitter::load(OpBuilder &builder, OpOperand &operand,
                          ValueRange coordinates) {
  unsigned number = operand.getOperandNumber();
  if (TypedAttr splat = tensors.operands[number].splat)
    return arith::ConstantOp::create(builder, body.loc, splat);
  return createLoad(builder, body.loc, operands[number],
                    op.getMatchingIndexingMap(&operand), coordinates);
}

void LinalgEmitter::createPoints(
    OpBuilder &builder, ArrayRef<Extent> ranges, ArrayRef<unsigned> order,
    function_ref<void(OpBuilder &, ValueRange)> emit) {
  SmallVector<Value> sizes = llvm::map_to_vector(
      order, [&](unsigned loop) { return ranges[loop].size; });
  createLoops(builder, body.loc, sizes, [&](OpBuilder &builder, ValueRange at) {
    // Loops that are not in `order` stay at the beginning of their range.
    SmallVector<Value> coordinates = llvm::map_to_vector(
        ranges, [](const Extent &range) { return range.begin; });
    for (auto [loop, variable] : llvm::zip_equal(order, at))
      coordinates[loop] =
          arith::AddIOp::create(builder, body.loc, coordinates[loop], variable);
    emit(builder, coordinates);
  });
}

void LinalgEmitter::emitInit(OpBuilder &builder) {
  SmallVector<unsigned> order;
  for (unsigned loop = 0, e = extents.size(); loop != e; ++loop)
    if (isParallel(loop))
      order.push_back(loop);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!op.payloadUsesValueFromOperand(&init))
      continue;
    Value result = results[init.getOperandNumber() - op.getNumDpsInputs()];
    createPoints(builder, ranges, order,
                 [&](OpBuilder &builder, ValueRange coordinates) {
                   createStore(builder, body.loc,
                               load(builder, init, coordinates), result,
                               op.getMatchingIndexingMap(&init), coordinates);
                 });
  }
}

void LinalgEmitter::emitPoint(OpBuilder &builder, ValueRange coordinates) {
  Block &block = *op.getBlock();
  SmallVector<Value> arguments;
  for (OpOperand *operand : op.getOpOperandsMatchingBBargs()) {
    Value argument = operand->get();
    if (!op.payloadUsesValueFromOperand(operand)) {
      // The block still has an argument, which nothing uses.
      Type type = getElementTypeOrSelf(argument.getType());
      argument = arith::ConstantOp::create(builder, body.loc,
                                           builder.getZeroAttr(type));
    } else if (op.isDpsInit(operand)) {
      unsigned result = operand->getOperandNumber() - op.getNumDpsInputs();
      argument = createLoad(builder, body.loc, results[result],
                            op.getMatchingIndexingMap(operand), coordinates);
    } else {
      argument = load(builder, *operand, coordinates);
    }
    arguments.push_back(argument);
  }
  SmallVector<Value> yielded =
      inlineScalarBlock(builder, block, arguments, coordinates);
  for (auto [index, init] : llvm::enumerate(op.getDpsInitsMutable()))
    createStore(builder, body.loc, yielded[index], results[index],
                op.getMatchingIndexingMap(&init), coordinates);
}

void LinalgEmitter::emitStep(OpBuilder &builder, Value step) {
  sync.emitAtStep(builder, step);
  SmallVector<Extent> stepRanges = ranges;
  if (stepLoop)
    stepRanges[*stepLoop] = createTileExtent(
        builder, body.loc, step, tileSizes[*stepLoop], extents[*stepLoop]);
  // The last parallel loop is the innermost, as it usually goes along rows.
  SmallVector<unsigned> order, parallel;
  for (unsigned loop = 0, e = extents.size(); loop != e; ++loop)
    (isParallel(loop) ? parallel : order).push_back(loop);
  if (!parallel.empty()) {
    order.insert(order.begin(), parallel.begin(), parallel.end() - 1);
    order.push_back(parallel.back());
  }
  createPoints(builder, stepRanges, order,
               [&](OpBuilder &builder, ValueRange coordinates) {
                 emitPoint(builder, coordinates);
               });
}

void LinalgEmitter::emit() {
  OpBuilder &builder = body.builder;
  sync.emitBeforeSteps(builder);
  emitInit(builder);
  auto kernel = cast<TileKernelOpInterface>(op.getOperation());
  createLoops(
      builder, body.loc, body.createIndex(kernel.getStepCount()),
      [&](OpBuilder &builder, ValueRange step) { emitStep(builder, step[0]); });
  sync.emitAfterSteps(builder);
  sync.emitPosts(builder);
}

LogicalResult cpu::checkLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("cannot be compiled for the CPU: it must be on "
                          "tensors");
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).isProjectedPermutation())
      return op.emitOpError() << "cannot be compiled for the CPU: it writes "
                                 "result "
                              << init.getOperandNumber() - op.getNumDpsInputs()
                              << " through a map that is not a permutation";
  return checkScalarBlock(op, *op.getBlock());
}

void cpu::emitLinalgTile(linalg::LinalgOp op, const KernelTensors &tensors,
                         const SemaphoreLayout &layout, CPUTileBody &body) {
  LinalgEmitter(op, tensors, layout, body).emit();
}
