//===- AttentionTileBody.cpp - A tile of tgemm.attention on the CPU -------===//
//
// Part of Grout. Computes an online softmax row by row. Each step packs its
// keys into a local f32 array with one row for each element. So the scores of a
// query, and the sums of values, are computed along contiguous rows, which LLVM
// vectorises.
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"
#include "grout/Conversion/TGemmToCPU/KernelSync.h"
#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

namespace {

/// A row of a tile: its number in local arrays, and its head and query in the
/// tensors.
struct TileRow {
  Value number, head, query;
};

/// Emits the tile of one attention op.
class AttentionEmitter {
public:
  AttentionEmitter(tgemm::AttentionOp op, const KernelTensors &tensors,
                   const SemaphoreLayout &layout, CPUTileBody &body);
  void emit();

private:
  using EmitRow = function_ref<void(OpBuilder &, const TileRow &)>;

  /// Calls `emit` for each row of the tile.
  void createRows(OpBuilder &builder, EmitRow emit);
  void emitClear(OpBuilder &builder);
  void emitStep(OpBuilder &builder, Value step);
  void emitPack(OpBuilder &builder);
  void emitProducts(OpBuilder &builder, const TileRow &row);
  /// Turns the products of a row into scores.
  void emitScores(OpBuilder &builder, const TileRow &row);
  /// Turns the scores of a row into exponentials relative to its largest score
  /// so far. Rescales the sums so far, too.
  void emitExponentials(OpBuilder &builder, const TileRow &row);
  void emitSums(OpBuilder &builder, const TileRow &row);
  Value emitQuotient(OpBuilder &builder, Value sum, Value divisor);
  void emitQuotients(OpBuilder &builder);

  /// Replaces each score of the step by the value that `emit` returns for it.
  void mapScores(OpBuilder &builder,
                 function_ref<Value(OpBuilder &, Value key, Value score)> emit);
  /// Combines all scores of the step by `OpT`, starting from `init`.
  template <typename OpT> Value reduceScores(OpBuilder &builder, Value init);

  /// Returns element (position, element) of operand `number`, keys or values,
  /// as f32.
  Value loadElement(OpBuilder &builder, unsigned number, Value position,
                    Value element);
  Value load(OpBuilder &builder, Value memref, ValueRange at) {
    return memref::LoadOp::create(builder, body.loc, memref, at);
  }
  void store(OpBuilder &builder, Value value, Value memref, ValueRange at) {
    memref::StoreOp::create(builder, body.loc, value, memref, at);
  }
  Value widen(OpBuilder &builder, Value value) {
    if (value.getType().isF32())
      return value;
    return arith::ExtFOp::create(builder, body.loc, builder.getF32Type(),
                                 value);
  }
  Value add(OpBuilder &builder, Value a, Value b) {
    return arith::AddIOp::create(builder, body.loc, a, b);
  }
  Value createFloat(OpBuilder &builder, float value) {
    return arith::ConstantOp::create(builder, body.loc,
                                     builder.getF32FloatAttr(value));
  }

  tgemm::AttentionOp op;
  tgemm::AttentionTilingAttr tiling;
  CPUTileBody &body;
  KernelSync sync;
  SmallVector<Value> operands; // as memrefs
  Value result;
  Value keyHead;
  Extent heads, queries, keys; // of the tile, and of a step
  Value panel;                 // elements x keys of a step
  Value scores;                // of a row and a step
  Value sums;                  // of values, for each row
  Value largest, total;        // of each row
};

} // namespace

AttentionEmitter::AttentionEmitter(tgemm::AttentionOp op,
                                   const KernelTensors &tensors,
                                   const SemaphoreLayout &layout,
                                   CPUTileBody &body)
    : op(op), tiling(*op.getTiling()), body(body),
      sync(op, layout, body, [](unsigned) { return false; }) {
  OpBuilder &builder = body.builder;
  for (const KernelOperand &operand : tensors.operands)
    operands.push_back(body.getMemRef(operand.view));
  result = body.getMemRef(tensors.results[0]);
  heads = createTileExtent(builder, body.loc, body.tile[1], tiling.getHeads(),
                           op.getHeads());
  keyHead = arith::DivUIOp::create(builder, body.loc, heads.begin,
                                   body.createIndex(op.getGroup()));
  queries = createTileExtent(builder, body.loc, body.tile[2],
                             tiling.getQueries(), op.getQueries());
  Type f32 = builder.getF32Type();
  int64_t n = std::min(tiling.getN(), op.getKeys());
  panel = body.createLocal({op.getKeySize(), n}, f32);
  scores = body.createLocal({n}, f32);
  sums = body.createLocal({tiling.getM(), op.getValueSize()}, f32);
  largest = body.createLocal({tiling.getM()}, f32);
  total = body.createLocal({tiling.getM()}, f32);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void AttentionEmitter::createRows(OpBuilder &builder, EmitRow emit) {
  SmallVector<Value> sizes = {heads.size, queries.size};
  createLoops(builder, body.loc, sizes, [&](OpBuilder &builder, ValueRange at) {
    Value first = arith::MulIOp::create(builder, body.loc, at[0],
                                        body.createIndex(tiling.getQueries()));
    emit(builder, {add(builder, first, at[1]), add(builder, heads.begin, at[0]),
                   add(builder, queries.begin, at[1])});
  });
}

void AttentionEmitter::mapScores(
    OpBuilder &builder,
    function_ref<Value(OpBuilder &, Value key, Value score)> emit) {
  createLoops(builder, body.loc, keys.size,
              [&](OpBuilder &builder, ValueRange at) {
                Value score = load(builder, scores, at);
                store(builder, emit(builder, at[0], score), scores, at);
              });
}

template <typename OpT>
Value AttentionEmitter::reduceScores(OpBuilder &builder, Value init) {
  Value zero = body.createIndex(0), one = body.createIndex(1);
  auto loop = scf::ForOp::create(builder, body.loc, zero, keys.size, one, init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value score = load(builder, scores, loop.getInductionVar());
  Value reduced =
      OpT::create(builder, body.loc, loop.getRegionIterArg(0), score);
  scf::YieldOp::create(builder, body.loc, reduced);
  return loop.getResult(0);
}

Value AttentionEmitter::loadElement(OpBuilder &builder, unsigned number,
                                    Value position, Value element) {
  Value key = add(builder, keys.begin, position);
  return widen(builder, createLoad(builder, body.loc, operands[number],
                                   op.getOperandLayout(number),
                                   {body.tile[0], keyHead, key, element}));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitClear(OpBuilder &builder) {
  Value zero = createFloat(builder, 0);
  Value none = createFloat(builder, -std::numeric_limits<float>::infinity());
  createRows(builder, [&](OpBuilder &builder, const TileRow &row) {
    store(builder, none, largest, row.number);
    store(builder, zero, total, row.number);
    createLoops(builder, body.loc, body.createIndex(op.getValueSize()),
                [&](OpBuilder &builder, ValueRange at) {
                  store(builder, zero, sums, {row.number, at[0]});
                });
  });
}

void AttentionEmitter::emitPack(OpBuilder &builder) {
  // The inner loop goes along the keys in the order in which they are stored.
  createLoops(builder, body.loc, {keys.size, body.createIndex(op.getKeySize())},
              [&](OpBuilder &builder, ValueRange at) {
                Value element = loadElement(builder, 1, at[0], at[1]);
                store(builder, element, panel, {at[1], at[0]});
              });
}

void AttentionEmitter::emitProducts(OpBuilder &builder, const TileRow &row) {
  mapScores(builder, [&](OpBuilder &builder, Value, Value) {
    return createFloat(builder, 0);
  });
  createLoops(
      builder, body.loc, body.createIndex(op.getKeySize()),
      [&](OpBuilder &builder, ValueRange element) {
        Value factor = widen(
            builder,
            createLoad(builder, body.loc, operands[0], op.getOperandLayout(0),
                       {body.tile[0], row.head, row.query, element[0]}));
        mapScores(builder, [&](OpBuilder &builder, Value key, Value score) {
          Value other = load(builder, panel, {element[0], key});
          return math::FmaOp::create(builder, body.loc, factor, other, score);
        });
      });
}

void AttentionEmitter::emitScores(OpBuilder &builder, const TileRow &row) {
  Value scale = createFloat(builder, op.getScale().convertToFloat());
  mapScores(builder, [&](OpBuilder &builder, Value position, Value product) {
    Value key = add(builder, keys.begin, position);
    Value score = arith::MulFOp::create(builder, body.loc, product, scale);
    if (op.getBias()) {
      Value bias = createLoad(builder, body.loc, operands[3], *op.getBiasMap(),
                              {body.tile[0], row.head, row.query, key});
      score =
          arith::AddFOp::create(builder, body.loc, score, widen(builder, bias));
    }
    std::optional<int64_t> causal = op.getCausal();
    if (!causal)
      return score;
    Value last = add(builder, row.query, body.createIndex(*causal));
    Value isAllowed = arith::CmpIOp::create(
        builder, body.loc, arith::CmpIPredicate::sle, key, last);
    return arith::SelectOp::create(
               builder, body.loc, isAllowed, score,
               createFloat(builder, -std::numeric_limits<float>::infinity()))
        .getResult();
  });
}

void AttentionEmitter::emitExponentials(OpBuilder &builder,
                                        const TileRow &row) {
  Location loc = body.loc;
  Value before = load(builder, largest, row.number);
  Value after = reduceScores<arith::MaximumFOp>(builder, before);
  store(builder, after, largest, row.number);
  // If all scores so far are minus infinity, all exponentials are 0.
  Value none = createFloat(builder, -std::numeric_limits<float>::infinity());
  Value isNone = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       after, none);
  Value origin = arith::SelectOp::create(builder, loc, isNone,
                                         createFloat(builder, 0), after);
  mapScores(builder, [&](OpBuilder &builder, Value, Value score) {
    Value distance = arith::SubFOp::create(builder, loc, score, origin);
    return math::ExpOp::create(builder, loc, distance).getResult();
  });
  Value distance = arith::SubFOp::create(builder, loc, before, origin);
  Value factor = math::ExpOp::create(builder, loc, distance);
  Value kept = arith::MulFOp::create(builder, loc,
                                     load(builder, total, row.number), factor);
  store(builder, reduceScores<arith::AddFOp>(builder, kept), total, row.number);
  createLoops(builder, loc, body.createIndex(op.getValueSize()),
              [&](OpBuilder &builder, ValueRange at) {
                SmallVector<Value> place = {row.number, at[0]};
                Value sum = arith::MulFOp::create(
                    builder, loc, load(builder, sums, place), factor);
                store(builder, sum, sums, place);
              });
}

void AttentionEmitter::emitSums(OpBuilder &builder, const TileRow &row) {
  createLoops(
      builder, body.loc, keys.size, [&](OpBuilder &builder, ValueRange key) {
        Value weight = load(builder, scores, key);
        createLoops(builder, body.loc, body.createIndex(op.getValueSize()),
                    [&](OpBuilder &builder, ValueRange at) {
                      SmallVector<Value> place = {row.number, at[0]};
                      Value value = loadElement(builder, 2, key[0], at[0]);
                      Value sum = load(builder, sums, place);
                      sum = math::FmaOp::create(builder, body.loc, weight,
                                                value, sum);
                      store(builder, sum, sums, place);
                    });
      });
}

void AttentionEmitter::emitStep(OpBuilder &builder, Value step) {
  keys = createTileExtent(builder, body.loc, step, tiling.getN(), op.getKeys());
  emitPack(builder);
  createRows(builder, [&](OpBuilder &builder, const TileRow &row) {
    emitProducts(builder, row);
    emitScores(builder, row);
    emitExponentials(builder, row);
    emitSums(builder, row);
  });
}

Value AttentionEmitter::emitQuotient(OpBuilder &builder, Value sum,
                                     Value divisor) {
  Location loc = body.loc;
  Value quotient = arith::DivFOp::create(builder, loc, sum, divisor);
  if (!op.getZeroWithoutKeys())
    return quotient;
  // If the row has any key, its largest score alone makes the sum at least 1.
  Value zero = createFloat(builder, 0);
  Value isNone = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       divisor, zero);
  return arith::SelectOp::create(builder, loc, isNone, zero, quotient);
}

void AttentionEmitter::emitQuotients(OpBuilder &builder) {
  Location loc = body.loc;
  createRows(builder, [&](OpBuilder &builder, const TileRow &row) {
    Value divisor = load(builder, total, row.number);
    createLoops(builder, loc, body.createIndex(op.getValueSize()),
                [&](OpBuilder &builder, ValueRange at) {
                  Value sum = load(builder, sums, {row.number, at[0]});
                  Value element = emitQuotient(builder, sum, divisor);
                  if (!op.getResultElementType().isF32())
                    element = arith::TruncFOp::create(
                        builder, loc, op.getResultElementType(), element);
                  createStore(builder, loc, element, result,
                              op.getResultLayout(),
                              {body.tile[0], row.head, row.query, at[0]});
                });
  });
}

void AttentionEmitter::emit() {
  OpBuilder &builder = body.builder;
  emitClear(builder);
  sync.emitBeforeSteps(builder);
  Value steps = body.createIndex(op.getStepCount());
  createLoops(
      builder, body.loc, steps, [&](OpBuilder &builder, ValueRange step) {
        // Steps without keys wait, too: policies do not know causal masks.
        sync.emitAtStep(builder, step[0]);
        std::optional<int64_t> causal = op.getCausal();
        if (!causal)
          return emitStep(builder, step[0]);
        Value first = arith::MulIOp::create(builder, body.loc, step[0],
                                            body.createIndex(tiling.getN()));
        Value end = add(builder, queries.begin, queries.size);
        end = add(builder, end, body.createIndex(*causal));
        Value hasKeys = arith::CmpIOp::create(
            builder, body.loc, arith::CmpIPredicate::slt, first, end);
        auto branch = scf::IfOp::create(builder, body.loc, hasKeys);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        emitStep(builder, step[0]);
      });
  sync.emitAfterSteps(builder);
  emitQuotients(builder);
  sync.emitPosts(builder);
}

bool cpu::fitsLocalMemory(tgemm::AttentionOp op, int64_t rows, int64_t keys) {
  // Computed in floating point, as products of extents may overflow.
  double elements =
      static_cast<double>(rows) * static_cast<double>(op.getValueSize() + 2) +
      static_cast<double>(std::min(keys, op.getKeys())) *
          static_cast<double>(op.getKeySize() + 1);
  return elements * sizeof(float) <= kMaxLocalBytes;
}

LogicalResult cpu::checkAttention(tgemm::AttentionOp op) {
  if (op.getPartKeys())
    return op.emitOpError()
           << "cannot be compiled for the CPU: its keys are in parts";
  if (!fitsLocalMemory(op, op.getTiling()->getM(), op.getTiling()->getN()))
    return op.emitOpError()
           << "cannot be compiled for the CPU: a tile needs more than "
           << kMaxLocalBytes << " bytes of local memory; use a smaller tiling";
  return success();
}

void cpu::emitAttentionTile(tgemm::AttentionOp op, const KernelTensors &tensors,
                            const SemaphoreLayout &layout, CPUTileBody &body) {
  AttentionEmitter(op, tensors, layout, body).emit();
}
