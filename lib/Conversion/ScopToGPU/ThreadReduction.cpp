//===- ThreadReduction.cpp - Combines values of threads -------------------===//
//
// Part of Grout. Within a warp, values are combined by shuffles: each thread
// combines its value with that of the thread whose number differs in one bit.
// Values of several warps are combined through shared memory.
//
//===----------------------------------------------------------------------===//

#include "ThreadReduction.h"

#include "MemoryTypes.h"
#include "grout/Target/GPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The bytes of shared memory for one exchange. One lane of all threads fits.
static constexpr int64_t kExchangeBytes = int64_t(16) * 1024;

Value scop::emitCombination(OpBuilder &builder, Operation *combiner, Value a,
                            Value b) {
  Operation *copy = builder.clone(*combiner);
  copy->setOperands({a, b});
  return copy->getResult(0);
}

namespace {

/// Emits one reduction.
class ThreadReduction {
public:
  ThreadReduction(ImplicitLocOpBuilder &b, Operation *combiner,
                  const ThreadMapping &mapping, Value outerThread,
                  Value innerThread, SharedMemory &shared)
      : b(b), combiner(combiner), mapping(mapping), outerThread(outerThread),
        innerThread(innerThread), shared(shared) {}

  SmallVector<Value> emit(ArrayRef<Value> lanes);

private:
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), value);
  }
  /// Emits the value of the thread whose number in the warp differs in `bit`.
  Value emitExchange(Value value, int64_t bit);
  Value emitShuffle(Value word, int64_t bit);
  /// Returns the address of slot `slot`, an i32, in shared memory.
  Value getSlot(Value memory, Value slot, Type type);
  SmallVector<Value> emitAcrossWarps(ArrayRef<Value> lanes, int64_t parts,
                                     Value part);

  ImplicitLocOpBuilder &b;
  Operation *combiner;
  const ThreadMapping &mapping;
  Value outerThread, innerThread;
  SharedMemory &shared;
};

} // namespace

Value ThreadReduction::emitShuffle(Value word, int64_t bit) {
  return NVVM::ShflOp::create(b, b.getI32Type(), i32(-1), word, i32(bit),
                              i32(kWarpSize - 1), NVVM::ShflKind::bfly,
                              /*return_value_and_is_valid=*/UnitAttr());
}

Value ThreadReduction::emitExchange(Value value, int64_t bit) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(width), i32Type = b.getI32Type();
  if (type != bits)
    value = arith::BitcastOp::create(b, bits, value);
  if (width < 32) {
    value = arith::ExtUIOp::create(b, i32Type, value);
    value = arith::TruncIOp::create(b, bits, emitShuffle(value, bit));
  } else if (width == 32) {
    value = emitShuffle(value, bit);
  } else {
    auto pair = VectorType::get({2}, i32Type);
    Value words = LLVM::BitcastOp::create(b, pair, value);
    Value result = LLVM::UndefOp::create(b, pair);
    for (int64_t i : {0, 1}) {
      Value word = LLVM::ExtractElementOp::create(b, words, i32(i));
      result = LLVM::InsertElementOp::create(b, result, emitShuffle(word, bit),
                                             i32(i));
    }
    value = LLVM::BitcastOp::create(b, bits, result);
  }
  return type != bits ? arith::BitcastOp::create(b, type, value).getResult()
                      : value;
}

Value ThreadReduction::getSlot(Value memory, Value slot, Type type) {
  return LLVM::GEPOp::create(b, memory.getType(), type, memory,
                             ArrayRef<LLVM::GEPArg>{slot});
}

SmallVector<Value> ThreadReduction::emitAcrossWarps(ArrayRef<Value> lanes,
                                                    int64_t parts, Value part) {
  // Slots are numbered (part, lane, outer thread), so that neighbouring threads
  // with different outer threads use neighbouring slots.
  Type type = lanes.front().getType(), inMemory = getMemoryType(type);
  int64_t numLanes = lanes.size();
  int64_t rowSize = mapping.outerThreads;
  int64_t bytes = getBytes(type);
  Value memory = shared.emitForExchange(b, parts * numLanes * rowSize * bytes);
  auto slotOf = [&](Value ofPart, int64_t lane) -> Value {
    Value row = arith::AddIOp::create(
        b, arith::MulIOp::create(b, ofPart, i32(numLanes)), i32(lane));
    return arith::AddIOp::create(b, arith::MulIOp::create(b, row, i32(rowSize)),
                                 outerThread);
  };
  for (auto [lane, value] : llvm::enumerate(lanes))
    LLVM::StoreOp::create(b, toMemory(b, value),
                          getSlot(memory, slotOf(part, lane), inMemory));
  shared.emitBarrier(b);
  SmallVector<Value> results;
  for (int64_t lane = 0; lane != numLanes; ++lane) {
    Value sum;
    for (int64_t other = 0; other != parts; ++other) {
      Value value = LLVM::LoadOp::create(
          b, inMemory, getSlot(memory, slotOf(i32(other), lane), inMemory));
      value = fromMemory(b, value, type);
      sum = sum ? emitCombination(b, combiner, sum, value) : value;
    }
    results.push_back(sum);
  }
  return results;
}

SmallVector<Value> ThreadReduction::emit(ArrayRef<Value> lanes) {
  SmallVector<Value> values(lanes);
  // The bits of the thread's number that belong to the inner thread.
  int64_t first = mapping.isInnerFastest ? 1 : mapping.outerThreads;
  int64_t end = first * mapping.innerThreads;
  for (int64_t bit = first; bit < std::min(end, kWarpSize); bit *= 2)
    for (Value &value : values)
      value = emitCombination(b, combiner, value, emitExchange(value, bit));
  int64_t inWarp = std::max<int64_t>(1, std::min(end, kWarpSize) / first);
  int64_t parts = mapping.innerThreads / inWarp;
  if (parts == 1)
    return values;
  // Threads of a warp with the same value write the same slot.
  Value part =
      arith::ShRUIOp::create(b, innerThread, i32(llvm::Log2_64(inWarp)));
  int64_t bytes =
      parts * mapping.outerThreads * getBytes(values.front().getType());
  size_t atOnce = std::max<int64_t>(1, kExchangeBytes / bytes);
  SmallVector<Value> results;
  for (ArrayRef<Value> rest = values; !rest.empty();
       rest = rest.drop_front(std::min(atOnce, rest.size())))
    llvm::append_range(results,
                       emitAcrossWarps(rest.take_front(atOnce), parts, part));
  return results;
}

FailureOr<SmallVector<Value>>
scop::emitThreadReduction(ImplicitLocOpBuilder &b, StmtOp op,
                          Operation *combiner, ArrayRef<Value> lanes,
                          const ThreadMapping &mapping, Value outerThread,
                          Value innerThread, SharedMemory &shared) {
  unsigned width = lanes.front().getType().getIntOrFloatBitWidth();
  if (width > 64)
    return op.emitOpError() << "cannot be compiled for a GPU: it combines "
                            << "values of " << width << " bits";
  return ThreadReduction(b, combiner, mapping, outerThread, innerThread, shared)
      .emit(lanes);
}
