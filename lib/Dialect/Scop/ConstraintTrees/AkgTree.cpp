//===- AkgTree.cpp - The greedy optimiser of AKG --------------------------===//
//
// Part of Grout. After `scheduling_mind_trick.cc` of MindSpore's AKG, release
// 1.9 (AccessInfo, DimensionsDecision, DimensionAnalysis). Each statement
// chooses the order of its iterators by a score, from the innermost outwards,
// independently of other statements.
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "TreeNodes.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Returns the iterators along which an access is dense, from the innermost
/// outwards. Stops at the first dimension of the array whose subscript is not
/// just an iterator.
static SmallVector<unsigned> getDimensions(AffineMap map) {
  SmallVector<unsigned> dimensions;
  for (AffineExpr index : llvm::reverse(map.getResults())) {
    auto iterator = dyn_cast<AffineDimExpr>(index);
    if (!iterator)
      break;
    dimensions.push_back(iterator.getPosition());
  }
  return dimensions;
}

/// Returns the number of elements of a vector along the innermost dimension of
/// the array: 4 or 2, or 1 if AKG uses no vectors.
static int64_t getVectorSize(MemRefType type) {
  Type element = type.getElementType();
  bool hasVectors =
      element.isInteger(32) ||
      (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 32);
  if (!hasVectors || type.getRank() == 0)
    return 1;
  int64_t extent = type.getShape().back();
  return extent % 4 == 0 ? 4 : extent == 2 ? 2 : 1;
}

namespace {

struct Access {
  SmallVector<unsigned> dimensions;
  int64_t vectorSize;
  bool isWrite;

  bool isDenseAlong(unsigned iterator) const {
    return !dimensions.empty() && dimensions.front() == iterator;
  }
};

/// The choices for a statement.
struct Decision {
  /// Its iterators, outermost first.
  SmallVector<unsigned> order;
  int64_t width = 1;
};

} // namespace

static int64_t getScore(ArrayRef<Access> accesses, unsigned iterator,
                        bool isInnermost) {
  int64_t score = 0;
  for (const Access &access : accesses) {
    auto it = llvm::find(access.dimensions, iterator);
    if (it == access.dimensions.end())
      continue;
    int64_t position = it - access.dimensions.begin();
    score += access.dimensions.size() - position;
    if (position == 0 && access.isWrite)
      ++score;
    if (isInnermost && position == 0 && access.vectorSize > 1)
      score += 3 * access.vectorSize + (access.isWrite ? 2 : 0);
  }
  return score;
}

static Decision decide(StmtOp op) {
  SmallVector<Access> accesses;
  auto add = [&](Value array, AffineMap map, bool isWrite) {
    accesses.push_back({getDimensions(map),
                        getVectorSize(cast<MemRefType>(array.getType())),
                        isWrite});
  };
  for (auto [index, array] : llvm::enumerate(op.getReads()))
    add(array, op.getReadMap(index), /*isWrite=*/false);
  for (auto [index, array] : llvm::enumerate(op.getWrites()))
    add(array, op.getWriteMap(index), /*isWrite=*/true);

  Decision decision;
  SmallVector<unsigned> rest =
      llvm::to_vector(llvm::reverse(llvm::seq(op.getNumIterators())));
  while (!rest.empty()) {
    bool isInnermost = decision.order.empty();
    auto best = llvm::max_element(rest, [&](unsigned a, unsigned b) {
      return getScore(accesses, a, isInnermost) <
             getScore(accesses, b, isInnermost);
    });
    decision.order.push_back(*best);
    rest.erase(best);
  }
  if (!decision.order.empty()) {
    int64_t width = 0;
    for (const Access &access : accesses)
      if (access.isDenseAlong(decision.order.front()) && access.vectorSize > 1)
        width =
            width == 0 ? access.vectorSize : std::min(width, access.vectorSize);
    if (width > 1 && op.getExtents()[decision.order.front()] % width == 0)
      decision.width = width;
  }
  std::reverse(decision.order.begin(), decision.order.end());
  return decision;
}

/// Whether AKG's optimiser leaves the kernel of this statement unchanged.
static bool isExcluded(StmtOp op) {
  if (op.isReduction() || op.getWrites().empty())
    return true;
  bool isTranspose = false;
  for (auto [index, array] : llvm::enumerate(op.getReads()))
    isTranspose |= op.getReadMap(index).isPermutation() &&
                   op.getReadMap(index) != op.getWriteMap(0);
  bool converts = llvm::any_of(op.getReads(), [&](Value array) {
    return cast<MemRefType>(array.getType()).getElementType() !=
           cast<MemRefType>(op.getWrites().front().getType()).getElementType();
  });
  return isTranspose && converts;
}

std::optional<ConstraintTree> scop::buildAkgTree(KernelOp kernel) {
  SmallVector<std::pair<StmtOp, Decision>> decisions;
  size_t depth = 0;
  int64_t width = std::numeric_limits<int64_t>::max();
  for (StmtOp op : kernel.getStatements()) {
    if (isExcluded(op))
      return std::nullopt;
    decisions.emplace_back(op, decide(op));
    depth = std::max(depth, decisions.back().second.order.size());
    // A thread has one width for all of its statements.
    width = std::min(width, decisions.back().second.width);
  }
  if (depth == 0)
    return std::nullopt;
  std::vector<std::unique_ptr<ConstraintTreeNode>> path;
  for (size_t dim = 0; dim != depth; ++dim) {
    path.push_back(std::make_unique<ConstraintTreeNode>());
    ConstraintTreeNode &node = *path.back();
    for (auto &[op, decision] : decisions) {
      std::optional<unsigned> iterator;
      if (dim < decision.order.size())
        iterator = decision.order[dim];
      StmtOp statement = op;
      fixRow(node, statement.getSymName().str(), statement.getNumIterators(),
             iterator);
    }
  }
  path.back()->execution.mapping = Mapping::ThreadX;
  path.back()->execution.vectorWidth = width;
  ConstraintTree tree;
  addPath(tree, std::move(path));
  return tree;
}
