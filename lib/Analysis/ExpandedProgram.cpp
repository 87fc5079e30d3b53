//===- ExpandedProgram.cpp - A tile program, element by element -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ExpandedProgram.h"

#include "grout/Isl/AffineConversion.h"
#include "grout/Isl/IslContext.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include <numeric>

using namespace mlir;

namespace grout::detail {
namespace {

using Point = llvm::SmallVector<int64_t>;

/// Moves to the next point of a box, row-major. Returns false after the last
/// point.
bool advance(Point &point, llvm::ArrayRef<int64_t> sizes) {
  for (int dim = static_cast<int>(sizes.size()) - 1; dim >= 0; --dim) {
    if (++point[dim] < sizes[dim])
      return true;
    point[dim] = 0;
  }
  return false;
}

bool isInside(llvm::ArrayRef<int64_t> point, llvm::ArrayRef<int64_t> sizes) {
  for (auto [value, size] : llvm::zip_equal(point, sizes))
    if (value < 0 || value >= size)
      return false;
  return true;
}

std::optional<Point> applyForm(const View::Slice &slice, const Point &element) {
  if (!isInside(element, slice.sizes))
    return std::nullopt;
  Point source;
  for (size_t dim = 0; dim < element.size(); ++dim)
    source.push_back(slice.offsets[dim] + element[dim] * slice.strides[dim]);
  return source;
}

std::optional<Point> applyForm(const View::Reshape &reshape,
                               const Point &element) {
  if (!isInside(element, reshape.viewShape))
    return std::nullopt;
  return delinearize(linearize(element, computeStrides(reshape.viewShape)),
                     computeStrides(reshape.sourceShape));
}

std::optional<Point> applyForm(const View::Transpose &transpose,
                               const Point &element) {
  Point source(element.size());
  for (size_t dim = 0; dim < element.size(); ++dim)
    source[transpose.permutation[dim]] = element[dim];
  return source;
}

/// Returns the source element of a view's element; none if it is outside.
std::optional<Point> applyView(const View &view, const Point &element) {
  return std::visit([&](const auto &form) { return applyForm(form, element); },
                    view.form);
}

unsigned getConsumer(const ProgramAccess &read) { return read.kernel; }
unsigned getConsumer(const SynchronisedEdge &edge) { return edge.consumer; }

class Expander {
public:
  Expander(const TileProgram &program, int64_t maxElements,
           std::optional<InterpretResult> &problem)
      : program(program), elementsLeft(maxElements), problem(problem) {}

  ExpandedProgram run(std::vector<TileTask> order);

private:
  void addProblem(InterpretOutcome outcome, std::string message,
                  std::optional<TilePoint> tile = std::nullopt,
                  std::optional<TilePoint> other = std::nullopt) {
    if (problem)
      return;
    problem.emplace();
    problem->outcome = outcome;
    problem->message = std::move(message);
    problem->tile = std::move(tile);
    problem->other = std::move(other);
  }

  void addTask(TileTask &tile);
  void layOutTensors();
  void addSemaphores();
  void addLaunches();
  void addWrites(uint32_t task);
  void addReads(uint32_t task);

  /// Calls `visit` with the row-major index of each element of the root tensor.
  template <typename Visit>
  void forEachElement(const ProgramAccess &access, llvm::ArrayRef<int64_t> tile,
                      int64_t step, Visit visit);

  /// Returns the cells of an element; none if its buffer is not shared.
  llvm::SmallVector<CellUse> getCells(uint32_t tensor, int64_t element) const {
    llvm::SmallVector<CellUse> cells;
    for (uint32_t i = 0; i < cellsPerElement[tensor]; ++i)
      cells.push_back(
          {static_cast<uint32_t>(firstCell[tensor] +
                                 element * cellsPerElement[tensor] + i),
           tensor});
    return cells;
  }

  int64_t getNumElements(uint32_t tensor) const {
    int64_t product = 1;
    for (int64_t size : program.tensors[tensor].shape)
      product *= size;
    return product;
  }

  const TileProgram &program;
  int64_t elementsLeft;
  std::optional<InterpretResult> &problem;
  ExpandedProgram result;
  /// By tensor. There are no cells if its buffer is not shared.
  std::vector<uint32_t> firstCell, cellsPerElement;
  /// By tensor and element: the task that writes it, or -1.
  std::vector<std::vector<int32_t>> writers;
};

void Expander::addTask(TileTask &tile) {
  const TileKernel &kernel = program.kernels[tile.kernel];
  auto isAfterSteps = [&](const auto &user) {
    return user.isAfterSteps && getConsumer(user) == tile.kernel;
  };
  bool goesOn = llvm::any_of(program.reads, isAfterSteps) ||
                llvm::any_of(program.edges, isAfterSteps);
  ExpandedTask task;
  task.kernel = tile.kernel;
  task.tile = std::move(tile.tile);
  task.firstRun = result.runs.size();
  auto addRun = [&](uint32_t first, uint32_t last) {
    result.runs.push_back(
        {static_cast<uint32_t>(result.tasks.size()), first, last});
  };
  int64_t length = kernel.stepsInOrder.value_or(kernel.steps);
  for (int64_t step = 0; step < kernel.steps;) {
    uint32_t first = task.events.size();
    int64_t end = std::min(step + length, kernel.steps);
    task.afterEvents.resize(end, first + (end - step));
    for (; step < end; ++step) {
      task.stepEvents.push_back(task.events.size());
      task.events.push_back({step, {}, {}, {}});
    }
    if (goesOn)
      task.events.emplace_back();
    addRun(first, task.events.size());
  }
  task.lastRun = result.runs.size();
  addRun(task.getEnd(), task.getEnd() + 1);
  result.tasks.push_back(std::move(task));
}

void Expander::layOutTensors() {
  size_t numTensors = program.tensors.size();
  result.isInput.assign(numTensors, true);
  result.isOutput.assign(numTensors, true);
  for (const ProgramAccess &write : program.writes)
    result.isInput[write.tensor] = false;
  for (const ProgramAccess &read : program.reads)
    result.isOutput[read.tensor] = false;
  for (size_t tensor = 0; tensor < numTensors; ++tensor)
    if (program.tensors[tensor].isOutput)
      result.isOutput[tensor] = true;

  firstCell.assign(numTensors, 0);
  cellsPerElement.assign(numTensors, 0);
  writers.resize(numTensors);
  for (size_t tensor = 0; tensor < numTensors; ++tensor) {
    int64_t size = getNumElements(tensor);
    elementsLeft -= size;
    if (elementsLeft < 0)
      return addProblem(InterpretOutcome::Inconclusive, "too many elements");
    writers[tensor].assign(size, -1);
  }

  // A shared buffer is cut into cells that divide all its elements.
  for (size_t tensor = 0; tensor < numTensors; ++tensor) {
    const TensorInfo &info = program.tensors[tensor];
    int64_t unit = 0, numBits = 0;
    bool isFirst = true;
    unsigned sharers = 0;
    for (size_t other = 0; other < numTensors; ++other) {
      const TensorInfo &otherInfo = program.tensors[other];
      if (otherInfo.buffer != info.buffer)
        continue;
      ++sharers;
      isFirst &= other >= tensor;
      unit = std::gcd(unit, otherInfo.elementBits);
      numBits =
          std::max(numBits, getNumElements(other) * otherInfo.elementBits);
    }
    if (sharers < 2 || !isFirst)
      continue;
    for (size_t other = 0; other < numTensors; ++other)
      if (program.tensors[other].buffer == info.buffer) {
        firstCell[other] = result.numCells;
        cellsPerElement[other] = program.tensors[other].elementBits / unit;
      }
    result.numCells += numBits / unit;
  }
  for (size_t tensor = 0; tensor < numTensors; ++tensor)
    if (result.isOutput[tensor] && cellsPerElement[tensor] != 0)
      for (int64_t element = 0; element < getNumElements(tensor); ++element)
        llvm::append_range(result.outputCells, getCells(tensor, element));
}

void Expander::addSemaphores() {
  for (const SynchronisedEdge &edge : program.edges) {
    uint32_t first = result.counts.size();
    for (int64_t i = 0; i < getNumSemaphores(edge.policy); ++i)
      result.counts.push_back(getCount(edge.policy, i));
    for (auto [index, task] : llvm::enumerate(result.tasks)) {
      if (task.kernel == edge.producer) {
        int64_t semaphore = getSemaphore(edge.policy, task.tile);
        if (semaphore < 0)
          return addProblem(InterpretOutcome::BadAccess,
                            "a tile posts outside the semaphore array",
                            result.getPoint(index, std::nullopt));
        task.posts.push_back(first + semaphore);
      }
      if (task.kernel == edge.consumer)
        for (int64_t step = edge.policy.firstStep; step < task.getNumSteps();
             ++step)
          forEachSemaphore(
              edge.policy, getWaitBox(edge.policy, task.tile, step),
              [&, waits = &task.getEvent(step, edge.isAfterSteps).waits](
                  int64_t semaphore) { waits->push_back(first + semaphore); });
    }
  }
}

template <typename Visit>
void Expander::forEachElement(const ProgramAccess &access,
                              llvm::ArrayRef<int64_t> tile, int64_t step,
                              Visit visit) {
  const ElementAccess &elements = access.access;
  llvm::ArrayRef<int64_t> shape = program.tensors[access.tensor].shape;
  Point strides = computeStrides(shape);
  Point local(elements.localSizes.size(), 0);
  do {
    if (--elementsLeft < 0)
      return addProblem(InterpretOutcome::Inconclusive, "too many elements");
    Point point(tile);
    point.push_back(step);
    point.append(local);
    if (llvm::any_of(elements.guards, [&](AffineExpr guard) {
          return evaluate(guard, point) < 0;
        }))
      continue;
    std::optional<Point> element = evaluate(elements.map, point);
    if (!isInside(*element, elements.shape))
      continue;
    for (const View &view : elements.views)
      if (element)
        element = applyView(view, *element);
    if (element && isInside(*element, shape))
      visit(linearize(*element, strides));
    else if (element)
      addProblem(InterpretOutcome::BadAccess,
                 "a view leads outside its root tensor");
  } while (advance(local, elements.localSizes));
}

void Expander::addWrites(uint32_t index) {
  ExpandedTask &task = result.tasks[index];
  for (const ProgramAccess &write : program.writes) {
    if (write.kernel != task.kernel)
      continue;
    // For this analysis, a tile writes the same elements at every step.
    for (int64_t step = 0; step < task.getNumSteps(); ++step)
      forEachElement(write, task.tile, step, [&](int64_t element) {
        int32_t &writer = writers[write.tensor][element];
        if (writer != -1 && writer != static_cast<int32_t>(index))
          return addProblem(InterpretOutcome::BadAccess,
                            "two tiles write one element",
                            result.getPoint(index, std::nullopt),
                            result.getPoint(writer, std::nullopt));
        writer = index;
        llvm::append_range(task.sharedWrites, getCells(write.tensor, element));
      });
  }
  llvm::sort(task.sharedWrites);
  task.sharedWrites.erase(llvm::unique(task.sharedWrites),
                          task.sharedWrites.end());
}

void Expander::addReads(uint32_t index) {
  ExpandedTask &task = result.tasks[index];
  for (const ProgramAccess &read : program.reads) {
    if (read.kernel != task.kernel)
      continue;
    for (int64_t step = 0; step < task.getNumSteps(); ++step) {
      ExpandedEvent &event = task.getEvent(step, read.isAfterSteps);
      forEachElement(read, task.tile, step, [&](int64_t element) {
        llvm::append_range(event.sharedReads, getCells(read.tensor, element));
        if (result.isInput[read.tensor])
          return;
        int32_t writer = writers[read.tensor][element];
        if (writer < 0)
          return addProblem(InterpretOutcome::BadAccess,
                            "an element is read that no tile writes",
                            result.getPoint(index, step));
        if (event.needs.empty() ||
            event.needs.back() != static_cast<uint32_t>(writer))
          event.needs.push_back(writer);
      });
    }
  }
  for (ExpandedEvent &event : task.events) {
    llvm::sort(event.needs);
    event.needs.erase(llvm::unique(event.needs), event.needs.end());
    llvm::sort(event.sharedReads);
    event.sharedReads.erase(llvm::unique(event.sharedReads),
                            event.sharedReads.end());
  }
}

void Expander::addLaunches() {
  if (program.launches.empty())
    return;
  std::vector<unsigned> numbers = program.getLaunchNumbers();
  result.launchTasks.resize(numbers.back() + 1);
  result.endsAfterLaunch.resize(numbers.back() + 1);
  // If steps or ends of tiles wait, the launch cannot end earlier, either.
  for (auto [number, launch] : llvm::zip_equal(numbers, program.launches))
    if (launch.beforeEnd)
      result.endsAfterLaunch[number] = true;
  for (ExpandedTask &task : result.tasks) {
    const LaunchWaits &launch = program.launches[task.kernel];
    task.launch = numbers[task.kernel];
    task.rank = result.launchTasks[task.launch]++;
    task.stepsWaitForLaunch =
        launch.atStart ||
        llvm::any_of(program.reads, [&](const ProgramAccess &read) {
          return read.kernel == task.kernel && read.waitsForLaunch;
        });
    task.endWaitsForLaunch = launch.atStart || launch.beforeWrites;
  }
}

ExpandedProgram Expander::run(std::vector<TileTask> order) {
  for (TileTask &tile : order)
    addTask(tile);
  layOutTensors();
  addSemaphores();
  addLaunches();
  for (uint32_t task = 0; task < result.tasks.size() && !problem; ++task)
    addWrites(task);
  for (uint32_t task = 0; task < result.tasks.size() && !problem; ++task)
    addReads(task);
  return std::move(result);
}

} // namespace

TilePoint ExpandedProgram::getPoint(uint32_t task,
                                    std::optional<int64_t> step) const {
  TilePoint point;
  point.kernel = tasks[task].kernel;
  point.tile = llvm::to_vector(tasks[task].tile);
  point.step = step;
  return point;
}

static bool isDynamic(llvm::ArrayRef<int64_t> sizes) {
  return llvm::any_of(sizes, ShapedType::isDynamic);
}

static bool hasDynamicSizes(const View &view) {
  if (const auto *slice = std::get_if<View::Slice>(&view.form))
    return isDynamic(slice->offsets) || isDynamic(slice->sizes) ||
           isDynamic(slice->strides);
  if (const auto *reshape = std::get_if<View::Reshape>(&view.form))
    return isDynamic(reshape->viewShape) || isDynamic(reshape->sourceShape);
  return false;
}

llvm::Expected<ExpandedProgram>
expandProgram(const TileProgram &program, int64_t maxElements,
              std::optional<InterpretResult> &problem) {
  llvm::Expected<std::vector<TileTask>> order = enumerateOrder(program);
  if (!order)
    return order.takeError();
  bool dynamic = false;
  for (const TileKernel &kernel : program.kernels)
    dynamic |= ShapedType::isDynamic(kernel.steps);
  for (const TensorInfo &tensor : program.tensors)
    dynamic |= isDynamic(tensor.shape);
  for (const SynchronisedEdge &edge : program.edges)
    dynamic |= isDynamic(edge.policy.shape) || isDynamic(edge.policy.counts);
  for (const auto *accesses : {&program.reads, &program.writes})
    for (const ProgramAccess &access : *accesses) {
      dynamic |=
          isDynamic(access.access.localSizes) || isDynamic(access.access.shape);
      for (const View &view : access.access.views)
        dynamic |= hasDynamicSizes(view);
    }
  if (dynamic)
    return llvm::make_error<AnalysisError>(
        AnalysisErrorKind::Invalid,
        "a program with dynamic sizes cannot be interpreted");
  return Expander(program, maxElements, problem).run(std::move(*order));
}

} // namespace grout::detail
