//===- FuzzedOp.h - An op from outside that answers anything ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_OUTSIDERS_FUZZEDOP_H
#define GROUT_UNITTESTS_OUTSIDERS_FUZZEDOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <memory>

namespace grout::test {

/// How tiles are numbered. All of these are right.
enum class Numbering { rowsFirst, columnsFirst, linear };

/// What is wrong with an answer of TileKernelOpInterface, if anything.
enum class Fault {
  none,
  // Of the kernel.
  gridFails,
  gridZero,
  gridNegative,
  gridDynamic,
  gridHuge,
  gridUncountable,
  gridEmpty,
  gridShort,
  stepsZero,
  stepsNegative,
  stepsDynamic,
  runsZero,
  clusterZero,
  clusterOfThree,
  workNegative,
  workHuge,
  partOfNext,
  // Of an access.
  mapNull,
  mapDims,
  mapResults,
  mapSymbol,
  mapHuge,
  boxRank,
  boxZero,
  boxNegative,
  boxOutside,
  guardNull,
  guardDims,
  // Of the access of a result.
  writeTwice,
  writeHole,
  writeStep,
  writeShifted,
  writeScaled,
  writeSmall,
  updatesNothing,
  // Those before are always errors. These may be harmless.
  gridFailsWithoutTiles,
  changesEachTime,
  changesOnce,
  readSmall,
  stepsHuge,
  runsHuge,
  readAfterSteps,
  launchedWithNext,
  partOfLaunchedNext,
  updatesOperand,
};
constexpr auto kNumCertainFaults =
    static_cast<unsigned>(Fault::updatesNothing) + 1;
constexpr auto kNumFaults = static_cast<unsigned>(Fault::updatesOperand) + 1;

/// Whether a fault is one of `getOperandAccess` as well.
inline bool isOfAnyAccess(Fault fault) {
  return fault >= Fault::mapNull && fault <= Fault::guardDims;
}

/// What is wrong with the code of a tile.
enum class BodyFault {
  none,
  notHandled,
  fails,
  empty,
  writesNothing,
  writesOperand,
  foreignValue,
  tensorOp,
  noWaits,
  noPosts,
  waitsLast,
  postsFirst,
  postsTwice,
  postsInLoop,
};
constexpr auto kNumBodyFaults =
    static_cast<unsigned>(BodyFault::postsInLoop) + 1;

/// What AggregatedOpInterface answers.
enum class Decomposition {
  right,
  fails,
  nothing,
  null,
  otherType,
  invalid,
  itself,
  /// Valid, but it has the first operand twice too often.
  wrong
};
constexpr auto kNumDecompositions =
    static_cast<unsigned>(Decomposition::wrong) + 1;

/// What an op and its body say and do.
struct Answers {
  /// How far above its row an element reads.
  int64_t halo = 0;
  Numbering numbering = Numbering::rowsFirst;
  int64_t tileRows = 16, tileColumns = 16;
  /// Tiles besides those that are needed.
  int64_t moreRows = 0;
  int64_t steps = 1;
  /// Whether the boxes of operands are larger than what is read.
  bool readsMore = false;
  /// Whether it says that a tensor chooses what tiles write.
  bool isChosenAtRunTime = false;
  Fault fault = Fault::none;
  /// Whether the fault is in what it reads, not in what it writes.
  bool ofOperand = false;
  BodyFault bodyFault = BodyFault::none;
  Decomposition decomposition = Decomposition::right;
  /// What it answers in place of these, where answers change.
  std::shared_ptr<Answers> others;
  /// After how often it has been asked they change once.
  unsigned changesAfter = 0;
  unsigned numAsked = 0;
};

/// The answers of all ops. An op whose attribute `answers` is a number has
/// those of this number, another one the first.
inline std::vector<Answers> allAnswers(1);
/// What `op` answers this time.
const Answers &getAnswers(mlir::Operation *op);

/// y(i, j) = x(i, j) + x(max(i - halo, 0), j) + the other operands at (i, j).
class SumOp
    : public mlir::Op<SumOp, mlir::OpTrait::ZeroRegions,
                      mlir::OpTrait::OneResult, mlir::OpTrait::ZeroSuccessors,
                      mlir::OpTrait::AtLeastNOperands<1>::Impl,
                      mlir::MemoryEffectOpInterface::Trait,
                      mlir::linalg::AggregatedOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SumOp)
  using Op::Op;
  static mlir::StringRef getOperationName() { return "fuzz.sum"; }
  static mlir::ArrayRef<mlir::StringRef> getAttributeNames() { return {}; }
  void
  getEffects(mlir::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &) {}
  mlir::FailureOr<mlir::SmallVector<mlir::Value>>
  decomposeOperation(mlir::OpBuilder &builder);
};

/// The same, with effects as the attribute `effects` says: reads, writes,
/// allocates, or changes, which are none every other time.
class EffectsOp
    : public mlir::Op<EffectsOp, mlir::OpTrait::ZeroRegions,
                      mlir::OpTrait::OneResult, mlir::OpTrait::ZeroSuccessors,
                      mlir::OpTrait::AtLeastNOperands<1>::Impl,
                      mlir::MemoryEffectOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EffectsOp)
  using Op::Op;
  static mlir::StringRef getOperationName() { return "fuzz.effects"; }
  static mlir::ArrayRef<mlir::StringRef> getAttributeNames() { return {}; }
  void getEffects(
      mlir::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);
};

/// The same, but it says nothing of its effects.
class SecretOp
    : public mlir::Op<SecretOp, mlir::OpTrait::ZeroRegions,
                      mlir::OpTrait::OneResult, mlir::OpTrait::ZeroSuccessors,
                      mlir::OpTrait::AtLeastNOperands<1>::Impl> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SecretOp)
  using Op::Op;
  static mlir::StringRef getOperationName() { return "fuzz.secret"; }
  static mlir::ArrayRef<mlir::StringRef> getAttributeNames() { return {}; }
};

/// Of the result; any where that is no static matrix.
mlir::ArrayRef<int64_t> getShape(mlir::Operation *op);

/// The sum of integers or floats.
mlir::Value createAdd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs,
                      mlir::Value rhs);

/// How many tiles are above each other, and beside each other.
int64_t getTileRows(mlir::Operation *op);
int64_t getTileColumns(mlir::Operation *op);

/// Registers the dialect, with tiles for all ops.
void registerFuzzDialect(mlir::DialectRegistry &registry);

} // namespace grout::test

#endif // GROUT_UNITTESTS_OUTSIDERS_FUZZEDOP_H
