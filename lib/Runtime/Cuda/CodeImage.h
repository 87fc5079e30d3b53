//===- CodeImage.h - Loading a module's code onto a GPU ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H
#define GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H

#include "grout/RuntimeSupport/Cuda/DriverModule.h"

#include <optional>

namespace grout {
namespace artifact {
struct Module;
} // namespace artifact

namespace runtime {
namespace cuda {

/// Returns whether a GPU of this compute capability can run a cubin
/// (`isCubin`), or compile PTX, for `target`. For example, "sm_90" cubins run
/// on 9.x from 9.0, and "sm_90" PTX on all GPUs from 9.0; "sm_90a" code runs on
/// 9.0 only; "sm_100f" code runs on 10.x from 10.0. A target in another form
/// matches no GPU.
bool targetMatches(const std::string &target, bool isCubin, int major,
                   int minor);

/// The loaded code of an artifact's module.
class CodeImage {
public:
  /// Loads the cubin if it is for this GPU, and otherwise compiles the PTX. The
  /// context must be current here and when this object is destroyed. `source`
  /// must outlive this object.
  Status load(const DriverFunctions &driver, const DeviceInfo &device,
              const artifact::Module &source);

  Status lookUp(const char *name, Function &function) const {
    return module.lookUp(name, function);
  }

  /// See DriverModule::lookUpVariable.
  Status lookUpVariable(const char *name, DevicePtr &address,
                        size_t &bytes) const {
    return module.lookUpVariable(name, address, bytes);
  }

  /// Returns how many parameters a kernel takes, if the code says so.
  std::optional<size_t> countParameters(const std::string &name) const;

private:
  DriverModule module;
  const uint8_t *code = nullptr;
  size_t codeSize = 0;
  bool codeIsCubin = false;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CUDA_CODEIMAGE_H
