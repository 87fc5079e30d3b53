//===- CheckResidents.cpp - Whether a target holds enough tiles -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CheckResidents.h"

#include "grout/Analysis/VerifyProgram.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Dialect/TSync/Transforms/ChainProgram.h"

using namespace mlir;
using namespace grout;

/// The dependences between tiles of `launch`, which has an order, as a program
/// without accesses.
static FailureOr<TileProgram> getProgram(launch::TilesOp launch) {
  TileProgram program;
  llvm::DenseMap<Operation *, unsigned> positions;
  for (auto [position, kernel] : llvm::enumerate(launch.getKernels())) {
    FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
    if (failed(grid))
      return failure();
    positions[kernel] = position;
    program.kernels.push_back(tsync::toTileKernel(kernel, position, *grid));
  }
  ArrayAttr order = *launch.getOrder();
  for (Attribute map : order)
    program.order.push_back(cast<AffineMapAttr>(map).getValue());
  Block &body = launch.getBody().front();
  for (auto wait : body.getOps<tsync::WaitTilesOp>())
    for (auto post : body.getOps<tsync::PostTilesOp>()) {
      if (post.getBase() != wait.getBase())
        continue;
      SynchronisedEdge edge;
      edge.producer = positions.lookup(post.getProducer().getDefiningOp());
      edge.consumer = positions.lookup(wait.getKernel());
      edge.operand = wait.getOperand();
      edge.policy = tsync::toSemaphorePolicy(wait.getPolicy());
      program.edges.push_back(std::move(edge));
    }
  return program;
}

/// Why `launch` with `code` needs more than `residents` tiles.
static std::string explain(launch::TilesOp launch, const LaunchCode &code,
                           int64_t residents) {
  if (code.residents > static_cast<int64_t>(launch.getResidents()))
    return "the generator made a kernel that needs " +
           std::to_string(code.residents) + " resident tiles";
  if (launch.getOrder()) {
    FailureOr<TileProgram> program = getProgram(launch);
    if (failed(program))
      return "";
    VerifyOptions options;
    options.residents = residents;
    for (const VerifyFailure &failure :
         verifyProgram(IslContext(), *program, options).failures)
      if (failure.kind == VerifyFailureKind::TooFewResidents)
        return failure.message;
  }
  return "deadlock: " + std::to_string(launch.getResidents()) +
         " resident tiles are needed";
}

LogicalResult grout::checkResidents(launch::TilesOp launch,
                                    const LaunchCode &code,
                                    const TargetSpec &target) {
  int64_t residents =
      target.getResidentTiles(code.cluster, code.blocksPerProcessor);
  if (code.residents <= residents)
    return success();
  InFlightDiagnostic diag =
      emitError(launch.getLoc())
      << "launch '" << launch.getName() << "' cannot run on " << target.name
      << ", which holds " << residents
      << " of its tiles at once: " << explain(launch, code, residents);
  diag.attachNote() << "order tiles before those that wait for them, or choose "
                       "another mode than persistent";
  return diag;
}
