//===- Completion.h - The scheduler without influence -----------*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_COMPLETION_H
#define GROUT_LIB_SCHEDULING_COMPLETION_H

#include "RowSolver.h"
#include "grout/Scheduling/Scheduler.h"

namespace grout::detail {

/// Called with the dimension, what was tried, and what came of it.
using Tracer =
    llvm::function_ref<void(size_t depth, std::string step, std::string)>;

/// "found, coincident".
std::string describeFound(const ScheduleDim &dim);

/// Adds rows until every statement has as many independent ones as iterators,
/// and then what order of statements is left to give. False if the scheduler
/// knows no way.
bool complete(SearchContext &context, SearchState &state, Tracer trace);

/// Only the last step: orders statements that no sequence has separated. False
/// if their dependences form a cycle.
bool appendFinalSequence(SearchContext &context, SearchState &state,
                         Tracer trace);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_COMPLETION_H
