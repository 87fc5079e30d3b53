//===- FuzzedCode.cpp - Generators that lie about their code --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FuzzedCode.h"

#include "FuzzedBody.h"
#include "grout/Conversion/TGemmToCPU/CPULaunchGenerator.h"

using namespace mlir;
using namespace grout;
using namespace grout::test;

/// Makes `code`, of `launch`, have `fault`.
static void damage(LaunchCode &code, CodeFault fault, launch::TilesOp launch) {
  MLIRContext *context = launch.getContext();
  AffineMap &order = code.order.front();
  int64_t &extent = code.grids.front().front();
  switch (fault) {
  case CodeFault::none:
  case CodeFault::fails:
    return;
  case CodeFault::noEntries:
    return code.entries.clear();
  case CodeFault::unknownEntry:
    code.entries.front() = "nothing";
    return;
  case CodeFault::noBuffers:
    return code.buffers.clear();
  case CodeFault::noArgs:
    return code.args.clear();
  case CodeFault::argNull:
    code.args.front() = Attribute();
    return;
  case CodeFault::argOther:
    code.args.front() = StringAttr::get(context, "x");
    return;
  case CodeFault::bufferNull:
    code.buffers.emplace_back();
    return;
  case CodeFault::bufferOther:
    code.buffers.push_back(launch.getBody().getArgument(0));
    return;
  case CodeFault::argOutside:
    code.buffers.pop_back();
    return;
  case CodeFault::noGrids:
    return code.grids.clear();
  case CodeFault::gridZero:
    extent = 0;
    return;
  case CodeFault::gridNegative:
    extent = -1;
    return;
  case CodeFault::gridShort:
    for (SmallVector<int64_t> &grid : code.grids)
      grid.front() -= grid.front() > 1;
    return;
  case CodeFault::gridLong:
    ++extent;
    return;
  case CodeFault::gridHuge:
    extent = INT64_MAX;
    return;
  case CodeFault::gridRank:
    return code.grids.front().push_back(1);
  case CodeFault::noOrder:
    return code.order.clear();
  case CodeFault::orderNull:
    order = AffineMap();
    return;
  case CodeFault::orderReversed:
    return std::reverse(code.order.begin(), code.order.end());
  case CodeFault::orderRank:
    order = AffineMap::getMultiDimIdentityMap(order.getNumDims() + 1, context);
    return;
  case CodeFault::orderHuge:
    order = AffineMap::get(order.getNumDims(), 0,
                           getAffineDimExpr(0, context) * INT64_MAX, context);
    return;
  case CodeFault::residentsNegative:
    code.residents = -1;
    return;
  case CodeFault::residentsHuge:
    code.residents = INT64_MAX;
    return;
  case CodeFault::residentsZero:
    code.residents = 0;
    return;
  case CodeFault::blockNegative:
    code.block = -1;
    return;
  case CodeFault::sharedMemoryHuge:
    code.sharedMemory = INT64_MAX;
    return;
  case CodeFault::clusterZero:
    code.cluster = 0;
    return;
  case CodeFault::blocksZero:
    code.blocksPerProcessor = 0;
    return;
  case CodeFault::parts:
    code.parts = {1, 2, 3};
    return;
  }
}

namespace {

class FuzzedGenerator : public LaunchGenerator {
public:
  explicit FuzzedGenerator(CodeFault fault) : fault(fault) {
    generator.add(createFuzzedBody());
  }

  bool handles(launch::TilesOp launch) const override {
    return generator.handles(launch);
  }

  FailureOr<LaunchCode> generate(launch::TilesOp launch, LaunchTensors &tensors,
                                 Operation *module,
                                 const TargetSpec &target) const override {
    if (fault == CodeFault::fails)
      return failure();
    FailureOr<LaunchCode> code =
        generator.generate(launch, tensors, module, target);
    if (succeeded(code))
      damage(*code, fault, launch);
    return code;
  }

private:
  cpu::CPULaunchGenerator generator;
  CodeFault fault;
};

} // namespace

std::unique_ptr<LaunchGenerator> test::createFuzzedGenerator(CodeFault fault) {
  return std::make_unique<FuzzedGenerator>(fault);
}
