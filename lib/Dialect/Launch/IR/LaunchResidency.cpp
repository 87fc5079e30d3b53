//===- LaunchResidency.cpp - No deadlock between launches -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "LaunchResidency.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

LogicalResult launch::verifyResidency(PlanOp plan, LaunchOrder &order) {
  // All of them are in order, so it is enough to compare with the last one.
  LaunchOpInterface last;
  for (LaunchOpInterface launch : plan.getLaunches()) {
    if (launch.getResidents() <= 1)
      continue;
    if (last && !order.endsBefore(last, launch)) {
      InFlightDiagnostic diag =
          launch->emitOpError()
          << "needs " << launch.getResidents()
          << " resident tiles, and may run beside a launch that needs "
          << last.getResidents()
          << ": they could wait for each other's processors; add an edge "
             "between them";
      diag.attachNote(last->getLoc()) << "which is this one";
      return diag;
    }
    last = launch;
  }
  return success();
}
