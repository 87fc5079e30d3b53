//===- AutoTree.cpp - Trees by the traffic of warps -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Scenarios.h"
#include "TreeNodes.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include <map>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

using Node = ConstraintTreeNode;

/// Builds the path of the tree for one scenario.
class PathBuilder {
public:
  PathBuilder(const KernelModel &model, const LaunchGroup &group,
              const Scenario &scenario)
      : model(model), group(group), scenario(scenario),
        numUnits(group.members.size(), 0) {}

  std::vector<std::unique_ptr<Node>> build();

private:
  /// Makes the node for `loop`. The row of a statement that does not iterate
  /// along `loop` is an iterator of extent 1, while it has any left, so that
  /// the scheduler finds as many independent rows as iterators.
  std::unique_ptr<Node> makeLoop(unsigned loop);
  /// Adds a sequence node that orders statements by the number that `getTime`
  /// returns for their members. Adds none if all have the same number.
  void addSequence(
      function_ref<unsigned(const LaunchGroup::Member &member)> getTime);
  std::optional<Mapping> getMapping(unsigned loop);

  const KernelModel &model;
  const LaunchGroup &group;
  const Scenario &scenario;
  /// For each member, the number of its iterators of extent 1 that have rows.
  SmallVector<unsigned> numUnits;
  std::vector<std::unique_ptr<Node>> path;
};

} // namespace

/// Returns the iterator of extent 1 with number `number`, counting only those.
static std::optional<unsigned>
findUnitIterator(const LaunchGroup::Member &member, unsigned number) {
  for (auto [iterator, loop] : llvm::enumerate(member.loops))
    if (!loop && number-- == 0)
      return iterator;
  return std::nullopt;
}

std::optional<Mapping> PathBuilder::getMapping(unsigned loop) {
  if (loop == scenario.getThreadLoop())
    return Mapping::ThreadX;
  if (!group.isOuter[loop] && scenario.isAlone)
    return std::nullopt;
  if (!group.isOuter[loop] || scenario.tileLoop == loop)
    return Mapping::ThreadY;
  return Mapping::Block;
}

std::unique_ptr<Node> PathBuilder::makeLoop(unsigned loop) {
  auto node = std::make_unique<Node>();
  for (auto [member, numUnits] : llvm::zip_equal(group.members, numUnits)) {
    const StatementModel &statement = model.statements[member.statement];
    std::optional<unsigned> iterator = member.getIterator(loop);
    if (!iterator)
      iterator = findUnitIterator(member, numUnits++);
    fixRow(*node, statement.name, statement.extents.size(), iterator);
  }
  if (group.isOuter[loop])
    node->coincidence = Coincidence::All;
  node->execution.mapping = getMapping(loop);
  if (loop == scenario.getThreadLoop()) {
    node->execution.vectorWidth = scenario.width;
    node->execution.masked = scenario.slots.has_value();
  }
  return node;
}

void PathBuilder::addSequence(
    function_ref<unsigned(const LaunchGroup::Member &member)> getTime) {
  std::map<unsigned, std::vector<std::string>> times;
  for (const LaunchGroup::Member &member : group.members)
    times[getTime(member)].push_back(model.statements[member.statement].name);
  if (times.size() <= 1)
    return;
  path.push_back(std::make_unique<Node>());
  path.back()->kind = DimKind::Sequence;
  for (auto &time : times)
    path.back()->order.push_back(std::move(time.second));
}

std::vector<std::unique_ptr<Node>> PathBuilder::build() {
  for (unsigned loop : scenario.outer)
    path.push_back(makeLoop(loop));
  addSequence([](const LaunchGroup::Member &member) { return member.phase; });
  for (unsigned loop : scenario.inner)
    path.push_back(makeLoop(loop));
  // At a point, statements of a phase come in the order of the program.
  std::map<unsigned, unsigned> places;
  std::map<unsigned, unsigned> ofPhase;
  for (const LaunchGroup::Member &member : group.members)
    places[member.statement] = ofPhase[member.phase]++;
  addSequence([&](const LaunchGroup::Member &member) {
    return places[member.statement];
  });
  return std::move(path);
}

/// Returns a tree that orders launches; each of them is scheduled on its own.
static ConstraintTree makeLaunchSequence(const KernelModel &model,
                                         ArrayRef<LaunchGroup> groups) {
  auto node = std::make_unique<Node>();
  node->kind = DimKind::Sequence;
  for (const LaunchGroup &group : groups) {
    node->order.emplace_back();
    for (const LaunchGroup::Member &member : group.members)
      node->order.back().push_back(model.statements[member.statement].name);
  }
  ConstraintTree tree;
  tree.roots.push_back(std::move(node));
  return tree;
}

llvm::Expected<SmallVector<SmallVector<StmtOp>>>
scop::findLaunchGroups(KernelOp kernel, const SchedulingProblem &problem,
                       const ConstraintTreeOptions &options) {
  llvm::Expected<KernelModel> model = KernelModel::create(kernel, problem);
  if (!model)
    return model.takeError();
  SmallVector<SmallVector<StmtOp>> result;
  for (const LaunchGroup &group : formLaunchGroups(*model, options.target)) {
    result.emplace_back();
    for (const LaunchGroup::Member &member : group.members)
      result.back().push_back(model->statements[member.statement].op);
  }
  return result;
}

llvm::Expected<std::optional<ConstraintTree>>
scop::buildAutoTree(KernelOp kernel, const SchedulingProblem &problem,
                    const ConstraintTreeOptions &options) {
  llvm::Expected<KernelModel> model = KernelModel::create(kernel, problem);
  if (!model)
    return model.takeError();
  std::vector<LaunchGroup> groups = formLaunchGroups(*model, options.target);
  if (groups.size() > 1)
    return std::optional(makeLaunchSequence(*model, groups));
  if (groups.empty() || !groups[0].isMappable || groups[0].extents.empty())
    return std::optional<ConstraintTree>();
  std::vector<Scenario> scenarios =
      findScenarios(*model, groups[0], options.target);
  if (scenarios.size() > options.maxScenarios)
    scenarios.resize(options.maxScenarios);
  ConstraintTree tree;
  for (const Scenario &scenario : scenarios)
    addPath(tree, PathBuilder(*model, groups[0], scenario).build());
  return std::optional(std::move(tree));
}
