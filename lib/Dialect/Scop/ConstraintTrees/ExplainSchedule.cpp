//===- ExplainSchedule.cpp - Loops, strides and sectors of a schedule -----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Sectors.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include "grout/Dialect/Scop/ThreadMapping/MappedKernel.h"
#include "grout/Support/CapturedErrors.h"
#include "grout/Target/IR/Grout.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The column in which explanations begin.
static constexpr unsigned kColumn = 14;

namespace {

/// Prints a schedule whose rows are iterators as loops.
class ScheduleText {
public:
  ScheduleText(KernelOp kernel, llvm::raw_ostream &os)
      : kernel(kernel), schedule(*kernel.getSchedule()),
        target(findTarget(kernel)),
        isOnCPU(target && !target->getSpec().warpSize), os(os) {}

  void print();

private:
  /// Finds the loops. Returns false if a row is not an iterator.
  bool findLoops();
  /// Finds the tile of a block, if blocks have tiles.
  void findTile();
  /// Returns access number `number` of a member if it goes through shared
  /// memory, else null.
  const StridedAccess *findStaged(const LaunchGroup::Member &member,
                                  unsigned number) const;
  void printLoop(unsigned loop);
  void printTile();
  void printStatement(unsigned position);
  void printAccess(const LaunchGroup::Member &member, unsigned number);
  void printTraffic(const WarpTraffic &traffic);
  void printStagedTraffic(const GroupAccess &access,
                          const StridedAccess &staged);
  std::string getName(Value array);
  llvm::raw_ostream &line(unsigned indent, const llvm::Twine &title) {
    std::string text = std::string(indent, ' ') + title.str();
    text.resize(std::max<size_t>(text.size() + 1, kColumn), ' ');
    return os << text;
  }

  KernelOp kernel;
  ScheduleAttr schedule;
  /// The target; null if the module has none.
  const Target *target;
  bool isOnCPU;
  llvm::raw_ostream &os;
  KernelModel model;
  LaunchGroup group;
  std::vector<GroupAccess> accesses;
  /// The dimensions of the schedule that are loops.
  SmallVector<DimAttr> dims;
  /// On a GPU, the kernel with its threads, if a block has a tile. Its outer
  /// loops have the same numbers as those of `model`.
  std::optional<MappedKernel> tiled;
};

} // namespace

bool ScheduleText::findLoops() {
  SmallVector<std::optional<unsigned>> loopOfDim;
  bool isOuter = true;
  for (auto [position, dim] : llvm::enumerate(schedule.getDims())) {
    int64_t extent = 1;
    for (StmtOp op : kernel.getStatements()) {
      AffineExpr row = schedule.getMap(op.getSymName()).getResult(position);
      if (auto iterator = dyn_cast<AffineDimExpr>(row))
        extent = std::max(extent, op.getExtents()[iterator.getPosition()]);
      else if (!isa<AffineConstantExpr>(row))
        return false;
    }
    isOuter &= dim.getKind() == DimKind::Linear && dim.getCoincident();
    loopOfDim.emplace_back();
    if (dim.getKind() != DimKind::Linear || extent == 1)
      continue;
    loopOfDim.back() = dims.size();
    dims.push_back(dim);
    group.extents.push_back(extent);
    group.isOuter.push_back(isOuter);
  }
  for (StmtOp op : kernel.getStatements()) {
    LaunchGroup::Member member;
    member.statement = model.statements.size();
    model.statements.push_back(modelStatement(op));
    member.loops.assign(op.getNumIterators(), std::nullopt);
    for (auto [row, loop] : llvm::zip_equal(
             schedule.getMap(op.getSymName()).getResults(), loopOfDim))
      if (auto iterator = dyn_cast<AffineDimExpr>(row);
          iterator && op.getExtents()[iterator.getPosition()] != 1)
        member.loops[iterator.getPosition()] = loop;
    group.members.push_back(std::move(member));
  }
  accesses = collectAccesses(model, group);
  return true;
}

void ScheduleText::findTile() {
  if (!target || isOnCPU)
    return;
  // Errors of kernels that cannot be mapped to threads are reported when they
  // are compiled.
  CapturedErrors errors(kernel.getContext());
  FailureOr<MappedKernel> mapped =
      mapKernel(kernel, target->getSpec(), getWholeLayout);
  if (succeeded(mapped) && mapped->mapping.tile)
    tiled = std::move(*mapped);
}

const StridedAccess *ScheduleText::findStaged(const LaunchGroup::Member &member,
                                              unsigned number) const {
  if (!tiled)
    return nullptr;
  StmtOp op = model.statements[member.statement].op;
  for (const Phase &phase : tiled->shape.phases)
    for (const PhaseStatement &statement : phase.statements)
      if (statement.op == op && number < statement.reads.size() &&
          isStaged(tiled->mapping, tiled->shape, statement.reads[number]))
        return &statement.reads[number];
  return nullptr;
}

std::string ScheduleText::getName(Value array) {
  if (auto argument = dyn_cast<BlockArgument>(array))
    return (kernel.isOutput(argument) ? "output " : "input ") +
           std::to_string(kernel.isOutput(argument)
                              ? argument.getArgNumber() -
                                    kernel.getInputs().size()
                              : argument.getArgNumber());
  unsigned number = 0;
  for (auto local : kernel.getBody().getOps<LocalOp>()) {
    if (local.getArray() == array)
      break;
    ++number;
  }
  return "local " + std::to_string(number);
}

/// Says which threads run the iterations of a loop.
static StringRef describe(std::optional<Mapping> mapping, bool isOuter,
                          bool isOnCPU) {
  if (!mapping && isOnCPU)
    return isOuter ? "in parallel" : "in order";
  if (!mapping)
    return isOuter ? "blocks and threads" : "in each thread";
  switch (*mapping) {
  case Mapping::Block:
    return "blocks";
  case Mapping::ThreadX:
    return "neighbouring threads";
  case Mapping::ThreadY:
    return "other threads of a block";
  }
  llvm_unreachable("unknown mapping");
}

void ScheduleText::printLoop(unsigned loop) {
  ExecutionAttr execution = dims[loop].getExecution();
  line(2, "loop " + llvm::Twine(loop))
      << group.extents[loop] << ", "
      << describe(execution.getMapping(), group.isOuter[loop], isOnCPU);
  if (execution.getVectorWidth() != 1)
    os << ", " << execution.getVectorWidth() << " at once"
       << (execution.getMasked() ? ", masked" : "");
  os << "\n";
}

void ScheduleText::printTile() {
  const Tile &tile = *tiled->mapping.tile;
  line(2, "tile") << tile.extent << " of loop " << tile.loop << ", "
                  << tile.width << " of loop " << tiled->shape.numOuter - 1
                  << "\n";
}

void ScheduleText::printTraffic(const WarpTraffic &traffic) {
  os << llvm::formatv(": {0} instruction{1}, {2} sector{3} a warp, {4} needed",
                      traffic.instructions,
                      traffic.instructions == 1 ? "" : "s", traffic.sectors,
                      traffic.sectors == 1 ? "" : "s", traffic.needed);
}

void ScheduleText::printStagedTraffic(const GroupAccess &access,
                                      const StridedAccess &staged) {
  const Tile &tile = *tiled->mapping.tile;
  unsigned other = tiled->shape.numOuter - 1;
  SmallVector<int64_t> extents = group.extents;
  extents[tile.loop] = tile.extent;
  extents[other] = tile.width;
  os << ", along loop " << tile.loop << " to shared memory";
  printTraffic(
      getWarpTraffic(access, extents, tile.loop, other,
                     getStagedWidth(tiled->mapping, tiled->shape, staged)));
}

void ScheduleText::printAccess(const LaunchGroup::Member &member,
                               unsigned number) {
  const AccessModel &access =
      model.statements[member.statement].accesses[number];
  line(4, access.isWrite ? "writes" : "reads")
      << getName(access.array) << ", "
      << cast<MemRefType>(access.array.getType()).getElementType();
  if (!isa<BlockArgument>(access.array)) {
    os << (isOnCPU ? "\n" : ", in registers\n");
    return;
  }
  if (!access.isLinear) {
    os << ", by quotients or remainders\n";
    return;
  }
  GroupAccess ofGroup = makeGroupAccess(group, member, access);
  os << ", strides";
  for (int64_t stride : ofGroup.strides)
    os << " " << stride;
  if (const StridedAccess *staged = findStaged(member, number)) {
    printStagedTraffic(ofGroup, *staged);
    os << "\n";
    return;
  }
  for (auto [loop, dim] : llvm::enumerate(dims)) {
    ExecutionAttr execution = dim.getExecution();
    if (execution.getMapping() != Mapping::ThreadX)
      continue;
    // Threads that reach the end of this loop go on with the loop around it.
    std::optional<unsigned> next;
    if (loop != 0 && group.isOuter[loop - 1] == group.isOuter[loop])
      next = loop - 1;
    std::optional<VectorSlots> slots;
    if (execution.getMasked())
      slots = findSlots(accesses, group, loop, execution.getVectorWidth());
    printTraffic(getWarpTraffic(ofGroup, group.extents, loop, next,
                                execution.getVectorWidth(), slots));
  }
  os << "\n";
}

void ScheduleText::printStatement(unsigned position) {
  const LaunchGroup::Member &member = group.members[position];
  const StatementModel &statement = model.statements[position];
  auto &out = line(2, "statement " + statement.name);
  SmallVector<unsigned> loops;
  for (std::optional<unsigned> loop : member.loops)
    if (loop)
      loops.push_back(*loop);
  llvm::sort(loops);
  if (loops.empty()) {
    out << "once";
  } else {
    out << "loop" << (loops.size() == 1 ? " " : "s ");
    llvm::interleave(loops, out, " ");
  }
  if (statement.isReduction())
    out << ", combines";
  out << "\n";
  for (unsigned number = 0; number != statement.accesses.size(); ++number)
    printAccess(member, number);
  kernel.lookupStatement(statement.name)->walk([&](GatherOp gather) {
    line(4, "gathers") << getName(gather.getArray()) << ", "
                       << gather.getValue().getType() << "\n";
  });
}

void ScheduleText::print() {
  if (!findLoops()) {
    line(2, "schedule") << "rows are not iterators\n";
    return;
  }
  for (unsigned loop = 0; loop != dims.size(); ++loop)
    printLoop(loop);
  findTile();
  if (tiled)
    printTile();
  for (unsigned position = 0; position != group.members.size(); ++position)
    printStatement(position);
}

void scop::explainSchedule(KernelOp kernel, llvm::raw_ostream &os) {
  ScheduleText(kernel, os).print();
}

unsigned scop::explainKernels(Operation *root, llvm::raw_ostream &os) {
  unsigned number = 0;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    SmallVector<KernelOp> kernels = getLaunchedKernels(op);
    if (kernels.empty())
      return WalkResult::advance();
    unsigned first = number, last = number + kernels.size() - 1;
    for (KernelOp kernel : kernels) {
      os << "memory-bound kernel " << number++;
      if (first != last)
        os << ", in one launch with kernels " << first << " to " << last;
      os << "\n";
      explainSchedule(kernel, os);
    }
    return WalkResult::skip();
  });
  return number;
}
