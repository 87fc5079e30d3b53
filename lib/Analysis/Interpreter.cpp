//===- Interpreter.cpp - Tile programs, executed --------------------------===//
//
// Part of Grout. Must not use isl.
//
// An execution is a sequence of events. Tile t has an event for each step,
// which passes the step's waits and reads; an event after the steps of each
// run, if anything waits or is read then; and a last event, which writes and
// posts. Events of a run happen in order, and the last event happens after all
// runs. A tile is claimed as soon as a resident is free: claiming it later
// would only allow fewer executions. Once an event is enabled, it stays
// enabled.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/Interpreter.h"

#include "ExpandedProgram.h"
#include "ProgramChecks.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <set>
#include <unordered_set>

namespace grout {
namespace detail {
namespace {

/// The state of an execution, and its transitions.
class Machine {
public:
  Machine(const ExpandedProgram &program, int64_t residents)
      : program(program), residents(residents), posts(program.counts.size(), 0),
        launchesDone(program.launchTasks.size(), 0),
        contents(program.numCells, initial) {
    for (const ExpandedRun &run : program.runs)
      next.push_back(run.first);
  }

  bool isDone(uint32_t task) const {
    return hasEnded(program.tasks[task].lastRun);
  }
  /// Returns the number of the next event of `run` in the task.
  uint32_t getNext(uint32_t run) const { return next[run]; }

  /// Whether the next event of `run` can happen.
  bool isEnabled(uint32_t run) const {
    uint32_t task = program.runs[run].task;
    const ExpandedTask &expanded = program.tasks[task];
    if (!isClaimed(task) || hasEnded(run))
      return false;
    bool isEnd = run == expanded.lastRun;
    if ((isEnd ? expanded.endWaitsForLaunch : expanded.stepsWaitForLaunch) &&
        !hasEndedBefore(expanded.launch))
      return false;
    if (isEnd)
      return llvm::all_of(llvm::seq(expanded.firstRun, run),
                          [&](uint32_t other) { return hasEnded(other); });
    return llvm::all_of(expanded.events[next[run]].waits,
                        [&](uint32_t semaphore) {
                          return posts[semaphore] >= program.counts[semaphore];
                        });
  }

  /// Executes the next event of `run`. Returns the error, if there is one.
  std::optional<InterpretResult> execute(uint32_t run);

  /// Returns the error if no event is enabled any more, if there is one.
  std::optional<InterpretResult> finish() const;

  /// Returns a key of the state. States with equal keys have equal futures.
  std::string getKey() const {
    std::string key(reinterpret_cast<const char *>(next.data()),
                    next.size() * sizeof(next[0]));
    key.append(reinterpret_cast<const char *>(contents.data()),
               contents.size() * sizeof(contents[0]));
    return key;
  }

private:
  /// The content of a cell that no tile has written.
  static constexpr int32_t initial = -1;

  InterpretResult makeResult(InterpretOutcome outcome, std::string message,
                             uint32_t task,
                             std::optional<int64_t> step = std::nullopt) const {
    InterpretResult result;
    result.outcome = outcome;
    result.message = std::move(message);
    result.tile = program.getPoint(task, step);
    return result;
  }

  bool hasEnded(uint32_t run) const {
    return next[run] == program.runs[run].last;
  }

  /// Whether a resident has claimed the task. Residents of a launch only claim
  /// its own tiles.
  bool isClaimed(uint32_t task) const {
    const ExpandedTask &expanded = program.tasks[task];
    if (program.launchTasks.empty())
      return task < residents + numDone;
    return expanded.rank < residents + launchesDone[expanded.launch];
  }

  /// Whether the launch before `launch` has ended.
  bool hasEndedBefore(unsigned launch) const {
    for (; launch-- != 0;) {
      if (launchesDone[launch] != program.launchTasks[launch])
        return false;
      if (!program.endsAfterLaunch[launch])
        return true;
    }
    return true;
  }

  bool holds(const CellUse &use) const {
    return contents[use.cell] == static_cast<int32_t>(use.tensor) ||
           (contents[use.cell] == initial && program.isInput[use.tensor]);
  }

  const ExpandedProgram &program;
  int64_t residents, numDone = 0;
  /// By run.
  std::vector<uint16_t> next;
  std::vector<int64_t> posts;
  /// By launch: the number of its tasks that are done.
  std::vector<uint32_t> launchesDone;
  /// By cell of a shared buffer: the tensor whose element it holds.
  std::vector<int32_t> contents;
};

std::optional<InterpretResult> Machine::execute(uint32_t run) {
  uint32_t task = program.runs[run].task;
  const ExpandedTask &expanded = program.tasks[task];
  uint32_t number = next[run]++;
  if (number == expanded.getEnd()) {
    for (const CellUse &use : expanded.sharedWrites)
      contents[use.cell] = use.tensor;
    for (uint32_t semaphore : expanded.posts)
      ++posts[semaphore];
    ++numDone;
    if (!launchesDone.empty())
      ++launchesDone[expanded.launch];
    return std::nullopt;
  }
  const ExpandedEvent &event = expanded.events[number];
  for (uint32_t writer : event.needs)
    if (!isDone(writer)) {
      InterpretResult result = makeResult(
          InterpretOutcome::UnsynchronisedRead,
          "a tile reads before the writer has written", task, event.step);
      result.other = program.getPoint(writer, std::nullopt);
      return result;
    }
  for (const CellUse &use : event.sharedReads)
    if (!holds(use))
      return makeResult(InterpretOutcome::LostValue,
                        "a tile reads what another tensor has overwritten",
                        task, event.step);
  return std::nullopt;
}

std::optional<InterpretResult> Machine::finish() const {
  for (auto [index, run] : llvm::enumerate(program.runs))
    if (!hasEnded(index)) {
      std::optional<int64_t> step;
      if (index != program.tasks[run.task].lastRun)
        step = program.tasks[run.task].events[next[index]].step;
      return makeResult(InterpretOutcome::Deadlock, "tiles wait for ever",
                        run.task, step);
    }
  for (auto [semaphore, count] : llvm::enumerate(posts))
    if (count != program.counts[semaphore]) {
      InterpretResult result;
      result.outcome = InterpretOutcome::CountMismatch;
      result.message = "a semaphore was posted " + std::to_string(count) +
                       " times, but its count is " +
                       std::to_string(program.counts[semaphore]);
      return result;
    }
  for (const CellUse &use : program.outputCells)
    if (!holds(use)) {
      InterpretResult result;
      result.outcome = InterpretOutcome::LostValue;
      result.message = "an output was overwritten";
      return result;
    }
  return std::nullopt;
}

class Interpreter {
public:
  Interpreter(const ExpandedProgram &program, const InterpretOptions &options)
      : program(program), options(options),
        residents(options.residents > 0
                      ? options.residents
                      : static_cast<int64_t>(program.tasks.size())) {}

  InterpretResult run();

private:
  void runSingle();
  void runExhaustive();
  void runAdversarial();

  /// Records the error, if there is one. Returns whether no error has been
  /// found so far.
  bool record(std::optional<InterpretResult> found) {
    if (found && !result)
      result = std::move(found);
    return !result;
  }

  /// Executes all events that can happen without the events in `frozen`, each
  /// of which is a task and a number in it. Records errors. Returns false if
  /// there was an error.
  bool runFrozen(Machine &machine,
                 llvm::ArrayRef<std::pair<uint32_t, uint32_t>> frozen,
                 bool ignoreErrors);
  void checkOverwrites();

  const ExpandedProgram &program;
  const InterpretOptions &options;
  int64_t residents;
  std::optional<InterpretResult> result;
  int64_t statesVisited = 0;
};

void Interpreter::runSingle() {
  Machine machine(program, residents);
  for (bool progressed = true; progressed;) {
    progressed = false;
    for (uint32_t run = 0; run < program.runs.size() && !progressed; ++run)
      if (machine.isEnabled(run)) {
        ++statesVisited;
        if (!record(machine.execute(run)))
          return;
        progressed = true;
      }
  }
  record(machine.finish());
}

void Interpreter::runExhaustive() {
  std::unordered_set<std::string> seen;
  std::vector<Machine> stack = {Machine(program, residents)};
  seen.insert(stack.back().getKey());
  while (!stack.empty()) {
    Machine machine = std::move(stack.back());
    stack.pop_back();
    if (++statesVisited > options.maxStates) {
      InterpretResult inconclusive;
      inconclusive.message = "too many states";
      record(inconclusive);
      return;
    }
    bool isFinal = true;
    for (uint32_t run = 0; run < program.runs.size(); ++run) {
      if (!machine.isEnabled(run))
        continue;
      isFinal = false;
      Machine next = machine;
      if (!record(next.execute(run)))
        return;
      if (seen.insert(next.getKey()).second)
        stack.push_back(std::move(next));
    }
    if (isFinal && !record(machine.finish()))
      return;
  }
}

bool Interpreter::runFrozen(
    Machine &machine, llvm::ArrayRef<std::pair<uint32_t, uint32_t>> frozen,
    bool ignoreErrors) {
  auto mayRun = [&](uint32_t run) {
    return machine.isEnabled(run) &&
           llvm::none_of(frozen, [&](const auto &entry) {
             return entry.first == program.runs[run].task &&
                    entry.second == machine.getNext(run);
           });
  };
  for (bool progressed = true; progressed;) {
    progressed = false;
    for (uint32_t run = 0; run < program.runs.size(); ++run)
      while (mayRun(run)) {
        ++statesVisited;
        std::optional<InterpretResult> found = machine.execute(run);
        if (!ignoreErrors && !record(found))
          return false;
        progressed = true;
      }
  }
  return true;
}

/// Looks for executions in which a write of one tensor comes between the write
/// and a read of another tensor in the same cell, or overwrites an output.
void Interpreter::checkOverwrites() {
  // The writers of each cell: (tensor, task).
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> writers(
      program.numCells);
  for (auto [index, task] : llvm::enumerate(program.tasks))
    for (const CellUse &use : task.sharedWrites)
      writers[use.cell].push_back({use.tensor, index});

  // Triples that are checked once each: the task that writes the value, if
  // there is one; the task that overwrites it; and the event that reads it, if
  // that is not the end.
  constexpr uint32_t none = ~0u;
  std::set<std::array<uint32_t, 4>> cases;
  auto addCases = [&](const CellUse &use, uint32_t reader, uint32_t event) {
    uint32_t source = none;
    for (auto [tensor, task] : writers[use.cell])
      if (tensor == use.tensor)
        source = task;
    for (auto [tensor, task] : writers[use.cell])
      if (tensor != use.tensor)
        cases.insert({source, task, reader, event});
  };
  for (auto [index, task] : llvm::enumerate(program.tasks))
    for (auto [number, event] : llvm::enumerate(task.events))
      for (const CellUse &use : event.sharedReads)
        addCases(use, index, number);
  for (const CellUse &use : program.outputCells)
    addCases(use, none, 0);

  for (auto [source, spoiler, reader, event] : cases) {
    llvm::SmallVector<std::pair<uint32_t, uint32_t>> frozen = {
        {spoiler, program.tasks[spoiler].getEnd()}};
    if (reader != none)
      frozen.push_back({reader, event});
    Machine machine(program, residents);
    runFrozen(machine, frozen, /*ignoreErrors=*/true);
    if (source != none && !machine.isDone(source))
      continue; // always written after the spoiler
    frozen.erase(frozen.begin());
    runFrozen(machine, frozen, /*ignoreErrors=*/true);
    if (!machine.isDone(spoiler))
      continue;
    InterpretResult found;
    found.outcome = InterpretOutcome::LostValue;
    found.message = "a write may overwrite a value that is still needed";
    if (reader != none)
      found.tile =
          program.getPoint(reader, program.tasks[reader].events[event].step);
    found.other = program.getPoint(spoiler, std::nullopt);
    record(found);
    return;
  }
}

void Interpreter::runAdversarial() {
  Machine all(program, residents);
  if (!runFrozen(all, {}, /*ignoreErrors=*/false) || !record(all.finish()))
    return;
  // Delay each writer as long as possible.
  for (uint32_t task = 0; task < program.tasks.size(); ++task) {
    Machine machine(program, residents);
    if (!runFrozen(machine, {{task, program.tasks[task].getEnd()}},
                   /*ignoreErrors=*/false))
      return;
  }
  checkOverwrites();
}

InterpretResult Interpreter::run() {
  switch (options.mode) {
  case InterpretMode::Single:
    runSingle();
    break;
  case InterpretMode::Exhaustive:
    runExhaustive();
    break;
  case InterpretMode::Adversarial:
    runAdversarial();
    break;
  }
  if (!result) {
    result.emplace();
    result->outcome = InterpretOutcome::Safe;
  }
  result->statesVisited = statesVisited;
  return std::move(*result);
}

} // namespace
} // namespace detail

llvm::Expected<InterpretResult>
interpretProgram(const TileProgram &program, const InterpretOptions &options) {
  std::optional<InterpretResult> problem;
  llvm::Expected<detail::ExpandedProgram> expanded =
      detail::expandProgram(program, options.maxElements, problem);
  if (!expanded)
    return expanded.takeError();
  if (!problem)
    problem = detail::Interpreter(*expanded, options).run();
  for (const auto &point : {problem->tile, problem->other})
    if (point)
      problem->message += "; tile " + detail::formatPoint(program, *point);
  return std::move(*problem);
}

llvm::StringRef stringifyOutcome(InterpretOutcome outcome) {
  switch (outcome) {
  case InterpretOutcome::Safe:
    return "safe";
  case InterpretOutcome::Deadlock:
    return "deadlock";
  case InterpretOutcome::UnsynchronisedRead:
    return "unsynchronised read";
  case InterpretOutcome::LostValue:
    return "lost value";
  case InterpretOutcome::BadAccess:
    return "bad access";
  case InterpretOutcome::CountMismatch:
    return "count mismatch";
  case InterpretOutcome::Inconclusive:
    return "inconclusive";
  }
  llvm_unreachable("unknown outcome");
}

} // namespace grout
