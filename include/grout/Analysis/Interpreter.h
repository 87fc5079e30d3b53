//===- Interpreter.h - Tile programs, executed ------------------*- C++ -*-===//
//
// Part of Grout. The reference semantics of tile programs. It shares only plain
// data with the proof, and no code: it expands accesses element by element.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_INTERPRETER_H
#define GROUT_ANALYSIS_INTERPRETER_H

#include "grout/Analysis/TileProgram.h"
#include "grout/Analysis/VerifyProgram.h"

namespace grout {

enum class InterpretMode {
  /// A single run, in which always the first tile, in tile order, of those that
  /// can proceed does.
  Single,
  /// Every interleaving, by depth-first search over hashed states.
  Exhaustive,
  /// For each event in turn, the run in which everything that can happen
  /// without this event happens before it. A satisfied wait stays satisfied, so
  /// this finds the same errors as Exhaustive, in polynomial time.
  Adversarial,
};

struct InterpretOptions {
  InterpretMode mode = InterpretMode::Exhaustive;
  /// Tiles that run at the same time; 0 means as many as there are tiles.
  int64_t residents = 0;
  /// The number of states after which Exhaustive is inconclusive.
  int64_t maxStates = 1'000'000;
  /// The number of element accesses after which any mode is inconclusive.
  int64_t maxElements = 50'000'000;
};

enum class InterpretOutcome {
  /// No execution goes wrong.
  Safe,
  /// Some execution stops while tiles still wait.
  Deadlock,
  /// A tile reads an element before the tile that should write it has done so.
  UnsynchronisedRead,
  /// A tile reads an element after another tensor has overwritten it, or an
  /// output is overwritten.
  LostValue,
  /// Two tiles write the same element of a tensor, or no tile writes an element
  /// that is read.
  BadAccess,
  /// A semaphore ends with more or fewer posts than its count, so the next
  /// launch would go wrong.
  CountMismatch,
  /// A limit was reached before an error was found.
  Inconclusive,
};

llvm::StringRef stringifyOutcome(InterpretOutcome outcome);

struct InterpretResult {
  InterpretOutcome outcome = InterpretOutcome::Inconclusive;
  std::string message;
  /// The tile that goes wrong.
  std::optional<TilePoint> tile;
  /// The tile that should have come before `tile`, or that overwrote its
  /// element.
  std::optional<TilePoint> other;
  int64_t statesVisited = 0;
};

/// Executes `program` as TileProgram describes. Fails if it is not well formed
/// or has dynamic sizes.
llvm::Expected<InterpretResult>
interpretProgram(const TileProgram &program,
                 const InterpretOptions &options = {});

} // namespace grout

#endif // GROUT_ANALYSIS_INTERPRETER_H
