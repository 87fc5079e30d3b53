//===- PlainKernels.cpp - Statements as linalg ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlainKernels.h"

#include "grout/Dialect/Scop/IR/Scop.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace grout;
using namespace grout::reference;

//===----------------------------------------------------------------------===//
// Elements of arrays
//===----------------------------------------------------------------------===//

namespace {

/// A slice of an array, and the map from iterators to its elements.
struct Part {
  SmallVector<int64_t> offsets, sizes, strides;
  /// Of the slice, without the dimensions that have a constant index.
  SmallVector<int64_t> shape;
  AffineMap map;

  bool isAllOf(RankedTensorType type) const {
    return llvm::equal(type.getShape(), shape);
  }
};

} // namespace

/// The part of an array that `map` takes points with `extents` to, each of them
/// to an element of its own but for iterators that it has not; none if it is
/// not known to be a slice.
static std::optional<Part> getWrittenPart(AffineMap map,
                                          ArrayRef<int64_t> extents) {
  Part part;
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults()) {
    SmallVector<int64_t> factors;
    if (failed(getFlattenedAffineExpr(result, map.getNumDims(), 0, &factors)) ||
        factors.size() != map.getNumDims() + 1)
      return std::nullopt;
    part.offsets.push_back(factors.pop_back_val());
    auto *factor = llvm::find_if(factors, [](int64_t f) { return f != 0; });
    if (factor == factors.end()) {
      part.sizes.push_back(1);
      part.strides.push_back(1);
      continue;
    }
    unsigned iterator = std::distance(factors.begin(), factor);
    auto dim = getAffineDimExpr(iterator, map.getContext());
    if (*factor < 0 || llvm::is_contained(results, dim) ||
        std::any_of(
            factor + 1, factors.end(), [](int64_t f) { return f != 0; }))
      return std::nullopt;
    part.sizes.push_back(extents[iterator]);
    part.strides.push_back(*factor);
    part.shape.push_back(extents[iterator]);
    results.push_back(dim);
  }
  part.map = AffineMap::get(map.getNumDims(), 0, results, map.getContext());
  return part;
}

/// The part of an array with `shape` from which points with `extents` read at
/// `map`: where that is an iterator, linalg wants no more elements than points.
static Part getReadPart(AffineMap map, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> extents) {
  Part part;
  part.offsets.assign(shape.size(), 0);
  part.strides.assign(shape.size(), 1);
  for (auto [result, extent] : llvm::zip_equal(map.getResults(), shape)) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    part.sizes.push_back(dim ? extents[dim.getPosition()] : extent);
  }
  part.shape = part.sizes;
  part.map = map;
  return part;
}

static Value createSlice(OpBuilder &builder, Location loc, Value tensor,
                         const Part &part) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (part.isAllOf(type))
    return tensor;
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get(part.shape, type.getElementType()),
      tensor, getAsIndexOpFoldResult(builder.getContext(), part.offsets),
      getAsIndexOpFoldResult(builder.getContext(), part.sizes),
      getAsIndexOpFoldResult(builder.getContext(), part.strides));
}

/// `tensor` with `value` in place of `part`.
static Value createInsert(OpBuilder &builder, Location loc, Value value,
                          Value tensor, const Part &part) {
  if (part.isAllOf(cast<RankedTensorType>(tensor.getType())))
    return value;
  return tensor::InsertSliceOp::create(
      builder, loc, value, tensor,
      getAsIndexOpFoldResult(builder.getContext(), part.offsets),
      getAsIndexOpFoldResult(builder.getContext(), part.sizes),
      getAsIndexOpFoldResult(builder.getContext(), part.strides));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The write of `statement` that replaces what its read `read` reads, if any
/// does.
static std::optional<unsigned> getReplacingWrite(scop::StmtOp statement,
                                                 unsigned read) {
  for (unsigned write = 0; write != statement.getWrites().size(); ++write)
    if (statement.getWrites()[write] == statement.getReads()[read] &&
        statement.getWriteMap(write) == statement.getReadMap(read))
      return write;
  return std::nullopt;
}

static bool canReplace(scop::StmtOp statement) {
  auto isScalar = [](Operation &op) {
    return op.getNumRegions() == 0 && !isa<scop::ScatterOp>(op);
  };
  if (!llvm::all_of(statement.getBody().front(), isScalar))
    return false;
  for (unsigned write = 0; write != statement.getWrites().size(); ++write)
    if (!getWrittenPart(statement.getWriteMap(write), statement.getExtents()))
      return false;
  for (auto [number, array] : llvm::enumerate(statement.getReads()))
    if (llvm::is_contained(statement.getWrites(), array) &&
        !getReplacingWrite(statement, number))
      return false;
  return true;
}

namespace {

/// Makes linalg of the statements of a kernel.
class KernelReplacer {
public:
  KernelReplacer(RewriterBase &rewriter, scop::KernelOp kernel);
  void run();

private:
  void replace(scop::StmtOp statement);
  void inlineBody(OpBuilder &builder, scop::StmtOp statement,
                  IRMapping mapping);

  RewriterBase &rewriter;
  scop::KernelOp kernel;
  /// What arrays hold, and scalars are.
  IRMapping values;
};

} // namespace

KernelReplacer::KernelReplacer(RewriterBase &rewriter, scop::KernelOp kernel)
    : rewriter(rewriter), kernel(kernel) {
  values.map(kernel.getBody().getArguments(), kernel->getOperands());
}

/// Copies the body of `statement`, of which `mapping` has the arguments.
void KernelReplacer::inlineBody(OpBuilder &builder, scop::StmtOp statement,
                                IRMapping mapping) {
  for (Operation &op : statement.getBody().front()) {
    Location loc = op.getLoc();
    if (auto index = dyn_cast<scop::IndexOp>(op)) {
      Value value = linalg::IndexOp::create(builder, loc, index.getIterator());
      mapping.map(index.getValue(), value);
    } else if (auto gather = dyn_cast<scop::GatherOp>(op)) {
      auto indices = llvm::map_to_vector(gather.getIndices(), [&](Value value) {
        return mapping.lookupOrDefault(value);
      });
      Value element = tensor::ExtractOp::create(
          builder, loc, values.lookup(gather.getArray()), indices);
      mapping.map(gather.getValue(), element);
    } else if (op.hasTrait<OpTrait::IsTerminator>()) {
      auto yielded = llvm::map_to_vector(op.getOperands(), [&](Value value) {
        return mapping.lookupOrDefault(value);
      });
      linalg::YieldOp::create(builder, loc, yielded);
    } else {
      builder.clone(op, mapping);
    }
  }
}

void KernelReplacer::replace(scop::StmtOp statement) {
  Location loc = statement.getLoc();
  ArrayRef<int64_t> extents = statement.getExtents();
  MLIRContext *context = statement.getContext();
  SmallVector<Value> ins, outs;
  SmallVector<AffineMap> maps;
  // The argument of the generic's body for each read: of an input, or behind
  // those of a write.
  SmallVector<std::pair<bool, unsigned>> arguments;
  for (auto [number, array] : llvm::enumerate(statement.getReads())) {
    if (auto write = getReplacingWrite(statement, number)) {
      arguments.push_back({true, *write});
      continue;
    }
    Value tensor = values.lookup(array);
    Part part = getReadPart(statement.getReadMap(number),
                            cast<RankedTensorType>(tensor.getType()).getShape(),
                            extents);
    arguments.push_back({false, ins.size()});
    ins.push_back(createSlice(rewriter, loc, tensor, part));
    maps.push_back(part.map);
  }
  // It says how many points there are, and is not read.
  ins.push_back(
      tensor::EmptyOp::create(rewriter, loc, extents, rewriter.getF32Type()));
  maps.push_back(AffineMap::getMultiDimIdentityMap(extents.size(), context));

  std::vector<Part> parts;
  SmallVector<utils::IteratorType> iterators(extents.size(),
                                             utils::IteratorType::reduction);
  for (auto [number, array] : llvm::enumerate(statement.getWrites())) {
    Part part = *getWrittenPart(statement.getWriteMap(number), extents);
    outs.push_back(createSlice(rewriter, loc, values.lookup(array), part));
    maps.push_back(part.map);
    for (AffineExpr result : part.map.getResults())
      iterators[cast<AffineDimExpr>(result).getPosition()] =
          utils::IteratorType::parallel;
    parts.push_back(std::move(part));
  }
  auto generic = linalg::GenericOp::create(
      rewriter, loc, TypeRange(outs), ins, outs, maps, iterators,
      [&](OpBuilder &builder, Location, ValueRange elements) {
        IRMapping mapping = values;
        for (auto [argument, of] :
             llvm::zip_equal(statement.getBody().getArguments(), arguments))
          mapping.map(argument,
                      elements[of.first ? ins.size() + of.second : of.second]);
        inlineBody(builder, statement, std::move(mapping));
      });
  for (auto [array, result, part] :
       llvm::zip_equal(statement.getWrites(), generic.getResults(), parts))
    values.map(array,
               createInsert(rewriter, loc, result, values.lookup(array), part));
}

void KernelReplacer::run() {
  rewriter.setInsertionPoint(kernel);
  for (auto local : kernel.getBody().getOps<scop::LocalOp>()) {
    auto type = cast<MemRefType>(local.getType());
    values.map(local.getArray(),
               tensor::EmptyOp::create(rewriter, local.getLoc(),
                                       type.getShape(), type.getElementType())
                   .getResult());
  }
  for (scop::StmtOp statement : kernel.getStatements())
    replace(statement);
  SmallVector<Value> results;
  for (OpOperand &output : kernel.getDpsInitsMutable())
    results.push_back(values.lookup(kernel.getArgument(output)));
  rewriter.replaceOp(kernel, results);
}

void grout::reference::replaceKernels(func::FuncOp func) {
  IRRewriter rewriter(func.getContext());
  func.walk([&](scop::LaunchOp launch) {
    Operation *yield = launch.getYield();
    rewriter.inlineBlockBefore(&launch.getBody().front(), launch);
    rewriter.replaceOp(launch, yield->getOperands());
    rewriter.eraseOp(yield);
  });
  func.walk([&](scop::KernelOp kernel) {
    if (kernel.hasTensors() && llvm::all_of(kernel.getStatements(), canReplace))
      KernelReplacer(rewriter, kernel).run();
  });
}
