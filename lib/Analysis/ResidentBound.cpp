//===- ResidentBound.cpp - Bound of resident tiles ------------------------===//
//
// Part of Grout. Enumerates tiles; only used if the order is not monotone.
//
//===----------------------------------------------------------------------===//

#include "ProgramChecks.h"

using namespace mlir;

namespace grout::detail {
namespace {

/// A graph whose nodes are tiles and semaphores. An arc leads from a node to
/// each node that must be complete first.
class WaitGraph {
public:
  /// Builds the graph. Returns false if it has more than `limit` nodes or arcs,
  /// or would take about as long.
  bool build(const TileProgram &program, llvm::ArrayRef<TileTask> tasks,
             int64_t limit);

  /// Returns a cycle of tiles as positions in tile order; empty if there is
  /// none.
  std::vector<size_t> findCycle();

  /// Returns, for each tile, the last position for which it waits, directly or
  /// through others; or its own position, if that is later. May only be called
  /// after findCycle found none.
  std::vector<size_t> getLastWaits() const;

private:
  size_t numTiles = 0;
  std::vector<std::vector<uint32_t>> successors;
  /// All nodes that tiles reach, each after its successors.
  std::vector<size_t> postOrder;
};

/// The number of arcs that can be added in the time that it takes to look at a
/// step.
constexpr int64_t kArcsPerStep = 4;

bool WaitGraph::build(const TileProgram &program,
                      llvm::ArrayRef<TileTask> tasks, int64_t limit) {
  numTiles = tasks.size();
  int64_t numNodes = numTiles;
  std::vector<int64_t> firstNode;
  for (const SynchronisedEdge &edge : program.edges) {
    firstNode.push_back(numNodes);
    numNodes += getNumSemaphores(edge.policy);
  }
  if (numNodes > limit)
    return false;
  successors.resize(numNodes);
  int64_t numArcs = 0, numSteps = 0;
  for (auto [position, task] : llvm::enumerate(tasks))
    for (auto [index, edge] : llvm::enumerate(program.edges)) {
      if (edge.producer == task.kernel) {
        int64_t semaphore = getSemaphore(edge.policy, task.tile);
        if (semaphore < 0)
          continue; // reported by checkCounts
        successors[firstNode[index] + semaphore].push_back(position);
        ++numArcs;
      }
      if (edge.consumer != task.kernel)
        continue;
      WaitBox previous;
      int64_t steps = program.kernels[task.kernel].steps;
      if (!dependsOnStep(edge.policy))
        steps = std::min(steps, edge.policy.firstStep + 1);
      for (int64_t step = edge.policy.firstStep; step < steps; ++step) {
        if (++numSteps > limit / kArcsPerStep)
          return false;
        WaitBox box = getWaitBox(edge.policy, task.tile, step);
        if (step > edge.policy.firstStep && box == previous)
          continue;
        numArcs += box.size();
        if (numArcs > limit)
          return false;
        std::vector<uint32_t> &waits = successors[position];
        size_t first = firstNode[index];
        forEachSemaphore(edge.policy, box, [&waits, first](int64_t semaphore) {
          waits.push_back(first + semaphore);
        });
        previous = std::move(box);
      }
    }
  return true;
}

std::vector<size_t> WaitGraph::getLastWaits() const {
  std::vector<size_t> last(successors.size(), 0);
  for (size_t node : postOrder) {
    if (node < numTiles)
      last[node] = node;
    for (uint32_t successor : successors[node])
      last[node] = std::max(last[node], last[successor]);
  }
  last.resize(numTiles);
  return last;
}

std::vector<size_t> WaitGraph::findCycle() {
  // Depth-first search without recursion; a node is open while on the path.
  enum : char { Unseen, Open, Done };
  std::vector<char> state(successors.size(), Unseen);
  std::vector<std::pair<size_t, size_t>> path; // node, next successor
  for (size_t root = 0; root < numTiles; ++root) {
    if (state[root] != Unseen)
      continue;
    state[root] = Open;
    path.push_back({root, 0});
    while (!path.empty()) {
      auto &[node, next] = path.back();
      if (next == successors[node].size()) {
        state[node] = Done;
        postOrder.push_back(node);
        path.pop_back();
        continue;
      }
      size_t successor = successors[node][next++];
      if (state[successor] == Open) {
        std::vector<size_t> cycle;
        while (path.back().first != successor) {
          if (path.back().first < numTiles)
            cycle.push_back(path.back().first);
          path.pop_back();
        }
        if (successor < numTiles)
          cycle.push_back(successor);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (state[successor] == Unseen) {
        state[successor] = Open;
        path.push_back({successor, 0});
      }
    }
  }
  return {};
}

} // namespace

ResidentBound findResidentBound(const TileProgram &program, int64_t maxTiles) {
  ResidentBound bound;
  auto giveUp = [&](std::string message) {
    bound.failure.emplace();
    bound.failure->kind = VerifyFailureKind::GaveUp;
    bound.failure->message = std::move(message);
    return bound;
  };
  int64_t numTiles = 0;
  for (const TileKernel &kernel : program.kernels) {
    int64_t product = 1;
    for (int64_t size : kernel.grid) {
      if (ShapedType::isDynamic(size) || ShapedType::isDynamic(kernel.steps))
        return giveUp("gave up: tiles wait for later ones, and a dynamic grid "
                      "cannot be enumerated");
      if (size > maxTiles / product)
        return giveUp("gave up: tiles wait for later ones, and there are too "
                      "many tiles to count how many");
      product *= size;
    }
    numTiles += product;
  }
  llvm::Expected<std::vector<TileTask>> tasks = enumerateOrder(program);
  if (!tasks)
    return giveUp(llvm::toString(tasks.takeError()));
  // In any useful policy, each tile has few arcs.
  constexpr int64_t nodesAndArcsPerTile = 16;
  WaitGraph graph;
  if (numTiles > maxTiles ||
      !graph.build(program, *tasks, maxTiles * nodesAndArcsPerTile))
    return giveUp("gave up: tiles wait for later ones, and there are too many "
                  "tiles to count how many");

  if (std::vector<size_t> cycle = graph.findCycle(); !cycle.empty()) {
    bound.failure.emplace();
    bound.failure->kind = VerifyFailureKind::Cycle;
    std::string &message = bound.failure->message;
    message = "tiles wait for each other: ";
    for (size_t position : cycle) {
      TilePoint point;
      point.kernel = (*tasks)[position].kernel;
      point.tile = llvm::to_vector((*tasks)[position].tile);
      message += formatPoint(program, point) + " -> ";
      bound.failure->cycle.push_back(std::move(point));
    }
    message += formatPoint(program, bound.failure->cycle.front());
    return bound;
  }

  // Compute |B(t)| by its increments. The last t, when all tiles are claimed,
  // does not count.
  std::vector<int64_t> change(numTiles + 1, 0);
  std::vector<size_t> lastWaits = graph.getLastWaits();
  for (size_t tile = 0; tile < lastWaits.size(); ++tile) {
    ++change[tile];
    --change[lastWaits[tile]];
  }
  int64_t waiting = 0, most = 0;
  for (int64_t t = 0; t + 1 < numTiles; ++t) {
    waiting += change[t];
    most = std::max(most, waiting);
  }
  bound.residents = most + 1;
  return bound;
}

} // namespace grout::detail
