//===- ExpandedProgram.h - A tile program, element by element ---*- C++ -*-===//
//
// Part of Grout. For the interpreter only. Must not use isl.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_EXPANDEDPROGRAM_H
#define GROUT_LIB_ANALYSIS_EXPANDEDPROGRAM_H

#include "grout/Analysis/Interpreter.h"

namespace grout::detail {

/// A storage unit of a buffer that several tensors share, and the tensor that
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

/// A step, or what a run waits for and reads after its steps.
struct ExpandedEvent {
  std::optional<int64_t> step;
  /// Semaphores that must be complete, tasks that must have written what is
  /// read, and reads of shared buffers. Sorted.
  std::vector<uint32_t> waits, needs;
  std::vector<CellUse> sharedReads;
};

/// What one tile does, with everything evaluated.
struct ExpandedTask {
  unsigned kernel;
  llvm::SmallVector<int64_t, 4> tile;
  /// Of all runs, one after another. What follows is the end of the tile, which
  /// writes and posts: the event whose number is that of all these.
  std::vector<ExpandedEvent> events;
  /// By step: its event, and that of what comes after the steps of its run.
  std::vector<uint32_t> stepEvents, afterEvents;
  /// Its runs in ExpandedProgram, of which the last one is its end.
  uint32_t firstRun = 0, lastRun = 0;
  std::vector<uint32_t> posts;
  std::vector<CellUse> sharedWrites;
  /// With launches: the number of its own, how many tasks of that come before
  /// it, and whether its steps, and its end, wait for the launch before.
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

/// Tasks in tile order; semaphores and cells numbered through.
struct ExpandedProgram {
  std::vector<ExpandedTask> tasks;
  std::vector<ExpandedRun> runs;
  /// By semaphore: posts that complete it.
  std::vector<int64_t> counts;
  /// With launches: by launch, how many tasks it has, and whether it waits for
  /// the launch before, before it ends.
  std::vector<uint32_t> launchTasks;
  std::vector<bool> endsAfterLaunch;
  /// By tensor.
  std::vector<bool> isInput, isOutput;
  uint32_t numCells = 0;
  /// Cells of outputs in shared buffers.
  std::vector<CellUse> outputCells;

  TilePoint getPoint(uint32_t task, std::optional<int64_t> step) const;
};

/// Expands `program`. Where an access is wrong in itself, or `maxElements` do
/// not suffice, `problem` is set and the result must not be run.
llvm::Expected<ExpandedProgram>
expandProgram(const TileProgram &program, int64_t maxElements,
              std::optional<InterpretResult> &problem);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_EXPANDEDPROGRAM_H
