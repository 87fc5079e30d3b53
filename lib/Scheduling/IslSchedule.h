//===- IslSchedule.h - isl's own scheduler ----------------------*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_ISLSCHEDULE_H
#define GROUT_LIB_SCHEDULING_ISLSCHEDULE_H

#include "SearchState.h"

namespace grout::detail {

/// A schedule that isl's own scheduler finds. Fails where isl does, or where
/// its schedule is not made of affine rows without divisions.
Schedule scheduleByIsl(SearchContext &context);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_ISLSCHEDULE_H
