//===- PeerWords.cpp - Data that ranks store for each other ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/PeerWords.h"

#include "grout/Conversion/Common/SyncState.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Runtime/DeviceABI.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <algorithm>

using namespace mlir;
using namespace grout;

static constexpr int64_t kWordBytes = 4;
/// A thread polls at most so many vectors at once.
static constexpr int64_t kMostPolled = 4;

int64_t grout::getWordBytes(int64_t elements, int64_t elementBytes) {
  return std::max(elements * elementBytes, kWordBytes);
}

static int64_t getElementBytes(VectorType type) {
  return type.getElementTypeBitWidth() / 8;
}

/// Returns the number of words that a vector of `type` is sent as.
static int64_t getNumWords(VectorType type) {
  return getWordBytes(type.getNumElements(), getElementBytes(type)) /
         kWordBytes;
}

static Value emitI32(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI32Type(), value);
}

/// A vector of `count` words that are all `value`.
static Value emitSplat(ImplicitLocOpBuilder &b, int64_t count, int32_t value) {
  auto type = VectorType::get(count, b.getI32Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, value));
}

static Value emitExtract(ImplicitLocOpBuilder &b, Value vector, int64_t index) {
  return LLVM::ExtractElementOp::create(b, vector, emitI32(b, index));
}

/// Emits `code`, which accesses memory.
static Value emitAccess(ImplicitLocOpBuilder &b, Type result,
                        ValueRange operands, const std::string &code,
                        const std::string &constraints) {
  auto op = LLVM::InlineAsmOp::create(
      b, result, operands, code, constraints + ",~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  return result ? op.getRes() : Value();
}

/// Returns operands $first, $first + 1 and so on as a register or a vector of
/// registers, and the suffix that an access to them has.
static std::pair<std::string, std::string> getRegisters(int64_t first,
                                                        int64_t count) {
  std::string list;
  for (int64_t i = 0; i != count; ++i)
    list += (i ? ", $" : "$") + std::to_string(first + i);
  if (count == 1)
    return {list, ".b32"};
  return {"{" + list + "}", ".v" + std::to_string(count) + ".b32"};
}

static Value emitGlobal(ImplicitLocOpBuilder &b, Value pointer) {
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  return LLVM::AddrSpaceCastOp::create(b, global, pointer);
}

/// Stores a vector of words at `address`, in global memory.
static void emitStore(ImplicitLocOpBuilder &b, Value words, Value address) {
  int64_t count = cast<VectorType>(words.getType()).getNumElements();
  SmallVector<Value> operands = {address};
  std::string constraints = "l";
  for (int64_t i = 0; i != count; ++i) {
    operands.push_back(emitExtract(b, words, i));
    constraints += ",r";
  }
  auto [registers, suffix] = getRegisters(1, count);
  emitAccess(b, Type(), operands,
             "st.relaxed.sys.global" + suffix + " [$0], " + registers + ";",
             constraints);
}

/// Loads `count` words from `address`, in global memory.
static SmallVector<Value> emitLoad(ImplicitLocOpBuilder &b, int64_t count,
                                   Value address) {
  Type word = b.getI32Type();
  Type result = word;
  std::string constraints = "=r";
  if (count != 1)
    result = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                              SmallVector<Type>(count, word));
  for (int64_t i = 1; i != count; ++i)
    constraints += ",=r";
  auto [registers, suffix] = getRegisters(0, count);
  Value loaded = emitAccess(b, result, address,
                            "ld.relaxed.sys.global" + suffix + " " + registers +
                                ", [$" + std::to_string(count) + "];",
                            constraints + ",l");
  if (count == 1)
    return {loaded};
  SmallVector<Value> words;
  for (int64_t i = 0; i != count; ++i)
    words.push_back(
        LLVM::ExtractValueOp::create(b, loaded, ArrayRef<int64_t>{i}));
  return words;
}

Value grout::emitWords(ImplicitLocOpBuilder &b, Value value) {
  auto type = cast<VectorType>(value.getType());
  int64_t count = getNumWords(type);
  Value words;
  int64_t bytes = type.getNumElements() * getElementBytes(type);
  if (bytes < kWordBytes) {
    Value bits = LLVM::BitcastOp::create(
        b, VectorType::get(1, b.getIntegerType(8 * bytes)), value);
    words = arith::ExtUIOp::create(b, VectorType::get(1, b.getI32Type()), bits);
  } else {
    words = LLVM::BitcastOp::create(b, VectorType::get(count, b.getI32Type()),
                                    value);
  }
  Value inverted = arith::XOrIOp::create(b, words, emitSplat(b, count, -1));
  return arith::MaxUIOp::create(b, inverted, emitSplat(b, count, 1));
}

void grout::emitSend(ImplicitLocOpBuilder &b, Value words, Value address) {
  emitStore(b, words, emitGlobal(b, address));
}

/// Whether one of `words` is 0.
static Value emitIsMissing(ImplicitLocOpBuilder &b, ValueRange words) {
  Value least = words.front();
  for (Value word : words.drop_front())
    least = arith::MinUIOp::create(b, least, word);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, least,
                               emitI32(b, 0));
}

/// Loads `count` words of `rank` from `address` until all are there.
static void emitPoll(ImplicitLocOpBuilder &b, int64_t count, Value address,
                     Value rank, Value semaphores) {
  auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  Value isMissing = emitIsMissing(b, emitLoad(b, count, address));
  scf::ConditionOp::create(
      b,
      tsync::PollAgainOp::create(b, b.getI1Type(), semaphores, isMissing, rank),
      ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b);
}

/// Loads the words of vectors until all are there, and returns all words. If
/// there are many vectors, it then polls only one that is missing: more would
/// take bandwidth of the cache from other warps.
static SmallVector<Value> emitWait(ImplicitLocOpBuilder &b, int64_t count,
                                   ArrayRef<Value> addresses,
                                   ArrayRef<PeerVector> vectors,
                                   Value semaphores) {
  SmallVector<Type> types(addresses.size() * count, b.getI32Type());
  types.append({addresses.front().getType(), b.getI32Type()});
  auto loop = scf::WhileOp::create(b, types, ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  SmallVector<Value> loaded;
  Value isMissing, missing, rank;
  for (auto [vector, address] : llvm::zip_equal(vectors, addresses)) {
    SmallVector<Value> words = emitLoad(b, count, address);
    loaded.append(words);
    Value lacks = emitIsMissing(b, words);
    if (vector.isThere)
      lacks = arith::AndIOp::create(b, vector.isThere, lacks);
    if (!isMissing) {
      isMissing = lacks;
      missing = address;
      rank = vector.rank;
      continue;
    }
    isMissing = arith::OrIOp::create(b, isMissing, lacks);
    missing = arith::SelectOp::create(b, lacks, address, missing);
    rank = arith::SelectOp::create(b, lacks, vector.rank, rank);
  }
  loaded.append({missing, rank});
  scf::ConditionOp::create(
      b,
      tsync::PollAgainOp::create(b, b.getI1Type(), semaphores, isMissing, rank),
      loaded);
  Block *again = b.createBlock(&loop.getAfter(), {}, types,
                               SmallVector<Location>(types.size(), b.getLoc()));
  if (static_cast<int64_t>(vectors.size()) > kMostPolled)
    emitPoll(b, count, *std::prev(again->args_end(), 2),
             again->getArguments().back(), semaphores);
  scf::YieldOp::create(b);
  return llvm::to_vector_of<Value>(loop.getResults().drop_back(2));
}

/// Returns the vector of `type` that was sent as `words`.
static Value emitValue(ImplicitLocOpBuilder &b, ValueRange words,
                       VectorType type) {
  auto count = static_cast<int64_t>(words.size());
  Value vector =
      LLVM::PoisonOp::create(b, VectorType::get(count, b.getI32Type()));
  for (auto [index, word] : llvm::enumerate(words))
    vector = LLVM::InsertElementOp::create(
        b, vector, word, emitI32(b, static_cast<int64_t>(index)));
  vector = arith::XOrIOp::create(b, vector, emitSplat(b, count, -1));
  int64_t bytes = type.getNumElements() * getElementBytes(type);
  if (bytes < kWordBytes)
    vector = arith::TruncIOp::create(
        b, VectorType::get(1, b.getIntegerType(8 * bytes)), vector);
  return LLVM::BitcastOp::create(b, type, vector);
}

SmallVector<Value> grout::emitReceive(ImplicitLocOpBuilder &b,
                                      ArrayRef<PeerVector> vectors,
                                      VectorType type, Value state) {
  int64_t count = getNumWords(type);
  SmallVector<Value> addresses =
      llvm::map_to_vector(vectors, [&](const PeerVector &vector) {
        return emitGlobal(b, vector.address);
      });
  SmallVector<Value> words =
      emitWait(b, count, addresses, vectors, emitSemaphores(b, state));
  // The kernel's end makes these stores visible: before that, no rank stores
  // there again.
  Value zero = emitSplat(b, count, 0);
  SmallVector<Value> values;
  for (auto [number, vector] : llvm::enumerate(vectors)) {
    Value address = addresses[number];
    auto clear = [&] {
      LLVM::StoreOp::create(b, zero, address, count * kWordBytes);
    };
    if (vector.isThere) {
      auto choice = scf::IfOp::create(b, vector.isThere);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(choice.thenBlock());
      clear();
    } else {
      clear();
    }
    values.push_back(
        emitValue(b, ValueRange(words).slice(number * count, count), type));
  }
  return values;
}

Value grout::emitRankSum(ImplicitLocOpBuilder &b, ValueRange terms) {
  auto type = cast<VectorType>(terms.front().getType());
  auto wide = VectorType::get(type.getShape(), b.getF32Type());
  bool isWide = type == wide;
  Value sum;
  for (Value term : terms) {
    if (!isWide)
      term = arith::ExtFOp::create(b, wide, term);
    sum = sum ? arith::AddFOp::create(b, sum, term).getResult() : term;
  }
  return isWide ? sum : arith::TruncFOp::create(b, type, sum).getResult();
}

SmallVector<Value> grout::emitReceivedSums(ImplicitLocOpBuilder &b,
                                           ArrayRef<PeerVector> vectors,
                                           size_t ranks, VectorType type,
                                           Value state) {
  SmallVector<Value> terms = emitReceive(b, vectors, type, state);
  SmallVector<Value> sums;
  for (size_t first = 0; first != terms.size(); first += ranks)
    sums.push_back(emitRankSum(b, ValueRange(terms).slice(first, ranks)));
  return sums;
}

Value grout::emitPlaceSet(ImplicitLocOpBuilder &b, Value state, int64_t sets,
                          int64_t setBytes) {
  auto emitI64 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  if (sets == 1)
    return emitI64(0);
  Value epoch = LLVM::LoadOp::create(
      b, b.getI32Type(), emitStateWord(b, state, kernelabi::kEpochWord));
  Value parity = arith::AndIOp::create(b, epoch, emitI32(b, 1));
  return arith::MulIOp::create(
      b, arith::ExtUIOp::create(b, b.getI64Type(), parity), emitI64(setBytes));
}

Value grout::emitSelectedPeer(ImplicitLocOpBuilder &b, ValueRange peers,
                              Value number) {
  Value selected = peers.front();
  for (auto [index, peer] : llvm::drop_begin(llvm::enumerate(peers))) {
    Value isPeer =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, number,
                              emitI32(b, static_cast<int64_t>(index)));
    selected = arith::SelectOp::create(b, isPeer, peer, selected);
  }
  return selected;
}
