//===- RandomProgram.cpp - Random tile programs ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace grout::test {
namespace {

/// One coordinate of an access: a random function of tile, step and local.
AffineExpr makeCoordinate(Random &random, AffineExpr tile, AffineExpr step,
                          AffineExpr local, int64_t tileSize) {
  switch (random.pick(0, 5)) {
  case 0:
  case 1:
    return tile * tileSize + local;
  case 2: // a K step
    return step * tileSize + local;
  case 3: // a halo, over steps
    return tile * tileSize + local + step - 1;
  case 4: // a pooled or shared row
    return (tile * tileSize + local).floorDiv(2);
  default: // a stride
    return tile * tileSize + local * 2;
  }
}

ElementAccess makeRandomRead(Random &random, const TensorInfo &tensor) {
  MLIRContext *context = getContext();
  ElementAccess access;
  access.shape = tensor.shape;
  int64_t rows = tensor.shape[0], columns = tensor.shape[1];
  if (random.oneIn(5)) {
    access.views = {View::transpose({1, 0})};
    access.shape = {columns, rows};
  } else if (random.oneIn(5) && columns > 2) {
    int64_t offset = random.pick(1, columns / 2);
    int64_t size = random.pick(1, columns - offset);
    access.views = {View::slice({0, offset}, {rows, size}, {1, 1})};
    access.shape = {rows, size};
  } else if (random.oneIn(5) && columns % 2 == 0) {
    access.views = {View::reshape({rows * 2, columns / 2}, {rows, columns})};
    access.shape = {rows * 2, columns / 2};
  }
  access.localSizes = {random.pick(1, 4), random.pick(1, 4)};
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context),
             s = getAffineDimExpr(2, context), p = getAffineDimExpr(3, context),
             q = getAffineDimExpr(4, context);
  if (random.oneIn(6))
    std::swap(i, j);
  access.map =
      AffineMap::get(5, 0,
                     {makeCoordinate(random, i, s, p, access.localSizes[0]),
                      makeCoordinate(random, j, s, q, access.localSizes[1])},
                     context);
  if (random.oneIn(6)) // causal
    access.guards = {i - s};
  return access;
}

AffineMap makeOrder(Random &random, unsigned style, unsigned kernel,
                    unsigned position) {
  MLIRContext *context = getContext();
  AffineExpr i = getAffineDimExpr(0, context), j = getAffineDimExpr(1, context);
  AffineExpr k = getAffineConstantExpr(position, context);
  switch (style) {
  case 0: // one kernel after another
    return AffineMap::get(2, 0, {k, i, j}, context);
  case 1: // rows of all kernels together
    return AffineMap::get(2, 0, {i, k, j}, context);
  case 2: // skewed
    return AffineMap::get(2, 0, {i + k, k, j}, context);
  default: // columns first, backwards in places
    return AffineMap::get(
        2, 0, {k, random.oneIn(2) ? j : -j, random.oneIn(2) ? i : -i}, context);
  }
}

} // namespace

TileProgram makeRandomChain(Random &random,
                            const RandomProgramOptions &options) {
  TileProgram program;
  auto extent = [&] { return random.pick(1, options.maxExtent); };
  // Few shapes, so that buffers can be shared.
  llvm::SmallVector<int64_t> shapes[2] = {{extent(), extent()},
                                          {extent(), extent()}};
  auto addTensor = [&](llvm::ArrayRef<int64_t> shape) {
    TensorInfo tensor;
    tensor.shape = llvm::to_vector(shape);
    tensor.buffer = program.tensors.size();
    tensor.isOutput = random.oneIn(4);
    if (options.shareBuffers && random.oneIn(3))
      for (const TensorInfo &other : program.tensors)
        if (other.shape == tensor.shape && !other.isOutput && random.oneIn(2))
          tensor.buffer = other.buffer;
    program.tensors.push_back(tensor);
    return program.tensors.size() - 1;
  };
  addTensor(shapes[0]); // the input

  unsigned style = random.pick(0, 3);
  bool backwards = random.oneIn(5);
  unsigned numKernels = random.pick(options.minKernels, options.maxKernels);
  for (unsigned index = 0; index < numKernels; ++index) {
    unsigned tensor = addTensor(shapes[random.pick(0, 1)]);
    llvm::ArrayRef<int64_t> shape = program.tensors[tensor].shape;
    TileKernel kernel;
    kernel.name = "k" + std::to_string(index);
    kernel.steps = random.pick(1, options.maxSteps);
    llvm::SmallVector<int64_t> tile;
    for (int64_t size : shape) {
      tile.push_back(random.pick(
          llvm::divideCeilSigned(size, options.maxTilesPerDim), size));
      kernel.grid.push_back(llvm::divideCeilSigned(size, tile.back()));
    }
    program.writes.push_back(
        {index, 0, tensor,
         makeAccess("(i, j, s, p, q) -> (i * " + std::to_string(tile[0]) +
                        " + p, j * " + std::to_string(tile[1]) + " + q)",
                    tile, shape)});
    for (unsigned operand = 0, e = random.pick(1, 2); operand < e; ++operand) {
      // Mostly the tensor just before, to get chains.
      unsigned source =
          random.oneIn(2) ? tensor - 1 : random.pick(0, tensor - 1);
      program.reads.push_back(
          {index, operand, source,
           makeRandomRead(random, program.tensors[source])});
    }
    program.kernels.push_back(std::move(kernel));
    program.order.push_back(makeOrder(random, style, index,
                                      backwards ? numKernels - index : index));
  }
  return program;
}

void addRuns(Random &random, TileProgram &program) {
  for (TileKernel &kernel : program.kernels)
    if (random.oneIn(2))
      kernel.stepsInOrder = random.pick(1, kernel.steps);
  for (ProgramAccess &read : program.reads)
    read.isAfterSteps = random.oneIn(6);
}

/// The policy in `granularity` or, where that takes too long to derive, in a
/// coarser one, as the compiler chooses.
static DerivedPolicy deriveOrCoarsen(const TileDependence &dependence,
                                     const TileKernel &producer,
                                     const TileKernel &consumer,
                                     Granularity granularity) {
  llvm::Expected<DerivedPolicy> derived =
      derivePolicy(dependence, producer, consumer, granularity, getContext());
  if (derived || granularity == Granularity::Kernel)
    return unwrapOrDie(std::move(derived));
  llvm::Error rest = llvm::handleErrors(
      derived.takeError(),
      [](std::unique_ptr<AnalysisError> error) -> llvm::Error {
        return error->getKind() == AnalysisErrorKind::GaveUp
                   ? llvm::Error::success()
                   : llvm::Error(std::move(error));
      });
  if (rest)
    llvm::report_fatal_error(std::move(rest));
  return deriveOrCoarsen(
      dependence, producer, consumer,
      static_cast<Granularity>(static_cast<int>(granularity) + 1));
}

void addDerivedEdges(const IslContext &context, Random &random,
                     TileProgram &program) {
  for (const ProgramAccess &read : program.reads)
    for (const ProgramAccess &write : program.writes) {
      if (read.tensor != write.tensor)
        continue;
      const TileKernel &producer = program.kernels[write.kernel];
      const TileKernel &consumer = program.kernels[read.kernel];
      TileDependence dependence = unwrapOrDie(
          deriveDependence(context, write.kernel, producer, write.access,
                           read.kernel, consumer, read.operand, read.access));
      if (unwrapOrDie(dependence.relation.isEmpty()))
        continue;
      auto granularity = static_cast<Granularity>(random.pick(0, 2));
      DerivedPolicy derived =
          deriveOrCoarsen(dependence, producer, consumer, granularity);
      program.edges.push_back({write.kernel, read.kernel, read.operand,
                               derived.policy, read.isAfterSteps});
    }
}

void addLaunches(Random &random, TileProgram &program) {
  for (unsigned kernel = 0; kernel != program.kernels.size(); ++kernel) {
    LaunchWaits launch;
    bool readsWait = false;
    switch (random.pick(0, 3)) {
    case 0: // serial
      launch.atStart = readsWait = true;
      break;
    case 1: // pdl
      launch.beforeWrites = launch.beforeEnd = readsWait = true;
      break;
    default: // overlap
      launch.beforeEnd = true;
      break;
    }
    launch.isWithPrevious = kernel != 0 && random.oneIn(4);
    program.launches.push_back(launch);
    for (ProgramAccess &read : program.reads)
      read.waitsForLaunch |= readsWait && read.kernel == kernel;
  }
  std::vector<unsigned> numbers = program.getLaunchNumbers();
  // Tiles of one launch always wait for tiles.
  llvm::erase_if(program.edges, [&](const SynchronisedEdge &edge) {
    return numbers[edge.producer] != numbers[edge.consumer] &&
           llvm::any_of(program.reads, [&](const ProgramAccess &read) {
             return read.kernel == edge.consumer && read.waitsForLaunch;
           });
  });
  // Launches do not mix their tiles.
  for (auto [order, number] : llvm::zip_equal(program.order, numbers))
    order = order.insertResult(getAffineConstantExpr(number, getContext()), 0);
}

/// Takes away one wait for a launch.
static std::string mutateLaunch(Random &random, TileProgram &program) {
  unsigned kernel = random.pick(0, program.launches.size() - 1);
  std::string of = " of kernel " + std::to_string(kernel);
  LaunchWaits &launch = program.launches[kernel];
  switch (random.pick(0, 3)) {
  case 0:
    launch = LaunchWaits();
    return "removed all waits for launches but those of reads" + of;
  case 1:
    launch.atStart = launch.beforeWrites = false;
    return "removed waits for launches before writes" + of;
  case 2:
    launch.atStart = launch.beforeEnd = false;
    return "removed the wait for a launch at the end" + of;
  default:
    launch.atStart = false;
    for (ProgramAccess &read : program.reads)
      read.waitsForLaunch &= read.kernel != kernel;
    return "removed waits for launches of reads" + of;
  }
}

std::string mutate(Random &random, TileProgram &program) {
  if (!program.launches.empty() && (program.edges.empty() || random.oneIn(2)))
    return mutateLaunch(random, program);
  if (program.edges.empty() || random.oneIn(6)) {
    unsigned first = random.pick(0, program.order.size() - 1);
    unsigned second = random.pick(0, program.order.size() - 1);
    std::vector<unsigned> numbers = program.getLaunchNumbers();
    if ((!numbers.empty() && numbers[first] != numbers[second]) ||
        program.order[first].getNumDims() != program.order[second].getNumDims())
      second = first;
    std::swap(program.order[first], program.order[second]);
    return "swapped the order of kernels " + std::to_string(first) + " and " +
           std::to_string(second);
  }
  unsigned index = random.pick(0, program.edges.size() - 1);
  std::string where = " of edge " + std::to_string(index);
  SemaphorePolicy &policy = program.edges[index].policy;
  auto shift = [&](AffineMap map, int64_t distance) {
    if (map.getNumResults() == 0)
      return map;
    llvm::SmallVector<AffineExpr> results(map.getResults());
    unsigned dim = random.pick(0, results.size() - 1);
    results[dim] = results[dim] + distance;
    return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
  };
  int64_t lastStep = program.kernels[program.edges[index].consumer].steps - 1;
  auto atStep = [&](AffineMap map, int64_t factor, int64_t offset) {
    AffineExpr step = getAffineDimExpr(map.getNumDims() - 1, getContext());
    return map.replace(step, step * factor + offset, map.getNumDims(), 0);
  };
  switch (random.pick(0, 9)) {
  case 0:
    program.edges.erase(program.edges.begin() + index);
    return "removed edge " + std::to_string(index);
  case 1:
    policy.waitLower = shift(policy.waitLower, 1);
    return "raised the lower bound" + where;
  case 2:
    policy.waitUpper = shift(policy.waitUpper, -1);
    return "lowered the upper bound" + where;
  case 3:
    --policy.counts[random.pick(0, policy.counts.size() - 1)];
    return "lowered a count" + where;
  case 4:
    ++policy.counts[random.pick(0, policy.counts.size() - 1)];
    return "raised a count" + where;
  case 5:
    ++policy.firstStep;
    return "delayed the waits" + where;
  case 6:
    policy.guards.push_back(
        getAffineDimExpr(random.pick(0, policy.waitLower.getNumDims() - 2),
                         getContext()) -
        random.pick(0, 1));
    return "left out tiles that wait" + where;
  case 7:
    policy.waitLower = atStep(policy.waitLower, 0, 0);
    policy.waitUpper = atStep(policy.waitUpper, -lastStep, lastStep);
    return "moved all waits to the first step" + where;
  case 8:
    policy.waitLower = atStep(policy.waitLower, -1, lastStep);
    policy.waitUpper = atStep(policy.waitUpper, -1, lastStep);
    return "reversed the waits" + where;
  default: {
    llvm::SmallVector<AffineExpr> results(policy.semaphore.getResults());
    for (auto [expr, size] : llvm::zip_equal(results, policy.shape))
      expr = (expr + 1) % size;
    policy.semaphore =
        AffineMap::get(policy.semaphore.getNumDims(), 0, results, getContext());
    return "rotated the semaphores" + where;
  }
  }
}

} // namespace grout::test
