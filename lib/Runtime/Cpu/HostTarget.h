//===- HostTarget.h - Checks that the host can run a module -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CPU_HOSTTARGET_H
#define GROUT_LIB_RUNTIME_CPU_HOSTTARGET_H

#include "grout/RuntimeSupport/Status.h"

#include <cstdint>
#include <string>

namespace grout {
namespace runtime {

/// Returns an error if this processor or this operating system lacks a feature
/// of `target`. Known targets are "x86-64", its levels "x86-64-v2" to "-v4"
/// (System V x86-64 psABI, "micro-architecture levels") and "aarch64".
/// `elfMachine` is the machine in the module's ELF header.
Status checkHostTarget(const std::string &target, uint16_t elfMachine);

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_HOSTTARGET_H
