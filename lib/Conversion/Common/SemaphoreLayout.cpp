//===- SemaphoreLayout.cpp - Semaphores of tiles --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/SemaphoreLayout.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace grout;

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

SemaphoreLayout::SemaphoreLayout(launch::TilesOp launch) {
  Block &body = launch.getBody().front();
  for (auto op : body.getOps<tsync::PostTilesOp>())
    posts[op.getProducer().getDefiningOp()].push_back(
        {static_cast<int64_t>(op.getBase()), op.getSemaphore(),
         llvm::to_vector(op.getShape())});
  for (auto op : body.getOps<tsync::WaitTilesOp>()) {
    TileKernelOpInterface kernel = op.getKernel();
    tsync::PolicyAttr policy = op.getPolicy();
    unsigned stepDim = policy.getLower().getNumDims() - 1;
    bool dependsOnStep = policy.getLower().isFunctionOfDim(stepDim) ||
                         policy.getUpper().isFunctionOfDim(stepDim);
    unsigned operand = op.getOperand();
    waits[kernel].push_back(
        {static_cast<int64_t>(op.getBase()), operand, policy, dependsOnStep,
         kernel.isReadAfterSteps(kernel->getOpOperand(operand)),
         static_cast<int64_t>(op.getPosters())});
  }
}

SemaphoreWait SemaphoreWait::inBlocks() const {
  SemaphoreWait scaled = *this;
  SmallVector<int64_t> counts(policy.getCounts());
  for (int64_t &count : counts)
    count *= posters;
  scaled.policy = policy.withCounts(counts);
  return scaled;
}

bool SemaphoreLayout::isWaitedFor(Operation *kernel, unsigned operand) const {
  return llvm::any_of(getWaits(kernel), [&](const SemaphoreWait &wait) {
    return wait.operand == operand;
  });
}

ArrayRef<SemaphorePost> SemaphoreLayout::getPosts(Operation *kernel) const {
  auto it = posts.find(kernel);
  return it == posts.end() ? ArrayRef<SemaphorePost>() : it->second;
}

ArrayRef<SemaphoreWait> SemaphoreLayout::getWaits(Operation *kernel) const {
  auto it = waits.find(kernel);
  return it == waits.end() ? ArrayRef<SemaphoreWait>() : it->second;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Evaluates `map`, and clamps each result to [0, shape - 1].
static SmallVector<Value> emitClamped(OpBuilder &builder, Location loc,
                                      AffineMap map, ValueRange operands,
                                      ArrayRef<int64_t> shape) {
  SmallVector<Value> results;
  if (map.getNumResults() == 0)
    return results;
  results = *affine::expandAffineMap(builder, loc, map, operands);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [value, extent] : llvm::zip_equal(results, shape)) {
    Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
    value = arith::MaxSIOp::create(builder, loc, value, zero);
    value = arith::MinSIOp::create(builder, loc, value, last);
  }
  return results;
}

/// Returns the row-major index of `coordinates` in an array of `shape`.
static Value emitRowMajor(OpBuilder &builder, Location loc,
                          ValueRange coordinates, ArrayRef<int64_t> shape) {
  Value index = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [coordinate, extent] : llvm::zip_equal(coordinates, shape)) {
    Value size = arith::ConstantIndexOp::create(builder, loc, extent);
    index = arith::MulIOp::create(builder, loc, index, size);
    index = arith::AddIOp::create(builder, loc, index, coordinate);
  }
  return index;
}

/// Returns `base + index` as the i32 that tsync.wait and tsync.post take.
static Value emitSemaphoreNumber(OpBuilder &builder, Location loc, int64_t base,
                                 Value index) {
  Value first = arith::ConstantIndexOp::create(builder, loc, base);
  Value number = arith::AddIOp::create(builder, loc, first, index);
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), number);
}

/// Returns the address of the table of `counts`, a constant of the kernel's
/// module. Equal tables share one constant.
static Value emitCountTable(OpBuilder &builder, Location loc,
                            ArrayRef<int64_t> counts) {
  Operation *module = SymbolTable::getNearestSymbolTable(
      builder.getInsertionBlock()->getParentOp());
  SmallVector<int32_t> words(counts.begin(), counts.end());
  auto value = DenseElementsAttr::get(
      RankedTensorType::get({static_cast<int64_t>(words.size())},
                            builder.getI32Type()),
      ArrayRef(words));
  auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), words.size());
  LLVM::GlobalOp table;
  for (auto global : module->getRegion(0).getOps<LLVM::GlobalOp>())
    if (global.getValueOrNull() == value)
      table = global;
  if (!table) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&module->getRegion(0).front());
    // Build this before the new table exists: its name may be that of another
    // table.
    SymbolTable symbols(module);
    table = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                   LLVM::Linkage::Internal, "semaphore_counts",
                                   value);
    symbols.insert(table);
  }
  return LLVM::AddressOfOp::create(builder, loc, table);
}

/// Returns how many posts complete semaphore `index` of `policy`, as an i32.
static Value emitCount(OpBuilder &builder, Location loc,
                       tsync::PolicyAttr policy, Value index) {
  if (std::optional<int64_t> count = policy.getUniformCount())
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                        *count);
  Value table = emitCountTable(builder, loc, policy.getCounts());
  Value position =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
  Value address =
      LLVM::GEPOp::create(builder, loc, table.getType(), builder.getI32Type(),
                          table, ArrayRef<LLVM::GEPArg>{position});
  return LLVM::LoadOp::create(builder, loc, builder.getI32Type(), address);
}

void grout::emitSemaphoreWaits(OpBuilder &builder, Location loc,
                               const SemaphoreWait &wait, ValueRange tile,
                               Value step, Value semaphores, tsync::Scope scope,
                               tsync::Proxy proxy, ValueRange task) {
  SmallVector<Value> operands(tile);
  operands.push_back(step);
  tsync::PolicyAttr policy = wait.policy;
  ArrayRef<int64_t> shape = policy.getShape();
  SmallVector<Value> lower =
      emitClamped(builder, loc, policy.getLower(), operands, shape);
  SmallVector<Value> upper =
      emitClamped(builder, loc, policy.getUpper(), operands, shape);

  OpBuilder::InsertionGuard insertionGuard(builder);
  if (AffineMap guard = policy.getGuard()) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    auto values = *affine::expandAffineMap(builder, loc, guard, tile);
    for (Value value : values) {
      Value waits = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sge, value, zero);
      auto branch = scf::IfOp::create(builder, loc, waits);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
  }
  SmallVector<Value> coordinates;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (unsigned dim = 0, e = shape.size(); dim != e; ++dim) {
    // A single semaphore needs no loop.
    if (policy.getLower().getResult(dim) == policy.getUpper().getResult(dim)) {
      coordinates.push_back(lower[dim]);
      continue;
    }
    Value end = arith::AddIOp::create(builder, loc, upper[dim], one);
    auto loop = scf::ForOp::create(builder, loc, lower[dim], end, one);
    builder.setInsertionPointToStart(loop.getBody());
    coordinates.push_back(loop.getInductionVar());
  }
  Value index = emitRowMajor(builder, loc, coordinates, shape);
  Value count = emitCount(builder, loc, policy, index);
  Value number = emitSemaphoreNumber(builder, loc, wait.base, index);
  tsync::WaitOp::create(builder, loc, semaphores, number, count, scope, proxy,
                        task);
}

Value grout::emitBoxChanged(OpBuilder &builder, Location loc,
                            const SemaphoreWait &wait, ValueRange tile,
                            Value step) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value changed =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, step, zero);
  if (!wait.dependsOnStep)
    return changed;
  SmallVector<Value> now(tile), before(tile);
  now.push_back(step);
  before.push_back(arith::SubIOp::create(builder, loc, step, one));
  // The maps are compared before clamping, so step - 1 may be -1.
  for (AffineMap map : {wait.policy.getLower(), wait.policy.getUpper()}) {
    if (map.getNumResults() == 0)
      continue;
    auto here = *affine::expandAffineMap(builder, loc, map, now);
    auto there = *affine::expandAffineMap(builder, loc, map, before);
    for (auto [a, b] : llvm::zip_equal(here, there)) {
      Value differs =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, a, b);
      changed = arith::OrIOp::create(builder, loc, changed, differs);
    }
  }
  return changed;
}

void grout::emitSemaphorePost(OpBuilder &builder, Location loc,
                              const SemaphorePost &post, ValueRange tile,
                              Value semaphores, tsync::Scope scope,
                              tsync::Proxy proxy) {
  SmallVector<Value> coordinates;
  if (post.semaphore.getNumResults() != 0)
    coordinates = *affine::expandAffineMap(builder, loc, post.semaphore, tile);
  Value index = emitRowMajor(builder, loc, coordinates, post.shape);
  Value number = emitSemaphoreNumber(builder, loc, post.base, index);
  tsync::PostOp::create(builder, loc, semaphores, number, scope, proxy);
}
