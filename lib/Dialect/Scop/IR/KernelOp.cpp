//===- KernelOp.cpp - scop.kernel and scop.index --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/AffineRange.h"
#include "grout/Dialect/Scop/IR/KernelTiles.h"
#include "grout/Interfaces/NamesOperands.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

StmtOp KernelOp::lookupStatement(StringRef name) {
  for (StmtOp statement : getStatements())
    if (statement.getSymName() == name)
      return statement;
  return {};
}

TreeOp KernelOp::getTree() {
  auto trees = getBody().front().getOps<TreeOp>();
  return trees.empty() ? TreeOp() : *trees.begin();
}

bool KernelOp::updates(BlockArgument array) {
  return llvm::any_of(array.getUsers(), llvm::IsaPred<ScatterOp>);
}

void KernelOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    // This may be called before the kernel has its body.
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Checks that the array or scalar in the body matches its operand.
static LogicalResult verifyArgument(KernelOp kernel, OpOperand &operand) {
  Type type = operand.get().getType();
  Type argument = kernel.getArgument(operand).getType();
  Type expected = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    expected = MemRefType::get(tensor.getShape(), tensor.getElementType());
  if (argument != expected)
    return kernel.emitOpError()
           << "argument " << operand.getOperandNumber() << " must be "
           << expected << " for an operand of type " << type << ", but is "
           << argument;
  if (auto shaped = dyn_cast<ShapedType>(type))
    if (!getSize(shaped.getShape(), shaped.getElementType()))
      return kernel.emitOpError()
             << "operand " << operand.getOperandNumber() << " of type " << type
             << " has more than 2^63 bytes";
  return success();
}

LogicalResult KernelOp::verify() {
  bool tensors = false, memrefs = false;
  for (Type type : getOperandTypes()) {
    tensors |= isa<RankedTensorType>(type);
    memrefs |= isa<MemRefType>(type);
  }
  if (tensors && memrefs)
    return emitOpError("mixes tensors and memrefs");
  if (getOutputs().empty())
    return emitOpError("needs an output");
  if (memrefs && getNumResults() != 0)
    return emitOpError("has results, but its outputs are memrefs");
  if (tensors && getResultTypes() != getOutputs().getTypes())
    return emitOpError() << "must have results of the types of its outputs, ("
                         << getOutputs().getTypes() << ")";
  if (!memrefs)
    return success();
  for (auto [index, output] : llvm::enumerate(getOutputs()))
    for (auto [other, operand] : llvm::enumerate(getOperands()))
      if (operand == output && other != getInputs().size() + index)
        return emitOpError() << "output " << index << " is operand " << other
                             << ", too; an output shares its memory with no "
                                "other operand";
  return success();
}

/// Checks that `schedule` maps every statement of `kernel`.
static LogicalResult verifySchedule(KernelOp kernel, ScheduleAttr schedule) {
  for (StringAttr name : schedule.getStatements())
    if (!kernel.lookupStatement(name))
      return kernel.emitOpError()
             << "schedule has a map for @" << name.getValue()
             << ", which is not a statement of the kernel";
  for (StmtOp statement : kernel.getStatements()) {
    AffineMap map = schedule.getMap(statement.getSymName());
    if (!map)
      return statement.emitOpError("has no map in the schedule of its kernel");
    if (map.getNumDims() != statement.getNumIterators())
      return statement.emitOpError()
             << "has " << statement.getNumIterators()
             << " iterators, but its map in the schedule takes "
             << map.getNumDims();
    if (llvm::Error error =
            checkComputable(map, getIndexRanges(statement.getExtents())))
      return statement.emitOpError()
             << "its map in the schedule: " << llvm::toString(std::move(error));
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  if (getBody().getNumArguments() != getNumOperands())
    return emitOpError() << "has " << getNumOperands()
                         << " operands, but its body takes "
                         << getBody().getNumArguments() << " arguments";
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (failed(verifyArgument(*this, operand)))
      return failure();
  unsigned numTrees = 0;
  for (Operation &op : getBody().front()) {
    if (!isa<LocalOp, StmtOp, TreeOp>(op))
      return op.emitOpError("is not allowed in a kernel, which holds "
                            "scop.local, scop.stmt and scop.tree only");
    numTrees += isa<TreeOp>(op);
  }
  if (numTrees > 1)
    return emitOpError("has more than one constraint tree");
  if (std::optional<ScheduleAttr> schedule = getSchedule())
    if (failed(verifySchedule(*this, *schedule)))
      return failure();
  if (std::optional<ArrayRef<int64_t>> sizes = getTileSizes())
    if (std::string problem = findTilesProblem(*this, *sizes); !problem.empty())
      return emitOpError(problem);
  if (getBody().front().getOps<StmtOp>().empty())
    return emitOpError("has no statement");
  return success();
}

LogicalResult IndexOp::verify() {
  auto statement = (*this)->getParentOfType<StmtOp>();
  if (!statement)
    return emitOpError("must be in a scop.stmt");
  if (getIterator() >= statement.getNumIterators())
    return emitOpError() << "iterator " << getIterator()
                         << " does not exist; the statement has "
                         << statement.getNumIterators();
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

namespace {

/// Removes inputs that no statement reads, and locals that no statement uses.
struct DropUnusedArrays : OpRewritePattern<KernelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(KernelOp kernel,
                                PatternRewriter &rewriter) const override {
    Block &body = kernel.getBody().front();
    SmallVector<LocalOp> locals;
    for (auto local : body.getOps<LocalOp>())
      if (local.getArray().use_empty())
        locals.push_back(local);
    bool mayRenumber = !hasNamedOperands(kernel);
    BitVector unused(body.getNumArguments());
    for (unsigned input = 0, e = kernel.getInputs().size();
         input < e && mayRenumber; ++input)
      if (body.getArgument(input).use_empty())
        unused.set(input);
    if (locals.empty() && unused.none())
      return failure();

    for (LocalOp local : locals)
      rewriter.eraseOp(local);
    rewriter.modifyOpInPlace(kernel, [&] {
      body.eraseArguments(unused);
      for (int input = unused.find_last(); input >= 0;
           input = unused.find_prev(input))
        kernel.getInputsMutable().erase(input);
    });
    return success();
  }
};

} // namespace

void KernelOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<DropUnusedArrays>(context);
}
