//===- ScheduleEnums.h - Enums of schedules ---------------------*- C++ -*-===//
//
// Part of Grout. Shared by the scheduling library and the scop dialect.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SCHEDULING_SCHEDULEENUMS_H
#define GROUT_SCHEDULING_SCHEDULEENUMS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>

#include "grout/Scheduling/ScheduleEnums.h.inc"

#endif // GROUT_SCHEDULING_SCHEDULEENUMS_H
