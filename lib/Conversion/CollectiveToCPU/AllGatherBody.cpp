//===- AllGatherBody.cpp - collective.all_gather on CPUs ------------------===//
//
// Part of Grout. Each rank copies what all ranks have given.
//
//===----------------------------------------------------------------------===//

#include "CollectiveBody.h"

#include "grout/Conversion/CollectiveToCPU/CollectiveBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;
using collective::AllGatherOp;
using collective::CollectiveOpInterface;

namespace {

class AllGatherBody : public CollectiveBody {
public:
  bool handles(Operation *kernel) const override {
    return isa<AllGatherOp>(kernel);
  }

protected:
  void emitResult(ImplicitLocOpBuilder &b, CollectiveOpInterface op,
                  const GivenOperands &given, Value result) const override {
    uint64_t dim = cast<AllGatherOp>(*op).getDim();
    emitLoops(b, given.shape, [&](ArrayRef<Value> indices) {
      for (unsigned rank = 0, ranks = op.getRanks(); rank != ranks; ++rank) {
        Value begin =
            arith::ConstantIndexOp::create(b, rank * given.shape[dim]);
        memref::StoreOp::create(b, given.emitLoad(b, rank, indices), result,
                                emitMoved(b, indices, dim, begin));
      }
    });
  }
};

} // namespace

std::unique_ptr<TileBodyGenerator> cpu::createAllGatherBodyGenerator() {
  return std::make_unique<AllGatherBody>();
}
