//===- HostKernel.cpp - A reference kernel for the CPU --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ReferenceKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::reference;

/// Into how many tasks a kernel is cut at most: a few for each of the worker
/// threads of a large machine.
static constexpr int64_t kMaxTasks = 256;

namespace {
/// A parallel loop that is cut into blocks, one for each task coordinate.
struct CutLoop {
  unsigned loop;
  int64_t blockSize;
  int64_t numBlocks;
};
} // namespace

/// Cuts the outermost parallel loops.
static SmallVector<CutLoop> cutLoops(const ReferenceKernel &kernel) {
  SmallVector<CutLoop> cuts;
  int64_t tasksLeft = kMaxTasks;
  for (unsigned loop : kernel.getLoops(utils::IteratorType::parallel)) {
    if (cuts.size() == kMaxGridRank)
      break;
    int64_t extent = kernel.extents[loop];
    int64_t blockSize = llvm::divideCeil(extent, std::min(extent, tasksLeft));
    int64_t numBlocks = llvm::divideCeil(extent, blockSize);
    cuts.push_back({loop, blockSize, numBlocks});
    tasksLeft = std::max<int64_t>(1, tasksLeft / numBlocks);
  }
  return cuts;
}

KernelLaunch reference::emitHostKernel(const ReferenceKernel &kernel,
                                       ModuleOp module) {
  KernelLaunch launch;
  launch.hasTasks = true;
  SmallVector<CutLoop> cuts = cutLoops(kernel);
  for (const CutLoop &cut : cuts)
    launch.grid.push_back(cut.numBlocks);

  Location loc = kernel.loc;
  CPUTileBody body(module, kernel.name, loc, launch.grid, launch.buffers);
  OpBuilder &builder = body.builder;
  auto getAddress = [&](Value buffer) { return body.getAddress(buffer); };
  KernelLoops loops(kernel, getAddress);

  SmallVector<Value> begins, ends;
  for (int64_t extent : kernel.extents) {
    begins.push_back(body.createIndex(0));
    ends.push_back(body.createIndex(extent));
  }
  for (auto [position, cut] : llvm::enumerate(cuts)) {
    Value blockSize = body.createIndex(cut.blockSize);
    Value &begin = begins[cut.loop], &end = ends[cut.loop];
    begin = arith::MulIOp::create(builder, loc, body.tile[position], blockSize);
    Value blockEnd = arith::AddIOp::create(builder, loc, begin, blockSize);
    end = arith::MinSIOp::create(builder, loc, blockEnd, end);
  }

  SmallVector<unsigned> parallel =
      kernel.getLoops(utils::IteratorType::parallel);
  bool byRows = loops.prefersRows();
  unsigned rowLoop = 0;
  if (byRows)
    rowLoop = parallel.pop_back_val();
  SmallVector<Value> point = begins;
  Value one = body.createIndex(1);
  for (unsigned loop : parallel) {
    auto outer =
        scf::ForOp::create(builder, loc, begins[loop], ends[loop], one);
    builder.setInsertionPointToStart(outer.getBody());
    point[loop] = outer.getInductionVar();
  }
  if (byRows)
    loops.emitRow(builder, point, begins[rowLoop], ends[rowLoop]);
  else
    loops.emitElement(builder, point);
  if (launch.grid.empty())
    launch.grid.push_back(1);
  return launch;
}
