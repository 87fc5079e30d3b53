//===- OwnedModule.cpp - A loaded artifact --------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "OwnedModule.h"

using namespace grout;
using namespace grout::run;

Status OwnedModule::load(const char *path, OwnedModule &module) {
  grout_module *loaded = nullptr;
  GROUT_RETURN_IF_ERROR(toStatus(grout_module_load_file(path, &loaded)));
  module.module.reset(loaded);
  return Status::ok();
}

Status OwnedModule::findDevice(grout_plan plan, grout_device &device) const {
  return toStatus(grout_module_device(get(), plan, &device));
}

Status OwnedModule::findPrecision(grout_plan plan,
                                  grout_element_type &type) const {
  return toStatus(grout_module_precision(get(), plan, &type));
}

Status OwnedModule::findSymmetric(grout_plan plan, uint64_t &bytes,
                                  uint32_t &ranks) const {
  return toStatus(grout_module_symmetric(get(), plan, &bytes, &ranks));
}

static TensorSpec makeSpec(const grout_tensor_info &info) {
  return {info.name,
          {info.element_type,
           std::vector<int64_t>(info.shape, info.shape + info.rank)},
          info.bytes,
          /*inPlaceOf=*/-1};
}

Status OwnedModule::describeInputs(grout_plan plan,
                                   std::vector<TensorSpec> &specs) const {
  for (uint32_t i = 0, end = grout_module_num_inputs(get()); i != end; ++i) {
    grout_tensor_info info;
    GROUT_RETURN_IF_ERROR(toStatus(grout_module_input(get(), plan, i, &info)));
    specs.push_back(makeSpec(info));
  }
  return Status::ok();
}

Status OwnedModule::describeOutputs(grout_plan plan,
                                    std::vector<TensorSpec> &specs) const {
  for (uint32_t i = 0, end = grout_module_num_outputs(get()); i != end; ++i) {
    grout_tensor_info info;
    GROUT_RETURN_IF_ERROR(toStatus(grout_module_output(get(), plan, i, &info)));
    specs.push_back(makeSpec(info));
    specs.back().inPlaceOf = grout_module_in_place(get(), plan, i);
  }
  return Status::ok();
}

Status OwnedModule::describe(std::ostream &out) const {
  return toStatus(grout_module_describe(get(), writeToStream, &out));
}
