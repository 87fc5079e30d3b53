//===- OnlineSoftmax.cpp - Weights of keys, step by step ------------------===//
//
// Part of Grout. Accumulator 4 j + 2 h + e is the product in row 8 h and column
// 8 j + e, counted from the thread's first row and column. All loops are
// unrolled, because registers cannot be indexed.
//
//===----------------------------------------------------------------------===//

#include "OnlineSoftmax.h"

#include "AttentionRoles.h"
#include "grout/Hopper/Kit/Accumulators.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// The number of partial maxima and sums of a row, so that instructions do not
/// wait for each other.
static constexpr int64_t kPartials = 4;

OnlineSoftmax::OnlineSoftmax(const AttentionContext &context, Value rowGroup)
    : context(context), b(context.b), columns(context.plan.tiling.getN()),
      rows(context.plan.getThreadRows()),
      scale(context.op().getScale().convertToFloat()),
      isPlain(!context.plan.bias && scale > 0),
      unit((isPlain ? scale : 1) * llvm::numbers::log2e) {
  int64_t groupRows =
      context.plan.tiling.getHeads() * context.plan.getRowGroupQueries();
  Value row = b.add(b.mul(rowGroup, groupRows), getWarpRow(context));
  row = b.add(row, getLaneRow(context));
  firstColumn = getLaneColumn(context);
  Value keys = b.i32(context.op().getKeys());
  for (int64_t half = 0; half != 2; ++half) {
    Value own = b.add(row, kHalfRows * half);
    heads[half] = context.getHead(own);
    queries[half] = context.getQuery(own);
    limits[half] = keys;
    if (std::optional<int64_t> causal = context.op().getCausal())
      limits[half] =
          arith::MinSIOp::create(b, keys, b.add(queries[half], *causal + 1));
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value OnlineSoftmax::createFloat(double value) {
  return arith::ConstantOp::create(
      b, b.getF32FloatAttr(static_cast<float>(value)));
}

Value OnlineSoftmax::emitFMA(Value a, Value x, Value y) {
  return LLVM::FMAOp::create(b, a, x, y);
}

Value OnlineSoftmax::emitExp2(Value x) {
  return b.assembly(b.getF32Type(), x, "ex2.approx.ftz.f32 $0, $1;", "=f,f",
                    /*touchesMemory=*/false);
}

Value OnlineSoftmax::emitOverRow(Value value,
                                 function_ref<Value(Value, Value)> combine) {
  for (int64_t distance : {1, 2}) {
    Value other = NVVM::ShflOp::create(b, b.getF32Type(), b.i32(-1), value,
                                       b.i32(distance), b.i32(kWarpSize - 1),
                                       NVVM::ShflKind::bfly, UnitAttr());
    value = combine(value, other);
  }
  return value;
}

Value OnlineSoftmax::emitOrigin(Value largest) {
  Value isNone = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, largest,
                                       createFloat(-kInfinity));
  return arith::SelectOp::create(b, isNone, createFloat(0), largest);
}

Value OnlineSoftmax::emitFactor(Value score, Value largest) {
  Value difference = arith::SubFOp::create(b, score, largest);
  return emitExp2(arith::MulFOp::create(b, difference, createFloat(unit)));
}

Value OnlineSoftmax::emitQuotient(Value factor, Value total) {
  Value quotient = arith::DivFOp::create(b, factor, total);
  if (!context.op().getZeroWithoutKeys())
    return quotient;
  Value zero = createFloat(0);
  Value isNone =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, total, zero);
  return arith::SelectOp::create(b, isNone, zero, quotient);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

SoftmaxState OnlineSoftmax::getInitialState() {
  Value none = createFloat(-kInfinity), zero = createFloat(0);
  return {{none, none}, {zero, zero}};
}

Value OnlineSoftmax::emitBias(Value step, int64_t half, int64_t column,
                              bool isMasked) {
  StridedTensor bias = *context.plan.bias;
  // Elements outside of the tensor are not read. They are masked afterwards.
  Value key = b.add(b.add(b.mul(step, columns), firstColumn), column);
  if (isMasked)
    key = arith::MinUIOp::create(b, key, b.i32(context.op().getKeys() - 1));
  Value query = arith::MinUIOp::create(b, queries[half],
                                       b.i32(context.op().getQueries() - 1));
  Value head = heads[half];
  if (context.plan.hasFewerHeads())
    head = arith::MinUIOp::create(b, head, b.i32(context.op().getHeads() - 1));
  Value coordinates[] = {context.batch, head, query, key};
  Value address = emitElementAddress(context, bias, coordinates);
  Value value = LLVM::LoadOp::create(b, bias.elementType, address,
                                     bias.elementType.getWidth() / 8);
  if (!bias.elementType.isF32())
    value = arith::ExtFOp::create(b, b.getF32Type(), value);
  return value;
}

SmallVector<Value> OnlineSoftmax::emitScores(Value accumulators, Value step,
                                             bool isMasked) {
  SmallVector<Value> scores;
  for (int64_t i = 0; i != columns / 2; ++i)
    scores.push_back(emitAccumulator(b, accumulators, i));
  if (!isPlain) {
    Value factor = createFloat(scale);
    for (auto [i, score] : llvm::enumerate(scores)) {
      int64_t half = i / 2 % 2, column = 8 * (i / 4) + i % 2;
      if (half >= rows)
        continue;
      score =
          context.plan.bias
              ? emitFMA(score, factor, emitBias(step, half, column, isMasked))
              : arith::MulFOp::create(b, score, factor).getResult();
    }
  }
  if (!isMasked)
    return scores;
  Value first = b.add(b.mul(step, columns), firstColumn);
  Value none = createFloat(-kInfinity);
  for (int64_t half = 0; half != rows; ++half) {
    Value limit = b.sub(limits[half], first);
    for (int64_t group = 0; group != columns / 8; ++group)
      for (int64_t e = 0; e != 2; ++e) {
        Value &score = scores[4 * group + 2 * half + e];
        Value isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                              b.i32(8 * group + e), limit);
        score = arith::SelectOp::create(b, isThere, score, none);
      }
  }
  return scores;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

OnlineSoftmax::Step OnlineSoftmax::emitStep(Value accumulators, Value step,
                                            bool isMasked,
                                            const SoftmaxState &state) {
  SmallVector<Value> scores = emitScores(accumulators, step, isMasked);
  auto maximum = [&](Value x, Value y) -> Value {
    return LLVM::MaxNumOp::create(b, x, y);
  };
  auto sum = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, x, y);
  };
  // Combines the elements of row `half`: two of every four accumulators.
  auto reduce = [&](ArrayRef<Value> values, int64_t half,
                    function_ref<Value(Value, Value)> combine) {
    SmallVector<Value, kPartials> partials;
    for (int64_t i = 0; i != columns / 4; ++i) {
      Value value = values[4 * (i / 2) + 2 * half + i % 2];
      if (i < kPartials)
        partials.push_back(value);
      else
        partials[i % kPartials] = combine(partials[i % kPartials], value);
    }
    while (partials.size() > 1) {
      Value last = partials.pop_back_val();
      partials.front() = combine(partials.front(), last);
    }
    return partials.front();
  };

  // Without a mask and a bias, every row has a finite score.
  bool mayBeNone = isMasked || context.plan.bias.has_value();
  Step result;
  result.weights.resize(scores.size());
  result.state = state;
  for (int64_t half = 0; half != rows; ++half) {
    Value largest = emitOverRow(reduce(scores, half, maximum), maximum);
    largest = maximum(largest, state.largest[half]);
    result.state.largest[half] = largest;
    Value origin = mayBeNone ? emitOrigin(largest) : largest;
    result.factors[half] = emitFactor(state.largest[half], origin);
    Value shift = arith::MulFOp::create(b, origin, createFloat(-unit));
    for (int64_t i = 0, e = static_cast<int64_t>(scores.size()); i != e; ++i)
      if (i / 2 % 2 == half)
        // A bias may be the lowest number of f32, and its product with the unit
        // would be infinite.
        result.weights[i] =
            isPlain ? emitExp2(emitFMA(scores[i], createFloat(unit), shift))
                    : emitFactor(scores[i], origin);
    Value kept =
        arith::MulFOp::create(b, state.total[half], result.factors[half]);
    result.state.total[half] = sum(kept, reduce(result.weights, half, sum));
  }
  return result;
}

SoftmaxState OnlineSoftmax::emitTotals(const SoftmaxState &state) {
  SoftmaxState totals = state;
  for (Value &total : MutableArrayRef(totals.total).take_front(rows))
    total = emitOverRow(total, [&](Value x, Value y) -> Value {
      return arith::AddFOp::create(b, x, y);
    });
  return totals;
}

OnlineSoftmax::JoinedPart
OnlineSoftmax::emitPartFactors(ArrayRef<Value> largest, ArrayRef<Value> total) {
  JoinedPart joined;
  joined.largest = largest.front();
  for (Value other : largest.drop_front())
    joined.largest = LLVM::MaxNumOp::create(b, joined.largest, other);
  Value origin = emitOrigin(joined.largest);
  for (auto [score, part] : llvm::zip_equal(largest, total)) {
    joined.factors.push_back(emitFactor(score, origin));
    Value scaled = arith::MulFOp::create(b, part, joined.factors.back());
    joined.total =
        joined.total
            ? arith::AddFOp::create(b, joined.total, scaled).getResult()
            : scaled;
  }
  return joined;
}

SmallVector<Value> OnlineSoftmax::emitJoinFactors(ArrayRef<Value> largest,
                                                  ArrayRef<Value> total) {
  JoinedPart joined = emitPartFactors(largest, total);
  Value reciprocal = emitQuotient(createFloat(1), joined.total);
  for (Value &factor : joined.factors)
    factor = arith::MulFOp::create(b, factor, reciprocal);
  return joined.factors;
}

Value OnlineSoftmax::emitScore(Value largest) {
  if (!isPlain)
    return largest;
  return arith::MulFOp::create(b, largest, createFloat(scale));
}
