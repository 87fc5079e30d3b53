//===- TaskList.cpp - The tiles of a launch, in order ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlanWriter.h"

#include "grout/Analysis/TileProgram.h"
#include "grout/Runtime/ArtifactFile.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;

FailureOr<std::vector<artifact::Task>>
grout::getTasks(launch::KernelOp kernel) {
  TileProgram program;
  uint64_t numTiles = 0;
  for (auto [body, map] :
       llvm::enumerate(kernel.getOrder()->getAsRange<AffineMapAttr>())) {
    TileKernel &tileKernel = program.kernels.emplace_back();
    tileKernel.name = "body" + std::to_string(body);
    tileKernel.grid = kernel.getGrid(body);
    program.order.push_back(map.getValue());
    uint64_t ofKernel = 1;
    for (int64_t extent : tileKernel.grid)
      ofKernel = llvm::SaturatingMultiply<uint64_t>(ofKernel, extent);
    numTiles = llvm::SaturatingAdd(numTiles, ofKernel);
  }
  if (numTiles > artifact::kMaxPayloadSize / sizeof(artifact::Task))
    return kernel.emitOpError("has more tiles than an artifact can list; "
                              "larger tiles are fewer");
  llvm::Expected<std::vector<TileTask>> tiles = enumerateOrder(program);
  if (!tiles)
    return kernel.emitOpError()
           << "has no valid tile order: " << llvm::toString(tiles.takeError());
  std::vector<artifact::Task> tasks;
  tasks.reserve(tiles->size());
  for (TileTask &tile : *tiles) {
    tile.tile.resize(3, 0);
    tasks.emplace_back(tile.kernel, tile.tile[0], tile.tile[1], tile.tile[2]);
  }
  return tasks;
}
