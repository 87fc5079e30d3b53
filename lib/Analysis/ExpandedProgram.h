//===- ExpandedProgram.h - A tile program, element by element ---*- C++ -*-===//
//
// Part of Grout. For the interpreter only. Must not use isl.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_EXPANDEDPROGRAM_H
#define GROUT_LIB_ANALYSIS_EXPANDEDPROGRAM_H

#include "grout/Analysis/Interpreter.h"

namespace grout::detail {

/// A storage unit of a buffer that several tensors share; and the tensor that
/// is accessed there.
struct CellUse {
  uint32_t cell;
  uint32_t tensor;

  bool operator<(const CellUse &other) const {
    return std::tie(cell, tensor) < std::tie(other.cell, other.tensor);
  }
  bool operator==(const CellUse &other) const {
    return cell == other.cell && tensor == other.tensor;
  }
};

/// A step, or the waits and reads of a run after its steps.
struct ExpandedEvent {
  std::optional<int64_t> step;
  /// Sorted lists of the semaphores that must be complete, the tasks that must
  /// have written the elements that are read, and the reads of shared buffers.
  std::vector<uint32_t> waits, needs;
  std::vector<CellUse> sharedReads;
};

/// One tile, with all of its expressions evaluated.
struct ExpandedTask {
  unsigned kernel;
  llvm::SmallVector<int64_t, 4> tile;
  /// The events of all runs, one after another. They are followed by the end of
  /// the tile, which writes and posts: its event has the number of `events`.
  std::vector<ExpandedEvent> events;
  /// By step: its event, and the event after the steps of its run.
  std::vector<uint32_t> stepEvents, afterEvents;
  /// Its runs in ExpandedProgram. The last one is its end.
  uint32_t firstRun = 0, lastRun = 0;
  std::vector<uint32_t> posts;
  std::vector<CellUse> sharedWrites;
  /// With launches: the number of its launch, the number of tasks of that
  /// launch before it, and whether its steps, and its end, wait for the launch
  /// before.
  uint32_t launch = 0, rank = 0;
  bool stepsWaitForLaunch = false, endWaitsForLaunch = false;

  int64_t getNumSteps() const { return stepEvents.size(); }
  uint32_t getEnd() const { return events.size(); }
  ExpandedEvent &getEvent(int64_t step, bool isAfterSteps) {
    return events[(isAfterSteps ? afterEvents : stepEvents)[step]];
  }
};

/// Events [first, last) of a task, which happen in this order.
struct ExpandedRun {
  uint32_t task, first, last;
};

/// A program with its tasks in tile order. Semaphores and cells are numbered
/// consecutively.
struct ExpandedProgram {
  std::vector<ExpandedTask> tasks;
  std::vector<ExpandedRun> runs;
  /// By semaphore: the number of posts that complete it.
  std::vector<int64_t> counts;
  /// By launch, if there are launches: the number of its tasks, and whether it
  /// waits for the launch before until it ends.
  std::vector<uint32_t> launchTasks;
  std::vector<bool> endsAfterLaunch;
  /// By tensor.
  std::vector<bool> isInput, isOutput;
  uint32_t numCells = 0;
  /// The cells of outputs in shared buffers.
  std::vector<CellUse> outputCells;

  TilePoint getPoint(uint32_t task, std::optional<int64_t> step) const;
};

/// Expands `program`. If an access is wrong in itself, or there are more than
/// `maxElements`, sets `problem`; then the result must not be run.
llvm::Expected<ExpandedProgram>
expandProgram(const TileProgram &program, int64_t maxElements,
              std::optional<InterpretResult> &problem);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_EXPANDEDPROGRAM_H
