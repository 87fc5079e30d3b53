//===- Grouping.cpp - Groups of ops that become kernels -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"

#include "Members.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "convert-linalg-to-scop"

using namespace mlir;
using namespace grout::scop;

SmallVector<Operation *> grout::scop::getProducers(Operation *op) {
  llvm::SetVector<Operation *> producers;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (producer->getBlock() == op->getBlock())
          producers.insert(producer);
  });
  return producers.takeVector();
}

/// If elements of a transposed tensor are read at least this often, the
/// transpose becomes a kernel of its own. That costs a launch, and a write and
/// a read of each element. The number is a guess. The convolutions that were
/// measured read their weights at least 121 times.
static constexpr uint64_t kManyReads = 16;

namespace {

/// Grows groups while it goes through the ops of a block.
class Grouper {
public:
  explicit Grouper(unsigned maxStatements) : maxStatements(maxStatements) {}

  /// Starts anew after an op across which groups may not reach.
  void addBarrier() { groupOf.clear(); }

  /// Adds a statement, and merges it into the groups of its producers where
  /// possible.
  void addStatement(Operation *op) {
    unsigned own = groups.size();
    groups.emplace_back().insert(op);
    groupOf[op] = own;
    for (Operation *producer : getProducers(op)) {
      auto it = groupOf.find(producer);
      if (it != groupOf.end() && it->second != groupOf[op])
        tryToMerge(it->second, groupOf[op]);
    }
  }

  /// Adds a view to the group of its source. A view depends on nothing else, so
  /// this is always possible. But a view of a scatter's result has no place in
  /// a kernel.
  void addView(Operation *op) {
    Operation *producer = op->getOperand(0).getDefiningOp();
    auto it = groupOf.find(producer);
    if (it == groupOf.end() || isa<tensor::ScatterOp>(producer))
      return;
    groups[it->second].insert(op);
    groupOf[op] = it->second;
  }

  SmallVector<Group> take() {
    llvm::erase_if(groups, [](const Group &group) { return group.empty(); });
    return std::move(groups);
  }

private:
  /// Whether one of `consumers` depends on `producers` by way of an op that is
  /// in neither group.
  bool hasDetour(const Group &producers, const Group &consumers) {
    SmallVector<Operation *> worklist;
    llvm::SmallPtrSet<Operation *, 16> visited;
    auto addOutside = [&](Operation *op) {
      for (Operation *producer : getProducers(op))
        if (!producers.contains(producer) && !consumers.contains(producer) &&
            visited.insert(producer).second)
          worklist.push_back(producer);
    };
    for (Operation *op : consumers)
      addOutside(op);
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      if (llvm::any_of(getProducers(op), [&](Operation *producer) {
            return producers.contains(producer);
          }))
        return true;
      addOutside(op);
      // All ops of a group run at once.
      if (auto it = groupOf.find(op); it != groupOf.end())
        for (Operation *member : groups[it->second])
          if (visited.insert(member).second)
            worklist.push_back(member);
    }
    return false;
  }

  /// Whether one of `consumers` gathers from the result of one of `producers`:
  /// a kernel can only gather from its inputs.
  static bool gathersFrom(const Group &producers, const Group &consumers) {
    return llvm::any_of(consumers, [&](Operation *op) {
      return llvm::any_of(getGathered(op), [&](Operation *producer) {
        return producers.contains(producer);
      });
    });
  }

  /// Whether one of `consumers` scatters into the result of one of `producers`,
  /// or reads the result of a scatter of `producers`. A kernel can access a
  /// tensor into which it scatters in no other way.
  static bool updates(const Group &producers, const Group &consumers) {
    return llvm::any_of(consumers, [&](Operation *op) {
      if (auto scatter = dyn_cast<tensor::ScatterOp>(op))
        if (producers.contains(getViewed(scatter.getDest()).getDefiningOp()))
          return true;
      return llvm::any_of(getProducers(op), [&](Operation *producer) {
        return isa<tensor::ScatterOp>(producer) && producers.contains(producer);
      });
    });
  }

  /// Whether one of `consumers` reduces over elements that one of `producers`
  /// transposes, and reads each of them often. For example, a depthwise
  /// convolution reads its weights once for each pixel. In one kernel, no loop
  /// order makes the reads of both weights and pixels contiguous. A kernel for
  /// the transpose does.
  static bool rereadsTurned(const Group &producers, const Group &consumers) {
    return llvm::any_of(consumers, [&](Operation *op) {
      auto consumer = dyn_cast<linalg::LinalgOp>(op);
      return consumer &&
             llvm::any_of(consumer.getDpsInputOperands(), [&](OpOperand *from) {
               auto turn = dyn_cast_or_null<linalg::TransposeOp>(
                   getViewed(from->get()).getDefiningOp());
               return turn && producers.contains(turn) &&
                      turnsInnermost(turn) && rereads(consumer, *from);
             });
    });
  }

  /// Whether the transpose moves another dimension to the innermost place.
  static bool turnsInnermost(linalg::TransposeOp turn) {
    ArrayRef<int64_t> shape = turn.getInput().getType().getShape();
    auto dims = llvm::to_vector(llvm::make_filter_range(
        turn.getPermutation(), [&](int64_t dim) { return shape[dim] != 1; }));
    return !dims.empty() && dims.back() != *llvm::max_element(dims);
  }

  /// Whether `op` reduces over elements of `operand`, and reads each of them
  /// often.
  static bool rereads(linalg::LinalgOp op, OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isReduced = false;
    uint64_t numReads = 1;
    for (auto [loop, extent, iterator] :
         llvm::enumerate(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
      if (map.isFunctionOfDim(loop))
        isReduced |= extent != 1 && iterator == utils::IteratorType::reduction;
      else if (iterator == utils::IteratorType::parallel)
        numReads = llvm::SaturatingMultiply<uint64_t>(numReads, extent);
    return isReduced && numReads >= kManyReads;
  }

  void tryToMerge(unsigned first, unsigned second) {
    Group &into = groups[first], &from = groups[second];
    if (updates(into, from) || updates(from, into)) {
      LDBG() << from.front()->getLoc() << " stays apart from "
             << into.front()->getLoc() << ": one updates what the other has";
      return;
    }
    if (gathersFrom(into, from) || gathersFrom(from, into)) {
      LDBG() << from.front()->getLoc() << " stays apart from "
             << into.front()->getLoc() << ": one gathers from the other";
      return;
    }
    if (rereadsTurned(into, from) || rereadsTurned(from, into)) {
      LDBG() << from.front()->getLoc() << " stays apart from "
             << into.front()->getLoc()
             << ": one reads many times what the other turns";
      return;
    }
    bool areMany =
        countStatements(into) + countStatements(from) > maxStatements;
    if (areMany || hasDetour(into, from) || hasDetour(from, into)) {
      LDBG() << from.front()->getLoc() << " stays apart from "
             << into.front()->getLoc() << ": "
             << (areMany ? "there would be too many statements"
                         : "another op lies between them");
      if (areMany)
        moveOperands(into, second);
      return;
    }
    for (Operation *op : from) {
      into.insert(op);
      groupOf[op] = first;
    }
    from.clear();
  }

  /// If group `number` reduces, moves ops of `from` to it: those without
  /// reductions that only this group uses. So a sum takes its elementwise
  /// operand along, and no kernel has to store the operand.
  void moveOperands(Group &from, unsigned number) {
    Group &to = groups[number];
    if (!llvm::any_of(to, reduces) || countStatements(to) >= maxStatements)
      return;
    sortByOrder(from);
    Group moved;
    unsigned left = maxStatements - countStatements(to);
    SmallVector<Operation *> members = llvm::to_vector(from);
    for (Operation *op : llvm::reverse(members)) {
      auto isUsedInGroup = [&](Operation *user) {
        Operation *at = op->getBlock()->findAncestorOpInBlock(*user);
        return to.contains(at) || moved.contains(at);
      };
      if (reduces(op) || op->use_empty() ||
          !llvm::all_of(op->getUsers(), isUsedInGroup))
        continue;
      if (!isView(op) && left-- == 0)
        break;
      moved.insert(op);
    }
    // A view is in the group of its source.
    for (Operation *op : members)
      if (isView(op) && !moved.contains(op->getOperand(0).getDefiningOp()))
        moved.remove(op);
    for (Operation *op : moved) {
      from.remove(op);
      to.insert(op);
      groupOf[op] = number;
    }
  }

  static bool reduces(Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return linalgOp && linalgOp.getNumReductionLoops() != 0;
  }

  static unsigned countStatements(const Group &group) {
    return llvm::count_if(group, [](Operation *op) { return !isView(op); });
  }

  unsigned maxStatements;
  SmallVector<Group> groups;
  llvm::DenseMap<Operation *, unsigned> groupOf;
};

} // namespace

SmallVector<Group> grout::scop::groupStatements(
    Block &block, unsigned maxStatements,
    llvm::function_ref<bool(Operation *)> isStatement) {
  Grouper grouper(maxStatements);
  for (Operation &op : block) {
    if (isStatement(&op))
      grouper.addStatement(&op);
    else if (isView(&op))
      grouper.addView(&op);
    else if (!isMemoryEffectFree(&op))
      grouper.addBarrier();
  }
  return grouper.take();
}

void grout::scop::sortByOrder(Group &group) {
  SmallVector<Operation *> members = group.takeVector();
  llvm::sort(members, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  group.insert(members.begin(), members.end());
}
