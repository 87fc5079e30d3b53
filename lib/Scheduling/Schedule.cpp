//===- Schedule.cpp - Affine schedules of statements ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Scheduling/Schedule.h"

#include "grout/Scheduling/ScheduleEnums.cpp.inc"

namespace grout {

bool LoopExecution::operator==(const LoopExecution &other) const {
  return mapping == other.mapping && vectorWidth == other.vectorWidth &&
         masked == other.masked && vectorStatements == other.vectorStatements;
}

llvm::StringRef LoopExecution::findContradiction(unsigned vectorWidth,
                                                 bool masked,
                                                 bool namesStatements) {
  if (vectorWidth == 0)
    return "a vector has at least one element";
  if (vectorWidth == 1 && namesStatements)
    return "statements to vectorise need a vector width";
  if (vectorWidth == 1 && masked)
    return "masks need a vector width";
  return "";
}

bool ScheduleDim::operator==(const ScheduleDim &other) const {
  return kind == other.kind && coincident == other.coincident &&
         reductionParallel == other.reductionParallel && band == other.band &&
         execution == other.execution;
}

const std::vector<ScheduleRow> *
Schedule::find(llvm::StringRef statement) const {
  for (const StatementRows &rows : statements)
    if (rows.statement == statement)
      return &rows.rows;
  return nullptr;
}

} // namespace grout
