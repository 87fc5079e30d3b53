//===- Variance.cpp - Sums of squared differences -------------------------===//
//
// Part of Grout. For example, these statements are a variance:
//
//   S0: sum[r] += x[r, i]
//   S1: mean[r] = sum[r] / 64
//   S2: d[r, i] = x[r, i] - mean[r]
//   S3: squares[r] += d[r, i] * d[r, i]
//
// S2 is a step.
//
//===----------------------------------------------------------------------===//

#include "Variance.h"

#include "InlineStatement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace grout::scop;

/// The most operations that are compared.
static constexpr int kMaxComparisons = 256;

namespace {

/// A value in the region of a statement.
struct Point {
  StmtOp op;
  Value value;
  /// From the iterators of the reduction to those of `op`.
  AffineMap iterators;

  bool operator==(const Point &other) const {
    return op == other.op && value == other.value &&
           iterators == other.iterators;
  }
};

/// An element that a statement reads.
struct Element {
  Value array;
  AffineMap map;

  bool operator==(const Element &other) const {
    return array == other.array && map == other.map;
  }
};

class Matcher {
public:
  Matcher(StmtOp sum, StmtOp squares) : sum(sum), squares(squares) {}
  std::optional<Variance> match();

private:
  /// Whether both reductions add one value for each of the same points, and
  /// nothing that they read changes in between.
  bool areAlike();
  bool isMean(const Point &point);
  bool isSame(Point one, Point other);

  StmtOp sum, squares;
  int numComparisons = 0;
};

} // namespace

/// Returns the value that reduction `op` adds.
static Point getAddend(StmtOp op) {
  Operation *combiner = op.getCombiner(0);
  Value element = op.getBody().getArgument(*op.getReadOfWrite(0));
  bool isFirst = combiner->getOperand(0) == element;
  return {
      op, combiner->getOperand(isFirst ? 1 : 0),
      AffineMap::getMultiDimIdentityMap(op.getNumIterators(), op.getContext())};
}

/// Returns operand `number` of the operation of `point`.
static Point getOperand(const Point &point, unsigned number) {
  return {point.op, point.value.getDefiningOp()->getOperand(number),
          point.iterators};
}

/// Returns the element that the value of `point` is, if it is one.
static std::optional<Element> getElement(const Point &point) {
  auto argument = dyn_cast<BlockArgument>(point.value);
  StmtOp op = point.op;
  if (!argument || argument.getOwner() != &op.getBody().front())
    return std::nullopt;
  unsigned read = argument.getArgNumber();
  return Element{
      op.getReads()[read],
      simplifyAffineMap(op.getReadMap(read).compose(point.iterators))};
}

/// Returns the statement that computes all of local array `array`, element by
/// element; null if there are several.
static StmtOp getProducer(Value array) {
  StmtOp producer;
  if (!array.getDefiningOp<LocalOp>())
    return {};
  for (Operation *user : array.getUsers()) {
    auto op = dyn_cast<StmtOp>(user);
    if (!op || !op.writes(array))
      continue;
    if (producer || op.isReduction() || op.getWrites().size() != 1 ||
        op.reads(array))
      return {};
    producer = op;
  }
  return producer;
}

/// Follows reads to the statements that compute the elements, and adds these
/// statements to `steps`.
static Point trace(Point point, SmallVectorImpl<StmtOp> *steps = nullptr) {
  for (;;) {
    std::optional<Element> element = getElement(point);
    StmtOp producer = element ? getProducer(element->array) : StmtOp();
    auto iterators =
        producer ? getWritingIterators(producer, element->map) : std::nullopt;
    if (!iterators)
      return point;
    if (steps)
      steps->push_back(producer);
    Operation *yield = producer.getBody().front().getTerminator();
    point = {
        producer, yield->getOperand(0),
        simplifyAffineMap(AffineMap::get(element->map.getNumDims(), 0,
                                         *iterators, producer.getContext()))};
  }
}

static bool isConstant(const Point &point, double value) {
  APFloat constant(0.0);
  APInt integer;
  Value traced = trace(point).value;
  if (matchPattern(traced, m_ConstantFloat(&constant)))
    return constant.convertToDouble() == value;
  return matchPattern(traced, m_ConstantInt(&integer)) &&
         double(integer.getSExtValue()) == value;
}

/// Returns the value of which `point` is the square, if it is one.
static std::optional<Point> getRoot(const Point &point) {
  Operation *op = point.value.getDefiningOp();
  if (!op)
    return std::nullopt;
  bool isSquare = isa<arith::MulFOp>(op)
                      ? op->getOperand(0) == op->getOperand(1)
                      : isa<math::FPowIOp, math::PowFOp>(op) &&
                            isConstant(getOperand(point, 1), 2);
  return isSquare ? std::optional(getOperand(point, 0)) : std::nullopt;
}

bool Matcher::areAlike() {
  auto isSum = [](StmtOp op) {
    return op.isReduction() && op.getWrites().size() == 1 &&
           isa_and_present<arith::AddFOp>(op.getCombiner(0));
  };
  if (!isSum(sum) || !isSum(squares) || !sum->isBeforeInBlock(squares) ||
      sum.getExtents() != squares.getExtents() ||
      sum.getReductions() != squares.getReductions() ||
      sum.getWriteMap(0) != squares.getWriteMap(0) ||
      getElementTypeOrSelf(sum.getWrites()[0]) !=
          getElementTypeOrSelf(squares.getWrites()[0]))
    return false;
  for (Operation *op = sum->getNextNode(); op != squares;
       op = op->getNextNode())
    if (auto statement = dyn_cast<StmtOp>(op))
      for (Value array : statement.getWrittenArrays())
        if (sum.reads(array))
          return false;
  return true;
}

bool Matcher::isMean(const Point &point) {
  Point mean = trace(point);
  auto quotient = mean.value.getDefiningOp<arith::DivFOp>();
  if (!quotient)
    return false;
  int64_t count = 1;
  for (int64_t iterator : sum.getReductions())
    count *= sum.getExtents()[iterator];
  std::optional<Element> element = getElement(trace(getOperand(mean, 0)));
  return element &&
         *element == Element{sum.getWrites().front(), sum.getWriteMap(0)} &&
         isConstant(getOperand(mean, 1), double(count));
}

/// Whether `one` and `other` are the same function of their operands.
static bool haveSameFunction(Operation *one, Operation *other) {
  auto getAttributes = [](Operation *op) {
    NamedAttrList attributes(op->getAttrDictionary());
    attributes.erase("fastmath");
    return attributes.getDictionary(op->getContext());
  };
  return one && other && one->getName() == other->getName() &&
         one->getNumRegions() == 0 &&
         one->getNumOperands() == other->getNumOperands() &&
         one->getResultTypes() == other->getResultTypes() &&
         getAttributes(one) == getAttributes(other);
}

bool Matcher::isSame(Point one, Point other) {
  one = trace(one);
  other = trace(other);
  if (one == other)
    return true;
  if (++numComparisons > kMaxComparisons)
    return false;
  std::optional<Element> element = getElement(one);
  if (element)
    return element == getElement(other);
  Operation *op = one.value.getDefiningOp();
  if (!haveSameFunction(op, other.value.getDefiningOp()))
    return false;
  if (auto index = dyn_cast<IndexOp>(op)) {
    unsigned number = index.getIterator();
    return one.iterators.getResult(number) == other.iterators.getResult(number);
  }
  return isPure(op) &&
         llvm::all_of(llvm::seq(op->getNumOperands()), [&](unsigned number) {
           return isSame(getOperand(one, number), getOperand(other, number));
         });
}

std::optional<Variance> Matcher::match() {
  if (!areAlike())
    return std::nullopt;
  Variance variance = {sum, squares, {}, {}, {}};
  std::optional<Point> root =
      getRoot(trace(getAddend(squares), &variance.steps));
  if (!root)
    return std::nullopt;
  Point difference = trace(*root, &variance.steps);
  if (!difference.value.getDefiningOp<arith::SubFOp>() ||
      !isSame(getOperand(difference, 0), getAddend(sum)))
    return std::nullopt;
  Point mean = getOperand(difference, 1);
  std::optional<Element> element = getElement(mean);
  if (!element || !isMean(mean))
    return std::nullopt;
  variance.mean = element->array;
  variance.meanMap = element->map;
  return variance;
}

std::optional<Variance> grout::scop::findVariance(StmtOp sum, StmtOp squares) {
  return Matcher(sum, squares).match();
}

unsigned grout::scop::inlineDifferences(const Variance &variance) {
  StmtOp squares = variance.squares;
  for (StmtOp step : variance.steps) {
    inlineStatement(step, squares);
    Value array = step.getWrites().front();
    if (!array.hasOneUse())
      continue;
    step.erase();
    array.getDefiningOp()->erase();
  }
  for (auto [read, array] : llvm::enumerate(squares.getReads()))
    if (array == variance.mean && squares.getReadMap(read) == variance.meanMap)
      return read;
  llvm_unreachable("the differences are from the mean");
}
