//===- DeviceBuilder.cpp - Builds device code -----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/DeviceBuilder.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value DeviceBuilder::i32(int64_t value) {
  return arith::ConstantIntOp::create(*this, getI32Type(), value);
}

Value DeviceBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}

Value DeviceBuilder::add(Value a, int64_t b) { return add(a, i32(b)); }

Value DeviceBuilder::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}

Value DeviceBuilder::mul(Value a, int64_t b) {
  return createOrFold<arith::MulIOp>(a, i32(b));
}

Value DeviceBuilder::bitAnd(Value a, int64_t b) {
  return createOrFold<arith::AndIOp>(a, i32(b));
}

Value DeviceBuilder::bitOr(Value a, int64_t b) { return bitOr(a, i32(b)); }

Value DeviceBuilder::bitOr(Value a, Value b) {
  return createOrFold<arith::OrIOp>(a, b);
}

Value DeviceBuilder::bitXor(Value a, int64_t b) { return bitXor(a, i32(b)); }

Value DeviceBuilder::bitXor(Value a, Value b) {
  return createOrFold<arith::XOrIOp>(a, b);
}

Value DeviceBuilder::shiftLeft(Value a, int64_t b) {
  return createOrFold<arith::ShLIOp>(a, i32(b));
}

Value DeviceBuilder::shiftRight(Value a, int64_t b) {
  return createOrFold<arith::ShRUIOp>(a, i32(b));
}

Value DeviceBuilder::divide(Value a, int64_t b) {
  if (llvm::isPowerOf2_64(b))
    return shiftRight(a, llvm::Log2_64(b));
  return arith::DivUIOp::create(*this, a, i32(b));
}

Value DeviceBuilder::remainder(Value a, int64_t b) {
  if (llvm::isPowerOf2_64(b))
    return bitAnd(a, b - 1);
  return arith::RemUIOp::create(*this, a, i32(b));
}

Value DeviceBuilder::isEqual(Value a, int64_t b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, a, i32(b));
}

Value DeviceBuilder::isNot(Value condition) {
  Value yes = arith::ConstantOp::create(*this, getLoc(), getBoolAttr(true));
  return arith::XOrIOp::create(*this, getLoc(), condition, yes);
}

Value DeviceBuilder::isBelow(Value a, Value b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ult, a, b);
}

Value DeviceBuilder::toIndex(Value a) {
  return arith::IndexCastUIOp::create(*this, getIndexType(), a);
}

void DeviceBuilder::ifThen(Value condition, function_ref<void()> body) {
  auto op = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(op.thenYield());
  body();
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value DeviceBuilder::uniform(Value value) {
  return NVVM::ShflOp::create(*this, getI32Type(), i32(-1), value, i32(0),
                              i32(kWarpSize - 1), NVVM::ShflKind::idx,
                              UnitAttr());
}

Value DeviceBuilder::electOne() {
  return NVVM::ElectSyncOp::create(*this, getI1Type(), Value());
}

void DeviceBuilder::syncWarp() { NVVM::SyncWarpOp::create(*this, i32(-1)); }

void DeviceBuilder::syncBlock() { NVVM::Barrier0Op::create(*this); }

/// Waits for `threads` of the block at its hardware barrier `barrier`.
static void sync(DeviceBuilder &b, Value barrier, int64_t threads) {
  NVVM::BarrierOp::create(b, TypeRange(), barrier, b.i32(threads),
                          NVVM::BarrierReductionAttr(), Value());
}

// Barrier 0 belongs to the whole block.
void DeviceBuilder::syncWarpgroup(Value warpgroup) {
  sync(*this, add(warpgroup, 1), kWarpgroupThreads);
}

void DeviceBuilder::syncConsumers(int64_t count) {
  sync(*this, i32(1), count * kWarpgroupThreads);
}

// A turn is a barrier at which the warpgroup waits and another one arrives.
void DeviceBuilder::waitForTurn(Value warpgroup) {
  sync(*this, add(warpgroup, 1), 2 * kWarpgroupThreads);
}

void DeviceBuilder::passTurn(Value warpgroup) {
  // NVVM::BarrierArriveOp is an assembly that is not convergent.
  LLVM::CallIntrinsicOp::create(
      *this, getStringAttr("llvm.nvvm.barrier.cta.arrive.aligned.count"),
      {add(warpgroup, 1), i32(2 * kWarpgroupThreads)});
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

Value DeviceBuilder::blockRank() {
  return NVVM::ClusterId::create(*this, getI32Type());
}

void DeviceBuilder::arriveAtCluster() {
  NVVM::ClusterArriveRelaxedOp::create(*this, UnitAttr());
}

void DeviceBuilder::waitForCluster() {
  NVVM::ClusterWaitOp::create(*this, UnitAttr());
}

void DeviceBuilder::syncCluster() {
  arriveAtCluster();
  waitForCluster();
}

Value DeviceBuilder::remotePointer(Value address, Value rank) {
  auto type = LLVM::LLVMPointerType::get(
      getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  return NVVM::MapaOp::create(*this, type, sharedPointer(address), rank);
}

void DeviceBuilder::storeRemote(Value pointer, ValueRange words,
                                Value barrier) {
  // Addresses in shared memory have 32 bits.
  auto narrow = [&](Value wide) {
    return LLVM::PtrToIntOp::create(*this, getI32Type(), wide).getResult();
  };
  SmallVector<Value> operands = {narrow(pointer), narrow(barrier)};
  operands.append(words.begin(), words.end());
  bool isFloat = isa<FloatType>(words.front().getType());
  std::string code =
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.";
  code += isFloat ? "f32" : "b32";
  code += " [$0], {$2, $3, $4, $5}, [$1];";
  assembly(Type(), operands, code, isFloat ? "r,r,f,f,f,f" : "r,r,r,r,r,r",
           /*touchesMemory=*/true);
}

void DeviceBuilder::arriveRemote(Value barrier) {
  NVVM::MBarrierArriveOp::create(*this, TypeRange(), barrier,
                                 /*count=*/Value());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LLVM::LLVMPointerType getPointerType(DeviceBuilder &b,
                                            NVVM::NVVMMemorySpace space) {
  return LLVM::LLVMPointerType::get(b.getContext(),
                                    static_cast<unsigned>(space));
}

Value DeviceBuilder::createVector(ArrayRef<Value> elements) {
  auto type = VectorType::get({static_cast<int64_t>(elements.size())},
                              elements.front().getType());
  Value vector = LLVM::UndefOp::create(*this, type);
  for (auto [i, element] : llvm::enumerate(elements))
    vector = LLVM::InsertElementOp::create(*this, vector, element,
                                           i32(static_cast<int64_t>(i)));
  return vector;
}

Value DeviceBuilder::sharedPointer(Value address) {
  return LLVM::IntToPtrOp::create(
      *this, getPointerType(*this, NVVM::NVVMMemorySpace::Shared), address);
}

Value DeviceBuilder::clusterPointer(Value address) {
  return LLVM::IntToPtrOp::create(
      *this, getPointerType(*this, NVVM::NVVMMemorySpace::SharedCluster),
      address);
}

Value DeviceBuilder::globalPointer(Value pointer) {
  return LLVM::AddrSpaceCastOp::create(
      *this, getPointerType(*this, NVVM::NVVMMemorySpace::Global), pointer);
}

Value DeviceBuilder::offsetPointer(Value pointer, int64_t bytes) {
  return offsetPointer(
      pointer, arith::ConstantIntOp::create(*this, getI64Type(), bytes));
}

Value DeviceBuilder::offsetPointer(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(*this, pointer.getType(), getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

Value DeviceBuilder::advancePointer(Value pointer, Value count,
                                    int64_t stride) {
  Value wide = arith::ExtUIOp::create(*this, getI64Type(), count);
  Value factor = arith::ConstantIntOp::create(*this, getI64Type(), stride);
  return offsetPointer(pointer, arith::MulIOp::create(*this, wide, factor));
}

Value DeviceBuilder::assembly(Type result, ValueRange operands, StringRef code,
                              StringRef constraints, bool touchesMemory) {
  std::string allConstraints = constraints.str();
  if (touchesMemory)
    allConstraints += allConstraints.empty() ? "~{memory}" : ",~{memory}";
  auto op = LLVM::InlineAsmOp::create(
      *this, result, operands, code, allConstraints,
      /*has_side_effects=*/touchesMemory, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  return result ? op.getRes() : Value();
}

//===----------------------------------------------------------------------===//
// Barriers in shared memory
//===----------------------------------------------------------------------===//

void DeviceBuilder::initBarrier(Value barrier, int64_t arrivals) {
  NVVM::MBarrierInitOp::create(*this, sharedPointer(barrier), i32(arrivals),
                               /*predicate=*/Value());
}

void DeviceBuilder::arrive(Value barrier, int64_t count) {
  NVVM::MBarrierArriveOp::create(*this, getI64Type(), sharedPointer(barrier),
                                 count == 1 ? Value() : i32(count));
}

void DeviceBuilder::arriveExpecting(Value barrier, int64_t bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(
      *this, getI64Type(), sharedPointer(barrier), i32(bytes),
      NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
}

void DeviceBuilder::waitParity(Value barrier, Value parity,
                               NVVM::MemScopeKind scope) {
  Value pointer = sharedPointer(barrier);
  auto loop = scf::WhileOp::create(*this, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(*this);
  createBlock(&loop.getBefore());
  Value done =
      NVVM::MBarrierTryWaitOp::create(*this, getI1Type(), pointer, parity,
                                      /*ticks=*/Value(), scope);
  Value pending = arith::XOrIOp::create(
      *this, done, arith::ConstantIntOp::create(*this, getI1Type(), 1));
  scf::ConditionOp::create(*this, pending, ValueRange());
  createBlock(&loop.getAfter());
  scf::YieldOp::create(*this);
}
