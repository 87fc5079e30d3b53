//===- GemmRoles.h - Roles of a kernel of GEMMs -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_GEMMROLES_H
#define GROUT_LIB_HOPPER_GEMM_GEMMROLES_H

#include "grout/Hopper/Kit/Role.h"

namespace grout::hopper {

// Roles of the producer warpgroup.
inline constexpr Role kIndependentLoader = Role::producer(0);
inline constexpr Role kWaitingLoader = Role::producer(1);
inline constexpr Role kScheduler = Role::producer(2);
inline constexpr Role kStorer = Role::producer(3);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_GEMMROLES_H
