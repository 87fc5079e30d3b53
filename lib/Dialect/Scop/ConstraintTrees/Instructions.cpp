//===- Instructions.cpp - Instructions of warps ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

#include "grout/Target/GPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Counts the instructions of one instance. Conversions between floating-point
/// types are free: they are counted with accesses.
static double countStatement(StmtOp op, const MemoryBoundConstants &constants) {
  double count = 0;
  for (Operation &nested : op.getBody().front().without_terminator())
    if (isa<arith::DivFOp>(nested) ||
        isa<math::MathDialect>(nested.getDialect()))
      count += constants.functionInstructions;
    else if (!isa<arith::ExtFOp, arith::TruncFOp>(nested) &&
             !nested.hasTrait<OpTrait::ConstantLike>())
      count += 1;
  return count;
}

double scop::countInstructions(const KernelModel &model,
                               const LaunchGroup &group,
                               ArrayRef<GroupAccess> accesses,
                               const Scenario &scenario,
                               const MemoryBoundConstants &constants) {
  unsigned loop = scenario.getThreadLoop();
  double perIteration = constants.iterationInstructions;
  for (const LaunchGroup::Member &member : group.members)
    if (member.getIterator(loop))
      perIteration +=
          countStatement(model.statements[member.statement].op, constants);
  for (const GroupAccess &access : accesses)
    if (access.getStride(loop) != 0)
      perIteration += scenario.slots && !access.access->isWrite &&
                              scenario.slots->getJoined(access.getLinear(),
                                                        access.access->bytes)
                          ? constants.straddlingAccessInstructions
                          : constants.accessInstructions;
  double rows = 1;
  int64_t vectors = 1;
  for (auto [number, extent] : llvm::enumerate(group.extents)) {
    if (group.isOuter[number])
      rows *= extent;
    else if (number != loop)
      vectors *= extent;
    else if (scenario.slots)
      vectors *= scenario.slots->getCount(extent);
    else
      vectors *= llvm::divideCeil(extent, scenario.width);
  }
  int64_t lanes = std::min<int64_t>(kWarpSize, llvm::PowerOf2Ceil(vectors));
  double rounds = llvm::divideCeil(vectors, lanes);
  return rows * lanes / kWarpSize *
         (constants.rowInstructions + rounds * scenario.width * perIteration);
}
