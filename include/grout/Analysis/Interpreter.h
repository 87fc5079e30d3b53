//===- Interpreter.h - Tile programs, executed ------------------*- C++ -*-===//
//
// Part of Grout. The reference semantics of tile programs. Shares no code with
// the proof but plain data: accesses are expanded element by element.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_INTERPRETER_H
#define GROUT_ANALYSIS_INTERPRETER_H

#include "grout/Analysis/TileProgram.h"
#include "grout/Analysis/VerifyProgram.h"

namespace grout {

enum class InterpretMode {
  /// One run: of the tiles that can go on, the first in tile order does.
  Single,
  /// Every interleaving, by depth-first search over hashed states.
  Exhaustive,
  /// For each event in turn, the run in which everything that can happen
  /// without it happens before it. As waits never become false again, this
  /// finds what Exhaustive finds, in polynomial time.
  Adversarial,
};

struct InterpretOptions {
  InterpretMode mode = InterpretMode::Exhaustive;
  /// Tiles that run at a time; 0 means as many as there are tiles.
  int64_t residents = 0;
  /// States after which Exhaustive is inconclusive.
  int64_t maxStates = 1'000'000;
  /// Element accesses after which any mode is inconclusive.
  int64_t maxElements = 50'000'000;
};

enum class InterpretOutcome {
  /// No execution goes wrong.
  Safe,
  /// Some execution stops with tiles that wait.
  Deadlock,
  /// A tile reads an element before the tile that should write it has.
  UnsynchronisedRead,
  /// A tile reads an element after another tensor has overwritten it, or an
  /// output does not survive.
  LostValue,
  /// Two tiles write one element of a tensor, or none writes one that is read.
  BadAccess,
  /// A semaphore ends with more or fewer posts than its count, so the next
  /// launch would go wrong.
  CountMismatch,
  /// A limit was reached before anything was found.
  Inconclusive,
};

llvm::StringRef stringifyOutcome(InterpretOutcome outcome);

struct InterpretResult {
  InterpretOutcome outcome = InterpretOutcome::Inconclusive;
  std::string message;
  /// The tile that goes wrong.
  std::optional<TilePoint> tile;
  /// The tile that should have come before it, or that overwrote it.
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
