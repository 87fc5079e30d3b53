//===- CodeImage.cpp - Loading a module's code onto a GPU -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CodeImage.h"
#include "../ArtifactTypes.h"
#include "KernelParameters.h"

#include <vector>

using namespace grout;
using namespace grout::runtime;
using namespace grout::runtime::cuda;

bool cuda::targetMatches(const std::string &target, bool isCubin, int major,
                         int minor) {
  if (target.compare(0, 3, "sm_") != 0)
    return false;
  size_t at = 3;
  int number = 0;
  for (; at != target.size() && target[at] >= '0' && target[at] <= '9'; ++at) {
    if (at == 3 + 4) // no compute capability has so many digits
      return false;
    number = number * 10 + (target[at] - '0');
  }
  std::string suffix = target.substr(at);
  int wanted = number;
  int actual = major * 10 + minor;
  bool sameFamily = wanted / 10 == major && actual >= wanted;
  if (at == 3)
    return false;
  if (suffix == "a")
    return actual == wanted;
  if (suffix == "f")
    return sameFamily;
  if (!suffix.empty())
    return false;
  return isCubin ? sameFamily : actual >= wanted;
}

Status CodeImage::load(const DriverFunctions &functions,
                       const DeviceInfo &device,
                       const artifact::Module &source) {
  std::string target = source.target()->str();
  bool isCubin = source.kind() == artifact::ModuleKind::Cubin;
  const flatbuffers::Vector<uint8_t> *bytes = source.data();
  if (isCubin && source.ptx() &&
      !targetMatches(target, /*isCubin=*/true, device.major, device.minor)) {
    isCubin = false;
    bytes = source.ptx();
  }
  if (!targetMatches(target, isCubin, device.major, device.minor))
    return Status::error(GROUT_ERROR_WRONG_TARGET, "the ",
                         isCubin ? "cubin" : "PTX", " is for ", target,
                         ", which the GPU, ", device.name, " (",
                         device.architecture(), "), does not run");

  code = bytes->data();
  codeSize = bytes->size();
  codeIsCubin = isCubin;
  // The driver may assume an alignment that bytes in a FlatBuffer do not have.
  std::vector<uint8_t> image(bytes->begin(), bytes->end());
  if (isCubin)
    return module.loadCubin(functions, image.data());
  return module.loadPtx(functions,
                        reinterpret_cast<const char *>(image.data()));
}

std::optional<size_t>
CodeImage::countParameters(const std::string &name) const {
  if (!code)
    return std::nullopt;
  if (codeIsCubin)
    return countParametersInCubin(code, codeSize, name);
  return countParametersInPtx({reinterpret_cast<const char *>(code), codeSize},
                              name);
}
