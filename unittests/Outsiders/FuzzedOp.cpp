//===- FuzzedOp.cpp - An op from outside that answers anything ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FuzzedOp.h"

#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/bit.h"
#include <atomic>

using namespace mlir;
using namespace grout;
using namespace grout::test;

const Answers &test::getAnswers(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>("answers");
  Answers &answers = allAnswers[number ? number.getInt() : 0];
  if (!answers.others)
    return answers;
  ++answers.numAsked;
  bool isOther = answers.fault == Fault::changesOnce
                     ? answers.numAsked > answers.changesAfter
                     : llvm::popcount(answers.numAsked) % 2 != 0;
  return isOther ? *answers.others : answers;
}

/// The type of the result, if it is a static matrix.
static RankedTensorType getMatrixType(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.getRank() == 2 && type.hasStaticShape()
             ? type
             : RankedTensorType();
}

ArrayRef<int64_t> test::getShape(Operation *op) {
  static constexpr int64_t kAny[] = {50, 24};
  RankedTensorType type = getMatrixType(op);
  return type ? type.getShape() : ArrayRef(kAny);
}

int64_t test::getTileRows(Operation *op) {
  const Answers &answers = getAnswers(op);
  return llvm::divideCeil(getShape(op)[0], answers.tileRows) + answers.moreRows;
}

int64_t test::getTileColumns(Operation *op) {
  return llvm::divideCeil(getShape(op)[1], getAnswers(op).tileColumns);
}

Value test::createAdd(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return isa<IntegerType>(lhs.getType())
             ? arith::AddIOp::create(b, loc, lhs, rhs).getResult()
             : arith::AddFOp::create(b, loc, lhs, rhs).getResult();
}

void EffectsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto text = getOperation()->getAttrOfType<StringAttr>("effects");
  StringRef which = text ? text.getValue() : "";
  static std::atomic<unsigned> numAsked = 0;
  if (which == "reads")
    effects.emplace_back(MemoryEffects::Read::get());
  if (which == "writes" || (which == "changes" && ++numAsked % 2 == 0))
    effects.emplace_back(MemoryEffects::Write::get());
  if (which == "allocates")
    effects.emplace_back(MemoryEffects::Allocate::get(),
                         getOperation()->getOpResult(0));
}

//===----------------------------------------------------------------------===//
// AggregatedOpInterface
//===----------------------------------------------------------------------===//

/// x(max(i - halo, 0), j).
static Value createShifted(OpBuilder &b, Location loc, Value x, int64_t halo) {
  auto type = cast<RankedTensorType>(x.getType());
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  auto slice = [&](int64_t size) -> Value {
    SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(2, b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes = {b.getIndexAttr(size),
                                       b.getIndexAttr(columns)};
    return tensor::ExtractSliceOp::create(b, loc, x, offsets, sizes, strides);
  };
  SmallVector<Value> parts(halo, slice(1));
  parts.push_back(slice(rows - halo));
  return tensor::ConcatOp::create(b, loc, /*dim=*/0, parts);
}

/// What `op` computes.
static Value createSum(OpBuilder &b, Operation *op) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value first = op->getOperand(0);
  int64_t halo = getAnswers(op).halo;
  SmallVector<Value> operands(op->getOperands());
  if (getAnswers(op).decomposition == Decomposition::wrong)
    operands.append(2, first);
  operands.push_back(halo == 0 ? first : createShifted(b, loc, first, halo));
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(operands.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      b, loc, TypeRange{type}, operands, ValueRange{empty}, maps, loops,
      [](OpBuilder &body, Location loc, ValueRange elements) {
        Value sum = elements[0];
        for (Value element : elements.drop_front().drop_back())
          sum = createAdd(body, loc, sum, element);
        linalg::YieldOp::create(body, loc, sum);
      });
  return sum.getResult(0);
}

FailureOr<SmallVector<Value>> SumOp::decomposeOperation(OpBuilder &builder) {
  Operation *op = getOperation();
  RankedTensorType type = getMatrixType(op);
  if (!type || !llvm::all_equal(op->getOperandTypes()) ||
      type != op->getOperand(0).getType() ||
      !type.getElementType().isSignlessIntOrFloat())
    return failure();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  switch (getAnswers(op).decomposition) {
  case Decomposition::right:
  case Decomposition::wrong:
    return SmallVector<Value>{createSum(builder, op)};
  case Decomposition::fails:
    return failure();
  case Decomposition::nothing:
    return SmallVector<Value>{};
  case Decomposition::null:
    return SmallVector<Value>{Value()};
  case Decomposition::otherType:
    return SmallVector<Value>{tensor::EmptyOp::create(
        builder, getLoc(), ArrayRef<int64_t>{5}, type.getElementType())};
  case Decomposition::invalid: {
    Value sum = createSum(builder, op);
    sum.getDefiningOp()->setOperand(0, sum);
    return SmallVector<Value>{sum};
  }
  case Decomposition::itself:
    return SmallVector<Value>{builder.clone(*op)->getResult(0)};
  }
  llvm_unreachable("unknown decomposition");
}

//===----------------------------------------------------------------------===//
// TileKernelOpInterface
//===----------------------------------------------------------------------===//

namespace {

template <typename OpT>
struct Tiles : TileKernelOpInterface::ExternalModel<Tiles<OpT>, OpT> {
  FailureOr<SmallVector<int64_t>> getTileGrid(Operation *op) const {
    const Answers &answers = getAnswers(op);
    SmallVector<int64_t> grid = {getTileRows(op), getTileColumns(op)};
    if (answers.numbering == Numbering::columnsFirst)
      std::swap(grid[0], grid[1]);
    if (answers.numbering == Numbering::linear)
      grid = {grid[0] * grid[1]};
    switch (answers.fault) {
    case Fault::gridFails:
    case Fault::gridFailsWithoutTiles:
      return failure();
    case Fault::gridZero:
      grid[0] = 0;
      break;
    case Fault::gridNegative:
      grid.back() = -1;
      break;
    case Fault::gridDynamic:
      grid.back() = ShapedType::kDynamic;
      break;
    case Fault::gridHuge:
      grid[0] = int64_t(1) << 31;
      break;
    case Fault::gridUncountable:
      grid.assign(grid.size() + 1, INT32_MAX);
      grid.push_back(INT32_MAX);
      break;
    case Fault::gridEmpty:
      return SmallVector<int64_t>();
    case Fault::gridShort:
      return getShortGrid(op);
    default:
      break;
    }
    return grid;
  }

  bool runsWithoutTiles(Operation *op) const {
    return getAnswers(op).fault == Fault::gridFailsWithoutTiles;
  }

  int64_t getStepCount(Operation *op) const {
    const Answers &answers = getAnswers(op);
    switch (answers.fault) {
    case Fault::stepsZero:
      return 0;
    case Fault::stepsNegative:
      return -3;
    case Fault::stepsDynamic:
      return ShapedType::kDynamic;
    case Fault::stepsHuge:
      return INT64_MAX;
    default:
      return answers.steps;
    }
  }

  std::optional<int64_t> getStepsInOrder(Operation *op) const {
    if (getAnswers(op).fault == Fault::runsZero)
      return 0;
    if (getAnswers(op).fault == Fault::runsHuge)
      return INT64_MAX;
    return std::nullopt;
  }

  TileAccess getOperandAccess(Operation *op, OpOperand &operand) const {
    const Answers &answers = getAnswers(op);
    int64_t halo = operand.getOperandNumber() == 0 ? answers.halo : 0;
    TileAccess access = getAccess(op, halo);
    if (answers.readsMore)
      access.localSizes[1] += 5;
    if (answers.fault == Fault::readSmall)
      return getAccess(op, /*halo=*/0);
    return answers.ofOperand ? damage(op, access) : access;
  }

  bool isReadAfterSteps(Operation *op, OpOperand &) const {
    return getAnswers(op).fault == Fault::readAfterSteps;
  }

  TileAccess getResultAccess(Operation *op, OpResult) const {
    const Answers &answers = getAnswers(op);
    TileAccess access = getAccess(op, /*halo=*/0);
    access.isChosenAtRunTime = answers.isChosenAtRunTime;
    return answers.ofOperand ? access : damage(op, access);
  }

  OpOperand *getUpdatedOperand(Operation *op, OpResult) const {
    Fault fault = getAnswers(op).fault;
    if (fault == Fault::updatesOperand)
      return &op->getOpOperand(0);
    if (fault != Fault::updatesNothing)
      return nullptr;
    // Of who reads the result, not of the op.
    return op->getResult(0).use_empty() ? nullptr
                                        : &*op->getResult(0).getUses().begin();
  }

  bool isLaunchedWithNext(Operation *op) const {
    Fault fault = getAnswers(op).fault;
    return fault == Fault::launchedWithNext ||
           fault == Fault::partOfLaunchedNext;
  }

  bool isPartOfNext(Operation *op) const {
    Fault fault = getAnswers(op).fault;
    return fault == Fault::partOfNext || fault == Fault::partOfLaunchedNext;
  }

  TileWork getTileWork(Operation *op) const {
    TileWork work;
    Fault fault = getAnswers(op).fault;
    if (fault == Fault::clusterZero)
      work.clusterSize = 0;
    if (fault == Fault::clusterOfThree)
      work.clusterSize = 3;
    if (fault == Fault::workNegative)
      work.flops = -1;
    if (fault == Fault::workHuge)
      work.bytesWritten = INT64_MAX;
    return work;
  }

private:
  /// Without the last tiles that are needed.
  static SmallVector<int64_t> getShortGrid(Operation *op) {
    const Answers &answers = getAnswers(op);
    int64_t rows = getTileRows(op) - answers.moreRows;
    int64_t columns = getTileColumns(op);
    switch (answers.numbering) {
    case Numbering::rowsFirst:
      return {rows - 1, columns};
    case Numbering::columnsFirst:
      return {columns, rows - 1};
    case Numbering::linear:
      return {rows * columns - 1};
    }
    llvm_unreachable("unknown numbering");
  }

  /// The right answer for what is read `halo` rows above, too.
  static TileAccess getAccess(Operation *op, int64_t halo) {
    const Answers &answers = getAnswers(op);
    MLIRContext *context = op->getContext();
    bool isLinear = answers.numbering == Numbering::linear;
    unsigned rank = isLinear ? 1 : 2;
    auto dim = [&](unsigned i) { return getAffineDimExpr(i, context); };
    AffineExpr row = dim(0), column = dim(1);
    if (isLinear) {
      row = dim(0).floorDiv(getTileColumns(op));
      column = dim(0) % getTileColumns(op);
    } else if (answers.numbering == Numbering::columnsFirst) {
      std::swap(row, column);
    }
    return {AffineMap::get(rank + 3, 0,
                           {row * answers.tileRows + dim(rank + 1) - halo,
                            column * answers.tileColumns + dim(rank + 2)},
                           context),
            {answers.tileRows + halo, answers.tileColumns}};
  }

  /// `access` with the fault.
  static TileAccess damage(Operation *op, TileAccess access) {
    AffineMap map = access.map;
    MLIRContext *context = map.getContext();
    SmallVector<AffineExpr> results(map.getResults());
    unsigned dims = map.getNumDims(), rank = dims - 3;
    auto set = [&](unsigned numDims, unsigned numSymbols = 0) {
      access.map = AffineMap::get(numDims, numSymbols, results, context);
    };
    switch (getAnswers(op).fault) {
    case Fault::mapNull:
      access.map = AffineMap();
      break;
    case Fault::mapDims:
      set(dims + 1);
      break;
    case Fault::mapResults:
      results.pop_back();
      set(dims);
      break;
    case Fault::mapSymbol:
      results[0] = results[0] + getAffineSymbolExpr(0, context);
      set(dims, 1);
      break;
    case Fault::mapHuge:
      results[1] = results[1] * (int64_t(1) << 62);
      set(dims);
      break;
    case Fault::boxRank:
      access.localSizes.pop_back();
      break;
    case Fault::boxZero:
      access.localSizes[0] = 0;
      break;
    case Fault::boxNegative:
      access.localSizes[1] = -5;
      break;
    case Fault::boxOutside:
      results[0] = results[0] + 1000;
      set(dims);
      break;
    case Fault::guardNull:
      access.guards.emplace_back();
      break;
    case Fault::guardDims:
      access.guards.push_back(getAffineDimExpr(dims, context));
      break;
    case Fault::writeTwice:
      ++access.localSizes[0];
      break;
    case Fault::writeHole:
      access.guards.push_back(getAffineDimExpr(rank + 1, context) +
                              getAffineDimExpr(rank + 2, context) - 1);
      break;
    case Fault::writeShifted:
      results[0] = results[0] + 1;
      set(dims);
      break;
    case Fault::writeScaled:
      results[1] = results[1] * 2;
      set(dims);
      break;
    case Fault::writeSmall:
      access.localSizes[1] =
          std::min(access.localSizes[1], getShape(op)[1]) - 1;
      break;
    case Fault::writeStep:
      results[1] = results[1] + getAffineDimExpr(rank, context);
      set(dims);
      break;
    default:
      break;
    }
    return access;
  }
};

class FuzzDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuzzDialect)
  explicit FuzzDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<FuzzDialect>()) {
    addOperations<SumOp, EffectsOp, SecretOp>();
  }
  static StringRef getDialectNamespace() { return "fuzz"; }
};

} // namespace

void test::registerFuzzDialect(DialectRegistry &registry) {
  registry.insert<FuzzDialect>();
  registry.addExtension(+[](MLIRContext *context, FuzzDialect *) {
    SumOp::attachInterface<Tiles<SumOp>>(*context);
    EffectsOp::attachInterface<Tiles<EffectsOp>>(*context);
    SecretOp::attachInterface<Tiles<SecretOp>>(*context);
  });
}
