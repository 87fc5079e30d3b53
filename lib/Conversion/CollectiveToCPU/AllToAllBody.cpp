//===- AllToAllBody.cpp - Parts of the tensors of all ranks ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CollectiveBody.h"

#include "grout/Conversion/CollectiveToCPU/CollectiveBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;
using collective::AllToAllOp;
using collective::CollectiveOpInterface;

namespace {

/// Copies this rank's part of what each rank has given, one behind the other.
class AllToAllBody : public CollectiveBody {
public:
  bool handles(Operation *kernel) const override {
    return isa<AllToAllOp>(kernel);
  }

protected:
  void emitResult(ImplicitLocOpBuilder &b, CollectiveOpInterface op,
                  const GivenOperands &given, Value result) const override {
    auto exchange = cast<AllToAllOp>(*op);
    uint64_t split = exchange.getSplitDim(), concat = exchange.getConcatDim();
    auto ranks = static_cast<int64_t>(op.getRanks());
    SmallVector<int64_t> part(given.shape);
    part[split] /= ranks;
    Value begin =
        arith::MulIOp::create(b, given.emitOwnRank(b),
                              arith::ConstantIndexOp::create(b, part[split]));
    emitLoops(b, part, [&](ArrayRef<Value> indices) {
      SmallVector<Value> from = emitMoved(b, indices, split, begin);
      for (int64_t rank = 0; rank != ranks; ++rank) {
        Value place = arith::ConstantIndexOp::create(b, rank * part[concat]);
        memref::StoreOp::create(b, given.emitLoad(b, rank, from), result,
                                emitMoved(b, indices, concat, place));
      }
    });
  }
};

} // namespace

std::unique_ptr<TileBodyGenerator> cpu::createAllToAllBodyGenerator() {
  return std::make_unique<AllToAllBody>();
}
