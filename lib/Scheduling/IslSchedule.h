//===- IslSchedule.h - isl's own scheduler ----------------------*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_ISLSCHEDULE_H
#define GROUT_LIB_SCHEDULING_ISLSCHEDULE_H

#include "SearchState.h"

namespace grout::detail {

/// Returns a schedule by isl's own scheduler. Fails if isl does, or if the rows
/// of its schedule are not affine, or have divisions.
Schedule scheduleByIsl(SearchContext &context);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_ISLSCHEDULE_H
