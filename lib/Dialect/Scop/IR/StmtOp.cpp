//===- StmtOp.cpp - scop.stmt ---------------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/AffineRange.h"
#include "grout/Dialect/Scop/IR/Scop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

std::optional<unsigned> StmtOp::getReadOfWrite(unsigned index) {
  for (auto [read, array] : llvm::enumerate(getReads()))
    if (array == getWrites()[index] && getReadMap(read) == getWriteMap(index))
      return read;
  return std::nullopt;
}

SmallVector<Value> StmtOp::getWrittenArrays() {
  SmallVector<Value> arrays = llvm::to_vector(getWrites());
  for (auto scatter : getBody().getOps<ScatterOp>())
    arrays.push_back(scatter.getArray());
  return arrays;
}

bool StmtOp::writes(Value array) {
  return llvm::is_contained(getWrittenArrays(), array);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Operation *StmtOp::getCombiner(unsigned index) {
  std::optional<unsigned> read = getReadOfWrite(index);
  if (!read)
    return nullptr;
  BlockArgument element = getBody().getArgument(*read);
  Value result = getBody().front().getTerminator()->getOperand(index);
  Operation *op = result.getDefiningOp();
  // Nothing else may use the intermediate values.
  if (!op || !element.hasOneUse() || !result.hasOneUse() ||
      !llvm::is_contained(op->getOperands(), element))
    return nullptr;
  return isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)
             ? op
             : nullptr;
}

/// Checks that `statement` only combines elements over its reductions.
static LogicalResult verifyReductions(StmtOp statement) {
  int64_t previous = -1;
  for (int64_t iterator : statement.getReductions()) {
    if (iterator <= previous || iterator >= statement.getNumIterators())
      return statement.emitOpError()
             << "reductions must be iterators from 0 to "
             << int64_t(statement.getNumIterators()) - 1 << ", ascending";
    previous = iterator;
    for (unsigned write = 0, e = statement.getWrites().size(); write < e;
         ++write)
      if (statement.getWriteMap(write).isFunctionOfDim(iterator))
        return statement.emitOpError()
               << "write " << write << " depends on iterator " << iterator
               << ", which is a reduction";
  }
  if (!statement.isReduction())
    return success();
  for (unsigned write = 0, e = statement.getWrites().size(); write < e;
       ++write) {
    if (!statement.getReadOfWrite(write))
      return statement.emitOpError()
             << "is a reduction, but does not read the element of write "
             << write;
    if (!statement.getCombiner(write))
      return statement.emitOpError()
             << "is a reduction, but does not combine the element of write "
             << write
             << " with others in one commutative and associative operation";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Checks the accesses of one kind, "read" or "write".
static LogicalResult verifyAccesses(StmtOp statement, StringRef kind,
                                    ValueRange arrays, ArrayAttr maps) {
  if (arrays.size() != maps.size())
    return statement.emitOpError() << "has " << arrays.size() << " " << kind
                                   << "s, but " << maps.size() << " maps";
  for (auto [index, array, attr] : llvm::enumerate(arrays, maps)) {
    AffineMap map = cast<AffineMapAttr>(attr).getValue();
    unsigned rank = cast<MemRefType>(array.getType()).getRank();
    if (map.getNumDims() != statement.getNumIterators() ||
        map.getNumSymbols() != 0 || map.getNumResults() != rank)
      return statement.emitOpError()
             << "map of " << kind << " " << index << " must take "
             << statement.getNumIterators() << " iterators to " << rank
             << " indices";
    if (llvm::Error error =
            checkComputable(map, getIndexRanges(statement.getExtents())))
      return statement.emitOpError()
             << "map of " << kind << " " << index << ": "
             << llvm::toString(std::move(error));
  }
  return success();
}

/// Whether `name` is valid as the name of a tuple in isl's notation.
static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

LogicalResult StmtOp::verify() {
  if (!isIdentifier(getSymName()))
    return emitOpError() << "needs a name of letters, digits and '_' that does "
                            "not start with a digit, got "
                         << getSymNameAttr();
  for (int64_t extent : getExtents())
    if (extent < 1)
      return emitOpError() << "needs extents of at least 1, got " << extent;
  if (!getSize(getExtents()))
    return emitOpError("has more than 2^63 instances");
  if (failed(verifyAccesses(*this, "read", getReads(), getReadMaps())) ||
      failed(verifyAccesses(*this, "write", getWrites(), getWriteMaps())))
    return failure();
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  for (auto [index, array] : llvm::enumerate(getWrites())) {
    auto argument = dyn_cast<BlockArgument>(array);
    if (argument && !kernel.isOutput(argument))
      return emitOpError() << "write " << index << " goes to input "
                           << argument.getArgNumber() << " of the kernel";
    if (llvm::is_contained(getWrites().drop_front(index + 1), array))
      return emitOpError() << "write " << index
                           << " goes to the same array as a later one";
  }
  return success();
}

/// Returns the element types of `arrays`.
static SmallVector<Type> getElementTypes(ValueRange arrays) {
  return llvm::map_to_vector(arrays, [](Value array) -> Type {
    return getElementTypeOrSelf(array.getType());
  });
}

LogicalResult StmtOp::verifyRegions() {
  Block &block = getBody().front();
  SmallVector<Type> elements = getElementTypes(getReads());
  if (block.getArgumentTypes() != TypeRange(elements))
    return emitOpError() << "region must take (" << TypeRange(elements)
                         << "), the elements read, but takes ("
                         << block.getArgumentTypes() << ")";
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("region must end with scop.yield");
  SmallVector<Type> results = getElementTypes(getWrites());
  if (yield.getOperandTypes() != TypeRange(results))
    return yield.emitOpError() << "must yield (" << TypeRange(results)
                               << "), the elements written, but yields ("
                               << yield.getOperandTypes() << ")";

  if (getWrites().empty() && block.getOps<ScatterOp>().empty())
    return emitOpError("writes nothing");
  for (Operation &op : block.without_terminator())
    if (!isMemoryEffectFree(&op) && !isa<ScatterOp>(op))
      return op.emitOpError("is not allowed in a statement, which holds ops "
                            "without effects only");
  WalkResult result = getBody().walk([&](Operation *op) {
    if (isa<GatherOp, ScatterOp>(op))
      return WalkResult::advance();
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType())) {
        op->emitOpError("uses an array; what a statement accesses is in its "
                        "reads and writes");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted() || failed(verifyReductions(*this)));
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

namespace {

/// Removes reads of elements that the region does not use, and merges reads of
/// one element.
struct SimplifyReads : OpRewritePattern<StmtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StmtOp statement,
                                PatternRewriter &rewriter) const override {
    Block &block = statement.getBody().front();
    BitVector removed(block.getNumArguments());
    for (unsigned read = 0, e = block.getNumArguments(); read < e; ++read) {
      for (unsigned first = 0; first < read; ++first) {
        if (removed[first] ||
            statement.getReads()[first] != statement.getReads()[read] ||
            statement.getReadMap(first) != statement.getReadMap(read))
          continue;
        // A reduction uses the element into which it combines once.
        if (!statement.isReduction())
          rewriter.replaceAllUsesWith(block.getArgument(read),
                                      block.getArgument(first));
        break;
      }
      if (block.getArgument(read).use_empty())
        removed.set(read);
    }
    if (removed.none())
      return failure();

    SmallVector<Attribute> maps;
    for (auto [read, map] : llvm::enumerate(statement.getReadMaps()))
      if (!removed[read])
        maps.push_back(map);
    rewriter.modifyOpInPlace(statement, [&] {
      block.eraseArguments(removed);
      for (int read = removed.find_last(); read >= 0;
           read = removed.find_prev(read))
        statement.getReadsMutable().erase(read);
      statement.setReadMapsAttr(rewriter.getArrayAttr(maps));
    });
    return success();
  }
};

/// Removes the mark of a reduction if folding has changed its combination to
/// something else: the old element, a constant, or a difference. Then its
/// iterations keep their order.
struct UnmarkReduction : OpRewritePattern<StmtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StmtOp statement,
                                PatternRewriter &rewriter) const override {
    auto combines = [&](unsigned write) {
      return statement.getCombiner(write) != nullptr;
    };
    if (!statement.isReduction() ||
        llvm::all_of(llvm::seq<unsigned>(0, statement.getWrites().size()),
                     combines))
      return failure();
    rewriter.modifyOpInPlace(
        statement, [&] { statement.setReductions(ArrayRef<int64_t>()); });
    return success();
  }
};

} // namespace

void StmtOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                         MLIRContext *context) {
  results.add<SimplifyReads, UnmarkReduction>(context);
}
