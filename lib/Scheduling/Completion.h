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

/// Called with the dimension, the step that was tried, and its result.
using Tracer =
    llvm::function_ref<void(size_t depth, std::string step, std::string)>;

/// Returns text such as "found, coincident".
std::string describeFound(const ScheduleDim &dim);

/// Adds rows until every statement has as many independent rows as iterators,
/// and then the order of statements that is still open. Returns false if the
/// scheduler finds no way.
bool complete(SearchContext &context, SearchState &state, Tracer trace);

/// Does only the last step: orders statements that no sequence has separated.
/// Returns false if their dependences form a cycle.
bool appendFinalSequence(SearchContext &context, SearchState &state,
                         Tracer trace);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_COMPLETION_H
