//===- ValidateModule.cpp - Checks a module's code ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ElfImage.h"
#include "Validate.h"

#include <cstring>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime;

using Bytes = flatbuffers::Vector<uint8_t>;

/// Checks PTX, which the driver takes as a C string.
static Status validatePtx(const Bytes &text) {
  if (text.size() < 2 || text.Get(text.size() - 1) != 0)
    return invalid("the PTX is empty or does not end with a NUL");
  if (std::memchr(text.data(), 0, text.size() - 1))
    return invalid("the PTX has a NUL before its end");
  return Status::ok();
}

Status runtime::validateModule(const Module &module) {
  GROUT_RETURN_IF_ERROR(validateText(*module.target(), "the target"));
  if (module.ptx() && module.kind() != ModuleKind::Cubin)
    return invalid("only a cubin can be accompanied by PTX");

  ElfImage image;
  switch (module.kind()) {
  case ModuleKind::Ptx:
    return validatePtx(*module.data());
  case ModuleKind::Cubin:
    GROUT_RETURN_IF_ERROR(
        readElfImage(module.data()->data(), module.data()->size(), image));
    if (image.machine != kElfMachineCuda)
      return invalid("the cubin is an ELF image for machine ", image.machine,
                     ", not for CUDA");
    return module.ptx() ? validatePtx(*module.ptx()) : Status::ok();
  case ModuleKind::SharedObject:
    GROUT_RETURN_IF_ERROR(
        readElfImage(module.data()->data(), module.data()->size(), image));
    if (image.type != kElfTypeShared || image.machine == kElfMachineCuda)
      return invalid("the ELF image is not a shared object for a CPU");
    return Status::ok();
  }
  return invalid("unknown module kind ", int(module.kind()));
}
