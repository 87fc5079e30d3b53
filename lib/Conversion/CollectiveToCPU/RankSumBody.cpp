//===- RankSumBody.cpp - Sums over ranks on CPUs --------------------------===//
//
// Part of Grout. Each rank adds up its part of what all ranks have given. In an
// all-reduce, that is the whole.
//
//===----------------------------------------------------------------------===//

#include "CollectiveBody.h"

#include "grout/Conversion/CollectiveToCPU/CollectiveBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;
using collective::AllReduceOp;
using collective::CollectiveOpInterface;
using collective::ReduceScatterOp;

/// Emits the sum of the elements of all operands at `indices`, in f32 and
/// rounded once.
static Value emitSum(ImplicitLocOpBuilder &b, const GivenOperands &given,
                     ArrayRef<Value> indices) {
  Type element = given.elementType;
  Value sum;
  for (unsigned rank = 0, ranks = given.addresses.size(); rank != ranks;
       ++rank) {
    Value term = given.emitLoad(b, rank, indices);
    if (!element.isF32())
      term = arith::ExtFOp::create(b, b.getF32Type(), term);
    sum = sum ? arith::AddFOp::create(b, sum, term).getResult() : term;
  }
  return element.isF32() ? sum
                         : arith::TruncFOp::create(b, element, sum).getResult();
}

/// Emits how many elements of dimension `dim` precede the part of this rank.
static Value emitPartBegin(ImplicitLocOpBuilder &b, ReduceScatterOp op,
                           const GivenOperands &given) {
  int64_t extent = op.getOutput().getType().getDimSize(op.getDim());
  return arith::MulIOp::create(b, given.emitOwnRank(b),
                               arith::ConstantIndexOp::create(b, extent));
}

namespace {

class RankSumBody : public CollectiveBody {
public:
  bool handles(Operation *kernel) const override {
    return isa<AllReduceOp, ReduceScatterOp>(kernel);
  }

protected:
  void emitResult(ImplicitLocOpBuilder &b, CollectiveOpInterface op,
                  const GivenOperands &given, Value result) const override {
    auto scatter = dyn_cast<ReduceScatterOp>(*op);
    Value begin = scatter ? emitPartBegin(b, scatter, given) : Value();
    emitLoops(
        b, op.getOutput().getType().getShape(), [&](ArrayRef<Value> indices) {
          SmallVector<Value> at =
              scatter ? emitMoved(b, indices, scatter.getDim(), begin)
                      : SmallVector<Value>(indices);
          memref::StoreOp::create(b, emitSum(b, given, at), result, indices);
        });
  }
};

} // namespace

std::unique_ptr<TileBodyGenerator> cpu::createRankSumBodyGenerator() {
  return std::make_unique<RankSumBody>();
}
