//===- OwnedModule.h - A loaded artifact ------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_OWNEDMODULE_H
#define GROUT_TOOLS_GROUT_RUN_OWNEDMODULE_H

#include "HostTensor.h"
#include "RuntimeCalls.h"

#include <memory>
#include <ostream>

namespace grout {
namespace run {

/// An input or output of a plan.
struct TensorSpec {
  std::string name;
  TensorType type;
  uint64_t bytes = 0;
  /// For an output that replaces an input: the number of the input. Otherwise
  /// -1.
  int64_t inPlaceOf = -1;
};

/// Owns a module of the runtime, and destroys it.
class OwnedModule {
public:
  static Status load(const char *path, OwnedModule &module);

  const grout_module *get() const { return module.get(); }

  const char *target() const { return grout_module_target(get()); }
  bool hasPlan(grout_plan plan) const {
    return grout_module_has_plan(get(), plan) != 0;
  }
  Status findDevice(grout_plan plan, grout_device &device) const;
  Status findPrecision(grout_plan plan, grout_element_type &type) const;

  /// Returns the number of ranks that run a plan together, and the bytes of
  /// symmetric memory of each.
  Status findSymmetric(grout_plan plan, uint64_t &bytes, uint32_t &ranks) const;

  Status describeInputs(grout_plan plan, std::vector<TensorSpec> &specs) const;
  Status describeOutputs(grout_plan plan, std::vector<TensorSpec> &specs) const;

  /// Prints the contents of the artifact.
  Status describe(std::ostream &out) const;

private:
  struct Destroy {
    void operator()(grout_module *owned) const { grout_module_destroy(owned); }
  };
  std::unique_ptr<grout_module, Destroy> module;
};

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_OWNEDMODULE_H
