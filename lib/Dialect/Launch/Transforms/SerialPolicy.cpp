//===- SerialPolicy.cpp - Launches one after another ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "BuiltinPolicies.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

/// Keeps launches one after another, in the order of the function.
class SerialPolicy : public SchedulingPolicy {
public:
  StringRef getName() const override { return "serial"; }
  LogicalResult schedule(PlanOp plan, const TargetSpec &) const override {
    orderInSequence(plan);
    return success();
  }
};

} // namespace

std::unique_ptr<SchedulingPolicy> launch::createSerialPolicy() {
  return std::make_unique<SerialPolicy>();
}
