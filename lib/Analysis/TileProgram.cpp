//===- TileProgram.cpp - Tile kernels that run together -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/TileProgram.h"

#include "grout/Analysis/AffineRange.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace grout {

namespace {

llvm::Error makeError(const llvm::Twine &message) {
  return llvm::make_error<AnalysisError>(AnalysisErrorKind::Invalid,
                                         message.str());
}

/// Returns `error` with `where` before its message.
llvm::Error inContext(const llvm::Twine &where, llvm::Error error) {
  return makeError(where + llvm::toString(std::move(error)));
}

/// Returns the ranges of a kernel's coordinates and step.
llvm::SmallVector<IntegerRange> getStepRanges(const TileKernel &kernel) {
  llvm::SmallVector<IntegerRange> ranges = getIndexRanges(kernel.grid);
  // The code compares a step's waits with those of the step before.
  ranges.push_back({-1, getIndexRange(kernel.steps).high});
  return ranges;
}

bool hasCountableTiles(const TileKernel &kernel) {
  int64_t tiles = 1;
  return llvm::all_of(kernel.grid, [&](int64_t size) {
    return ShapedType::isDynamic(size) ||
           !llvm::MulOverflow(tiles, size, tiles);
  });
}

/// Checks the maps of a policy, which code evaluates for every tile and step.
llvm::Error checkPolicyMaps(const SemaphorePolicy &policy,
                            const TileKernel &producer,
                            const TileKernel &consumer) {
  if (llvm::Error error =
          checkComputable(policy.semaphore, getIndexRanges(producer.grid)))
    return inContext("the semaphore map: ", std::move(error));
  llvm::SmallVector<IntegerRange> steps = getStepRanges(consumer);
  for (AffineMap map : {policy.waitLower, policy.waitUpper})
    if (llvm::Error error = checkComputable(map, steps))
      return inContext("a wait map: ", std::move(error));
  for (AffineExpr guard : policy.guards)
    if (auto range = getRange(guard, getIndexRanges(consumer.grid)); !range)
      return inContext("a guard: ", range.takeError());
  return llvm::Error::success();
}

llvm::Error checkAccess(const TileProgram &program,
                        const ProgramAccess &access) {
  if (access.kernel >= program.kernels.size())
    return makeError("an access names a kernel that does not exist");
  const TileKernel &kernel = program.kernels[access.kernel];
  if (access.tensor >= program.tensors.size())
    return makeError("kernel " + kernel.name +
                     ": an access names a tensor that does not exist");
  const ElementAccess &elements = access.access;
  if (!elements.map ||
      elements.map.getNumDims() !=
          kernel.grid.size() + 1 + elements.localSizes.size() ||
      elements.map.getNumSymbols() != 0 ||
      elements.map.getNumResults() != elements.shape.size())
    return makeError("kernel " + kernel.name +
                     ": an access map does not fit the kernel or the tensor");
  unsigned rank = elements.views.empty()
                      ? elements.shape.size()
                      : program.tensors[access.tensor].shape.size();
  for (const View &view : elements.views)
    if (const auto *reshape = std::get_if<View::Reshape>(&view.form))
      rank = reshape->sourceShape.size();
  const TensorInfo &tensor = program.tensors[access.tensor];
  llvm::SmallVector<IntegerRange> coordinates = getStepRanges(kernel);
  llvm::append_range(coordinates, getIndexRanges(elements.localSizes));
  if (llvm::Error error = checkComputable(elements.map, coordinates))
    return inContext("kernel " + kernel.name + ": an access map: ",
                     std::move(error));
  if (rank != tensor.shape.size() ||
      (elements.views.empty() && elements.shape != tensor.shape))
    return makeError("kernel " + kernel.name +
                     ": an access has not the shape of its tensor");
  return llvm::Error::success();
}

llvm::Error checkEdge(const TileProgram &program,
                      const SynchronisedEdge &edge) {
  if (edge.producer >= program.kernels.size() ||
      edge.consumer >= program.kernels.size())
    return makeError("an edge names a kernel that does not exist");
  const TileKernel &producer = program.kernels[edge.producer];
  const TileKernel &consumer = program.kernels[edge.consumer];
  std::string where =
      "the edge from " + producer.name + " to " + consumer.name + ": ";
  if (!program.launches.empty() && edge.producer >= edge.consumer)
    return makeError(where +
                     "the producer is not launched before the consumer");
  const SemaphorePolicy &policy = edge.policy;
  if (!policy.semaphore || !policy.waitLower || !policy.waitUpper)
    return makeError(where + "a map is missing");
  if (policy.semaphore.getNumDims() != producer.grid.size() ||
      policy.semaphore.getNumSymbols() != 0)
    return makeError(where + "the semaphore map does not fit the producer");
  for (AffineMap map : {policy.waitLower, policy.waitUpper})
    if (map.getNumDims() != consumer.grid.size() + 1 ||
        map.getNumSymbols() != 0)
      return makeError(where + "a wait map does not fit the consumer");
  if (!policy.guards.empty() &&
      AffineMap::inferFromExprList(ArrayRef(policy.guards),
                                   policy.guards.front().getContext())
              .front()
              .getNumDims() > consumer.grid.size())
    return makeError(where + "a guard does not fit the consumer's tiles");
  for (AffineMap map : {policy.semaphore, policy.waitLower, policy.waitUpper})
    if (map.getNumResults() != policy.shape.size())
      return makeError(where + "a map has not the rank of the semaphore array");
  for (int64_t size : policy.shape)
    if (size <= 0 && !ShapedType::isDynamic(size))
      return makeError(where + "the semaphore array is empty");
  if (policy.counts.size() != 1 &&
      static_cast<int64_t>(policy.counts.size()) != getNumSemaphores(policy))
    return makeError(where + "needs one count, or one for each semaphore");
  bool isDynamic = llvm::any_of(producer.grid, ShapedType::isDynamic);
  for (int64_t count : policy.counts)
    if ((count < 0 || count > INT32_MAX) &&
        !(isDynamic && ShapedType::isDynamic(count)))
      return makeError(where + "a count does not fit 31 bits");
  if (policy.firstStep < 0)
    return makeError(where + "the first step is negative");
  if (llvm::Error error = checkPolicyMaps(policy, producer, consumer))
    return inContext(where, std::move(error));
  return llvm::Error::success();
}

} // namespace

std::vector<unsigned> TileProgram::getLaunchNumbers() const {
  std::vector<unsigned> numbers;
  for (const LaunchWaits &launch : launches)
    numbers.push_back(
        numbers.empty() ? 0 : numbers.back() + (launch.isWithPrevious ? 0 : 1));
  return numbers;
}

llvm::Error checkWellFormed(const TileProgram &program) {
  for (const TileKernel &kernel : program.kernels) {
    for (int64_t size : kernel.grid)
      if (size <= 0 && !ShapedType::isDynamic(size))
        return makeError("kernel " + kernel.name + " has an empty grid");
    if (kernel.steps <= 0 && !ShapedType::isDynamic(kernel.steps))
      return makeError("kernel " + kernel.name + " has no steps");
    if (!hasCountableTiles(kernel))
      return makeError("kernel " + kernel.name +
                       " has more tiles than 64 bits count");
    if (kernel.stepsInOrder && *kernel.stepsInOrder <= 0)
      return makeError("kernel " + kernel.name + " has runs without steps");
  }
  if (!program.launches.empty() &&
      program.launches.size() != program.kernels.size())
    return makeError("the launches are not one for each kernel");
  for (const auto *accesses : {&program.reads, &program.writes})
    for (const ProgramAccess &access : *accesses)
      if (llvm::Error error = checkAccess(program, access))
        return error;
  for (const SynchronisedEdge &edge : program.edges)
    if (llvm::Error error = checkEdge(program, edge))
      return error;

  if (program.order.size() != program.kernels.size())
    return makeError("the order needs one map for each kernel");
  for (auto [map, kernel] : llvm::zip_equal(program.order, program.kernels)) {
    if (!map || map.getNumDims() != kernel.grid.size() ||
        map.getNumSymbols() != 0)
      return makeError("kernel " + kernel.name +
                       ": its order map does not fit its grid");
    if (map.getNumResults() != program.order.front().getNumResults())
      return makeError("the order maps have unequal ranks");
    if (llvm::Error error = checkComputable(map, getIndexRanges(kernel.grid)))
      return inContext("kernel " + kernel.name + ": its order map: ",
                       std::move(error));
  }
  return llvm::Error::success();
}

} // namespace grout
